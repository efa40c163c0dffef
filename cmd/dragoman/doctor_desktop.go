package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"dragoman/daemon/config"
	"dragoman/installer/autostart"
	"dragoman/tray/bus"
	"dragoman/tray/desktop"
	"dragoman/tray/host"
	"dragoman/tray/notify"
	"dragoman/tray/session"
	"dragoman/watch/clip"
)

// desktopPatience is how long doctor waits for a desktop that hangs.
const desktopPatience = 5 * time.Second

// examineDesktop tells what the tray finds in this session. Nothing of it keeps
// dragoman from translating.
func examineDesktop(ctx context.Context) []finding {
	s, err := loadSetup()
	if err != nil {
		return nil // told already
	}
	ctx, cancel := context.WithTimeout(ctx, desktopPatience)
	defer cancel()
	looks := []func() finding{
		func() finding { return examineTray(s.paths) },
		func() finding { return examineAutostart() },
		func() finding { return examineClipboard(ctx, s.config) },
		func() finding { return examineIcons(ctx) },
		func() finding { return examineNotes(ctx) },
		func() finding { return examineKeys(ctx, s.config.Tray.Hotkey) },
		func() finding { return examineChooser(ctx) },
	}
	findings := make([]finding, len(looks))
	var all sync.WaitGroup
	for i, look := range looks {
		all.Go(func() { findings[i] = look() })
	}
	all.Wait()
	return findings
}

// seen is a finding about the desktop.
func seen(state state, detail, advice string) finding {
	return finding{state, "desktop", detail, advice}
}

// withoutTray is what there is where the tray lacks something.
const withoutTray = "notifications and `dragoman clip` do the same"

func examineTray(p config.Paths) finding {
	if session.Taken(p.StateDir, p.RuntimeDir) {
		return seen(good, "the tray runs in this session", "")
	}
	return seen(note, "the tray does not run in this session", "start `dragoman-tray`")
}

func examineAutostart() finding {
	s, err := autostart.Read()
	switch {
	case err != nil:
		return seen(note, err.Error(), "")
	case !s.Enabled:
		return seen(note, "the tray does not start at login", "`dragoman-tray install`, or “Start at login” in its menu")
	}
	if _, err := os.Stat(s.Program); err != nil {
		return seen(note, fmt.Sprintf("what starts at login is not there: %v", err), "`dragoman-tray install`")
	}
	return seen(good, "the tray starts at login: "+s.Program, "")
}

func examineClipboard(ctx context.Context, c config.Config) finding {
	board, err := clip.Open(ctx, clip.Options{})
	if err != nil {
		return seen(note, err.Error(), "") // the error says what to do
	}
	defer func() { _ = board.Close(ctx) }() // nothing of ours is on it
	detail := "the clipboard can be watched through " + board.Backend()
	if c.Clipboard.Watch == "off" {
		return seen(note, detail+", but the settings say not to", "`dragoman config set clipboard.watch double`")
	}
	return seen(good, fmt.Sprintf("%s (clipboard.watch = %q)", detail, c.Clipboard.Watch), "")
}

func examineIcons(ctx context.Context) finding {
	shows, err := host.Shows(ctx)
	switch {
	case errors.Is(err, bus.ErrNone):
		return seen(note, "no icons and no notifications: "+err.Error(), "log in to a desktop session and run this there")
	case err != nil:
		return seen(note, "whether icons are shown is not known: "+err.Error(), "")
	case shows:
		return seen(good, "icons are shown", "")
	case host.IsGNOME(os.Getenv("XDG_CURRENT_DESKTOP")):
		return seen(note, "GNOME shows no icons by itself", fmt.Sprintf("install its extension “%s”; without it %s", host.GNOMEExtension, withoutTray))
	}
	return seen(note, "nothing in this session shows icons (no status notifier host)",
		"use a panel that does, as those of KDE, Xfce and Cinnamon or waybar; without one "+withoutTray)
}

func examineNotes(ctx context.Context) finding {
	s, err := notify.About(ctx)
	switch {
	case errors.Is(err, bus.ErrNone):
		return seen(note, "no notifications: "+err.Error(), "")
	case err != nil:
		return seen(note, err.Error(), "")
	}
	detail := strings.TrimSpace(fmt.Sprintf("notifications are shown by %s %s", s.Name, s.Version))
	if len(s.Able) > 0 {
		detail += ", which can do " + strings.Join(s.Able, ", ")
	}
	if !slices.Contains(s.Able, "actions") {
		return seen(note, detail, "it shows no buttons: copy translations from the tray's menu, or with `dragoman clip --replace`")
	}
	return seen(good, detail, "")
}

func examineKeys(ctx context.Context, keys string) finding {
	if err := desktop.CanListen(ctx); err != nil {
		state := good // nobody wants it
		if keys != "" {
			state = note
		}
		return seen(state, "no key of the tray's own: the desktop has no portal for global shortcuts",
			"bind `dragoman clip --notify` to a key in the desktop's settings")
	}
	if keys == "" {
		return seen(good, "the tray can have a key", "`dragoman config set tray.hotkey Ctrl+Alt+T`, or other keys")
	}
	if _, err := desktop.ParseHotkey(keys); err != nil {
		return seen(note, "tray.hotkey: "+err.Error(), "")
	}
	return seen(good, "the tray listens to "+keys, "")
}

func examineChooser(ctx context.Context) finding {
	if desktop.CanChooseFolder(ctx) {
		return seen(good, "drop folders can be chosen in a dialogue", "")
	}
	return seen(good, "no dialogue to choose drop folders: the desktop has no portal for it",
		"`dragoman folders add FOLDER`, or install xdg-desktop-portal and its part for this desktop")
}
