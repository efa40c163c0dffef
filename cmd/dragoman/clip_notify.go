package main

import (
	"context"
	"fmt"
	"os"

	"dragoman/daemon/config"
	"dragoman/tray"
	"dragoman/tray/identity"
	"dragoman/tray/message"
	"dragoman/tray/notify"
)

// noteKey names the command's only note.
const noteKey = "clip"

// noteLength is how much of a text a notification holds, in grapheme clusters.
const noteLength = 300

// resultNote shows a translation as the tray does.
func resultNote(texts *message.Texts, c config.Config, to, text string) notify.Note {
	body := tray.Beginning(text, noteLength)
	if !c.Tray.ShowText {
		body = texts.Say(message.NoteHidden)
	}
	title := texts.Say(message.NoteTranslated, "Language", texts.Name(to, ""))
	return notify.Note{Key: noteKey, Title: title, Body: body, Private: true}
}

// showNote leaves the note where it is when this process ends: a Notifier that
// is closed would take it away.
func showNote(ctx context.Context, s setup, n notify.Note) error {
	o, err := identity.Notifications(s.paths.CacheDir)
	if err != nil {
		fmt.Fprintln(os.Stderr, "dragoman:", printable(err.Error()))
	}
	return notify.Open(o).Show(ctx, n)
}
