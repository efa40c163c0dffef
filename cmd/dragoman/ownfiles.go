package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"dragoman/inference/ownfiles"
)

// counting is what a folder of the person's own files says; what is wrong with
// one is told.
func counting[E, T any](c *cobra.Command, folder *ownfiles.Folder[E, T]) T {
	current, err := folder.Current()
	if err != nil {
		for line := range strings.SplitSeq(err.Error(), "\n") {
			fmt.Fprintf(c.ErrOrStderr(), "dragoman: %s: it counts for nothing until that is mended\n", printable(line))
		}
	}
	return current
}

// countFiles tells how many entries each file has, or what is wrong with it.
func countFiles[E any](c *cobra.Command, files []string, read func(string) ([]E, error), unit string) (failed error) {
	for _, file := range files {
		entries, err := read(file)
		if err != nil {
			failed = errors.Join(failed, inputError{err})
			continue
		}
		fmt.Fprintf(c.OutOrStdout(), "%s: %d %s\n", printable(filepath.Base(file)), len(entries), unit)
	}
	return failed
}
