package main

import (
	"context"
	"fmt"
	"os"

	"dragoman/daemon/config"
	"dragoman/tray/identity"
	"dragoman/tray/message"
	"dragoman/tray/notify"
	"dragoman/tray/result"
)

// noteKey names the command's only note.
const noteKey = "clip"

// resultNote shows a translation as the tray does.
func resultNote(texts *message.Texts, c config.Config, to, text string) notify.Note {
	return result.Note(texts, noteKey, result.Title(texts, texts.Name(to, "")), text, c.Tray.ShowText)
}

// showNote leaves the note where it is when this process ends.
func showNote(ctx context.Context, s setup, n notify.Note) error {
	o, err := identity.Notifications(s.paths.CacheDir)
	if err != nil {
		fmt.Fprintln(os.Stderr, "dragoman:", printable(err.Error()))
	}
	notifier := notify.Open(o)
	defer notifier.Leave()
	return notifier.Show(ctx, n)
}
