package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"dragoman/daemon/config"
	"dragoman/daemon/connect"
	"dragoman/daemon/logs"
	"dragoman/tray/agent"
	"dragoman/tray/desktop"
	"dragoman/tray/host"
	"dragoman/tray/identity"
	"dragoman/tray/message"
	"dragoman/tray/notify"
	"dragoman/tray/page"
	"dragoman/tray/session"
	"dragoman/tray/systray"
	"dragoman/watch/clip"
)

type options struct {
	noIcon  bool
	verbose bool
}

// run is the whole session, until ctx ends or the person quits.
func run(ctx context.Context, o options) error {
	paths, err := config.NewPaths(config.Host())
	if err != nil {
		return err
	}
	release, unkept, err := session.Take(paths.StateDir, paths.RuntimeDir)
	if err != nil {
		return err
	}
	defer release()
	closeLog := openLog(paths.StateDir, o.verbose)
	defer closeLog()
	if !session.HasDisplay() {
		slog.Warn("There is no desktop here: neither WAYLAND_DISPLAY nor DISPLAY is set, so copies are not seen, and an icon is shown only once there is a session bus. " +
			"End this by Ctrl-C and start it in a desktop session, or have it start at login there by `dragoman-tray install`; without a desktop there are `dragoman translate` and drop folders")
	}

	shown, err := identity.Notifications(paths.CacheDir)
	if err != nil {
		slog.Warn("Notifications have no picture", "err", err)
	}
	notifier := notify.Open(shown)
	defer notifier.Close()
	pages, err := page.OpenFiles(filepath.Join(paths.RuntimeDir, "pages-"+session.Name()))
	if err != nil {
		slog.Warn("Pages of an earlier tray are still there", "err", err)
	}
	defer removePages(pages)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	client := connect.Client(paths)
	a := agent.New(agent.Options{
		Client:       client,
		Appears:      connect.Appears(ctx, paths),
		Notifier:     notifier,
		Desktop:      desktopOf(paths, client, pages),
		SettingsFile: paths.ConfigFile,
		MemoryFile:   paths.TrayFile(),
		Languages:    message.System(),
	})

	var parts sync.WaitGroup
	var again error
	parts.Go(func() { watchClipboard(ctx, a) })
	if unkept != "" {
		parts.Go(func() { a.CannotKeep(ctx, unkept) })
	}
	parts.Go(func() {
		if desktop.CanChooseFolder(ctx) {
			a.SetChooser(ctx, desktop.ChooseFolder)
		}
	})
	if !o.noIcon {
		parts.Go(func() { tellHost(ctx, a) })
		parts.Go(func() {
			if again = showIcon(ctx, a); again != nil {
				stop()
			}
		})
	}
	a.Run(ctx)
	stop()
	parts.Wait()
	if again != nil {
		slog.Warn("The tray starts again", "err", again)
		notifier.Close()
		removePages(pages)
		closeLog()
		release()
		return restart()
	}
	return nil
}

// showIcon keeps the icon shown. Its error is one after which the process has to
// be started again.
func showIcon(ctx context.Context, a *agent.Agent) error {
	for ctx.Err() == nil {
		if systray.WaitForBus(ctx) != nil {
			return nil
		}
		err := systray.Run(ctx, a.Views(), a.Clicks())
		if err == nil || !errors.Is(err, systray.ErrNoBus) {
			return err
		}
	}
	return nil
}

// tellHost says once how to get an icon where the desktop shows none.
func tellHost(ctx context.Context, a *agent.Agent) {
	for systray.WaitForBus(ctx) == nil {
		err := host.Follow(ctx, func(shows bool) {
			if shows {
				return
			}
			slog.Info("This desktop shows no icons")
			if host.IsGNOME(os.Getenv("XDG_CURRENT_DESKTOP")) {
				a.TellNoHost(ctx, message.NoteNoHostGnome, "Program", "Dragoman", "Extension", host.GNOMEExtension, "Command", agent.ClipCommand)
				return
			}
			a.TellNoHost(ctx, message.NoteNoHost, "Command", agent.ClipCommand)
		})
		if err == nil {
			return
		}
	}
}

// clipboardPauses are between attempts to open the clipboard at the start: a
// session may not have its display yet.
var clipboardPauses = []time.Duration{time.Second, 5 * time.Second, 15 * time.Second, time.Minute}

// watchClipboard gives the agent the clipboard, which comes back by itself once
// it was there, and closes it at the end.
func watchClipboard(ctx context.Context, a *agent.Agent) {
	for i := 0; ctx.Err() == nil; i++ {
		c, err := clip.Open(ctx, a.ClipOptions())
		a.SetClipboard(ctx, c, err)
		if err == nil {
			<-ctx.Done()
			limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
			defer cancel()
			if err := c.Close(limited); err != nil {
				slog.Warn("What was on the clipboard was not handed over", "err", err)
			}
			return
		}
		if errors.Is(err, clip.ErrNoDisplay) || errors.Is(err, clip.ErrNoProtocol) {
			return
		}
		select {
		case <-time.After(clipboardPauses[min(i, len(clipboardPauses)-1)]):
		case <-ctx.Done():
		}
	}
}

func openLog(stateDir string, verbose bool) (closeLog func()) {
	level := slog.LevelInfo
	if verbose {
		level = slog.LevelDebug
	}
	l, err := logs.Open(logs.Options{StateDir: stateDir, File: filepath.Join(stateDir, "log", "dragoman-tray.log")})
	if err != nil {
		fmt.Fprintln(os.Stderr, "dragoman-tray:", err)
	}
	l.Level.Set(level)
	slog.SetDefault(l.Logger)
	return func() { _ = l.Close() }
}
