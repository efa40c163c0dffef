package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"dragoman/watch/clip"
)

// hasPrimary is false: Windows keeps nothing of what is marked.
const hasPrimary = false

// replaceClipboard puts a text on the clipboard, which Windows keeps.
func replaceClipboard(ctx context.Context, text string) error {
	ctx, cancel := context.WithTimeout(ctx, clipPatience)
	defer cancel()
	board, err := clip.Open(ctx, clip.Options{})
	if err == nil {
		err = board.Write(ctx, text)
		_ = board.Close(ctx) // the text is Windows'
	}
	if err != nil {
		return fmt.Errorf("put the translation on the clipboard: %w", err)
	}
	return nil
}

// clipOwners are none: no process has to stay.
func clipOwners() []*cobra.Command { return nil }
