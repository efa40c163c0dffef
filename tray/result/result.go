// Package result makes the notification of a translation, which is the same
// whether the tray or the command shows it.
//
// It may import tray, tray/message and tray/notify.
package result

import (
	"dragoman/tray"
	"dragoman/tray/message"
	"dragoman/tray/notify"
)

// length is how much of a text a notification holds, in grapheme clusters.
const length = 300

// Note holds the beginning of a text, or only says that there is one where texts
// are not to be shown.
func Note(texts *message.Texts, key, title, text string, show bool) notify.Note {
	body := tray.Beginning(text, length)
	if !show {
		body = texts.Say(message.NoteHidden)
	}
	return notify.Note{Key: key, Title: title, Body: body, Private: true}
}

// Title says into which language, by its name.
func Title(texts *message.Texts, language string) string {
	return texts.Say(message.NoteTranslated, "Language", language)
}
