package main

import (
	"context"
	"log/slog"

	"dragoman/daemon/api"
	"dragoman/daemon/config"
	"dragoman/tray/desktop"
	"dragoman/tray/host"
	"dragoman/tray/message"
	"dragoman/tray/page"
)

// showHistory opens the newest texts in the browser.
func showHistory(ctx context.Context, client *api.Client, pages page.Files, texts *message.Texts) error {
	found, err := client.History(ctx, api.HistoryQuery{Limit: page.MaxEntries + 1})
	if err != nil {
		return err
	}
	more := len(found.Entries) > page.MaxEntries
	found.Entries = found.Entries[:min(len(found.Entries), page.MaxEntries)]
	content, err := page.History(texts, found, more)
	return open(ctx, pages, "history", content, err)
}

func showHelp(ctx context.Context, paths config.Paths, pages page.Files, texts *message.Texts) error {
	settings, err := config.Load(paths.ConfigFile)
	if err != nil {
		slog.Warn("The help does not know the settings", "err", err) // they are no part of most of it
	}
	content, err := page.Help(texts, page.HelpFacts{Hotkey: settings.Tray.Hotkey, Extension: host.GNOMEExtension})
	return open(ctx, pages, "help", content, err)
}

func open(ctx context.Context, pages page.Files, name string, content []byte, err error) error {
	if err != nil {
		return err
	}
	path, err := pages.Write(name, content)
	if err != nil {
		return err
	}
	return desktop.Open(ctx, path)
}

func removePages(pages page.Files) {
	if err := pages.Remove(); err != nil {
		slog.Warn("Pages are left behind", "err", err)
	}
}
