package page

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"time"

	"dragoman/daemon/api"
	"dragoman/tray/message"
)

//go:embed *.html
var files embed.FS

var (
	historyPage = template.Must(template.ParseFS(files, "page.html", "history.html"))
	helpPage    = template.Must(template.ParseFS(files, "page.html", "help.html"))
)

// head is what every page has.
type head struct{ Language, Title string }

// MaxEntries is how many texts the page of the history shows.
const MaxEntries = 200

// History is the page of what was translated. more says that there are older
// texts, which are not on it.
func History(texts *message.Texts, h api.HistoryResponse, more bool) ([]byte, error) {
	type entry struct {
		Machine, Time, From, To, FromCode, ToCode, Source, Target string
	}
	p := struct {
		head
		Remarks []string
		Entries []entry
	}{head: head{texts.Language().String(), texts.Say(message.History)}}
	if !h.Enabled {
		p.Remarks = append(p.Remarks, texts.Say(message.HistoryOff, "Setting", "history.enabled"))
	}
	if more {
		p.Remarks = append(p.Remarks, texts.Say(message.HistoryOlder, "Command", "dragoman history --limit 1000"))
	}
	if len(h.Entries) == 0 {
		p.Remarks = append(p.Remarks, texts.Say(message.ResultsNone))
	}
	for _, e := range h.Entries {
		from := "?"
		if e.From != "" {
			from = texts.Name(e.From, "")
		}
		p.Entries = append(p.Entries, entry{
			Machine: e.Time.Format(time.RFC3339), Time: e.Time.Local().Format(time.DateTime),
			From: from, To: texts.Name(e.To, ""), FromCode: e.From, ToCode: e.To, Source: e.Source, Target: e.Target,
		})
	}
	return execute(historyPage, p)
}

// HelpFacts are what the help says of this desktop.
type HelpFacts struct {
	Hotkey    string // the keys of the settings, "" if there are none
	Extension string // that GNOME needs to show icons
}

// Help is the page on how to use the tray.
func Help(texts *message.Texts, f HelpFacts) ([]byte, error) {
	type command struct{ Command, What string }
	type section struct {
		Title      string
		Paragraphs []string
		Commands   []command
	}
	say := func(id message.ID, pairs ...any) string { return texts.Say(id, pairs...) }
	key := say(message.HelpKeyBind, "Command", "dragoman clip --notify", "Setting", "tray.hotkey")
	if f.Hotkey != "" {
		key = say(message.HelpKey, "Keys", f.Hotkey)
	}
	p := struct {
		head
		Sections []section
	}{
		head{texts.Language().String(), say(message.Help)},
		[]section{
			{Title: say(message.HelpCopyTitle), Paragraphs: []string{say(message.HelpCopy), say(message.HelpClick), key}},
			{Title: say(message.HelpNeverTitle), Paragraphs: []string{
				say(message.HelpNever), say(message.HelpExclude, "Setting", "clipboard.exclude"), say(message.HelpLocal),
			}},
			{Title: say(message.HelpCommandsTitle), Commands: []command{
				{"dragoman clip", say(message.HelpCommandClip)},
				{"dragoman translate --to es FILE", say(message.HelpCommandTranslate)},
				{"dragoman folders add --to es FOLDER", say(message.HelpCommandFolders)},
				{"dragoman status", say(message.HelpCommandStatus)},
				{"dragoman config", say(message.HelpCommandConfig)},
				{"dragoman history erase", say(message.HelpCommandErase)},
				{"dragoman doctor", say(message.HelpCommandDoctor)},
			}},
			{Title: "GNOME", Paragraphs: []string{
				say(message.NoteNoHostGnome, "Program", "Dragoman", "Extension", cmp.Or(f.Extension, "AppIndicator"), "Command", "dragoman clip"),
			}},
		},
	}
	return execute(helpPage, p)
}

func execute(t *template.Template, data any) ([]byte, error) {
	var out bytes.Buffer
	if err := t.ExecuteTemplate(&out, "page.html", data); err != nil {
		return nil, fmt.Errorf("write a page: %w", err)
	}
	return out.Bytes(), nil
}
