package agent

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"dragoman/daemon/api"
	"dragoman/tray"
	"dragoman/tray/message"
)

// clicked does what was chosen in the menu.
func (a *Agent) clicked(ctx context.Context, c tray.Click) {
	d := a.opts.Desktop
	switch c.Action {
	case tray.StartService:
		a.startService(ctx)
	case tray.RestartService:
		a.restartService(ctx)
	case tray.SetClipMode:
		a.set(ctx, map[string]string{"clipboard.watch": quoted(c.Arg)})
	case tray.Notifications:
		a.set(ctx, map[string]string{"tray.notifications": yesNo(!a.settings.now().Tray.Notifications)})
	case tray.SetTarget:
		a.remember(ctx, func(k *kept) { k.chose(c.Arg) })
		a.judge.Forget()
		a.set(ctx, map[string]string{"clipboard.to": quoted(c.Arg), "clipboard.two_way": yesNo(false)})
	case tray.SetTwoWay:
		w := a.wish()
		a.set(ctx, map[string]string{
			"clipboard.to": quoted(w.To), "clipboard.other": quoted(w.Other), "clipboard.two_way": yesNo(!w.TwoWay),
		})
	case tray.CopyResult:
		if r, found := a.find(c.Arg); found {
			a.write(ctx, r, nil)
		}
	case tray.AddFolder:
		a.addFolder(ctx)
	case tray.OpenFolder, tray.PauseFolder, tray.ResumeFolder:
		a.folder(ctx, c)
	case tray.Pause:
		a.pause(ctx, c.Arg)
	case tray.Resume:
		a.batteryPaused(ctx, false)
		a.battery.overruled = true
		a.request(ctx, "resume", func(ctx context.Context) error { return second(a.opts.Client.Resume(ctx)) })
	case tray.StopPull:
		if id, err := strconv.ParseInt(c.Arg, 10, 64); err == nil {
			a.request(ctx, "pull", func(ctx context.Context) error { return a.opts.Client.CancelPull(ctx, id) })
		}
	case tray.BatteryPause:
		a.set(ctx, waitOnBattery(*a.settings.now()))
		a.battery.overruled = false
		a.lookAtBattery(ctx)
	case tray.History:
		a.showHistory(ctx)
	case tray.Settings:
		a.tryDesktop(ctx, "settings", d.OpenSettings)
	case tray.Help:
		a.tryDesktop(ctx, "help", a.inWords(d.ShowHelp))
	case tray.Autostart:
		a.setAutostart(ctx)
	case tray.Quit:
		a.quit()
	case tray.QuitAndStop:
		a.quitAndStop(ctx)
	default:
		slog.Debug("An item without meaning was clicked", "action", string(c.Action))
	}
}

// set writes settings, and tells the person where that fails.
func (a *Agent) set(ctx context.Context, values map[string]string) {
	if err := a.settings.set(values); err != nil {
		slog.Warn("The settings were not changed", "err", err)
		a.tell(ctx, "settings", err.Error())
		return
	}
	a.refresh(ctx)
}

func (a *Agent) tryDesktop(ctx context.Context, what string, f func(context.Context) error) {
	if f == nil {
		a.tell(ctx, "failed."+what, fmt.Sprintf("dragoman %s", what))
		return
	}
	a.try(ctx, what, f)
}

// inWords gives f the texts of the menu.
func (a *Agent) inWords(f func(context.Context, *message.Texts) error) func(context.Context) error {
	if f == nil {
		return nil
	}
	texts := a.texts // of Run's goroutine
	return func(ctx context.Context) error { return f(ctx, texts) }
}

func (a *Agent) startService(ctx context.Context) {
	a.tryDesktop(ctx, "start", a.opts.Desktop.StartService)
}

func (a *Agent) restartService(ctx context.Context) {
	a.tryDesktop(ctx, "restart", a.opts.Desktop.RestartService)
}

// showHistory asks the service, too.
func (a *Agent) showHistory(ctx context.Context) {
	show := a.inWords(a.opts.Desktop.ShowHistory)
	if show != nil {
		of := show
		show = func(ctx context.Context) error { return a.ask(ctx, of) }
	}
	a.tryDesktop(ctx, "history", show)
}

// quitAndStop stops the service first, and stays where that fails, so that the
// person learns of it.
func (a *Agent) quitAndStop(ctx context.Context) {
	stop := a.opts.Desktop.StopService
	if stop == nil {
		a.quit()
		return
	}
	a.try(ctx, "stop", func(ctx context.Context) error {
		if err := stop(ctx); err != nil {
			return err
		}
		a.quit()
		return nil
	})
}

func (a *Agent) folder(ctx context.Context, c tray.Click) {
	id, err := strconv.ParseInt(c.Arg, 10, 64)
	if err != nil {
		return
	}
	switch c.Action {
	case tray.PauseFolder:
		a.request(ctx, "folder", func(ctx context.Context) error { return second(a.opts.Client.PauseFolder(ctx, id)) })
	case tray.ResumeFolder:
		a.request(ctx, "folder", func(ctx context.Context) error { return second(a.opts.Client.ResumeFolder(ctx, id)) })
	case tray.OpenFolder:
		for _, f := range a.snapshot.Folders {
			if f.ID == id && a.opts.Desktop.Open != nil {
				a.try(ctx, "folder", func(ctx context.Context) error { return a.opts.Desktop.Open(ctx, f.Settings.Path) })
			}
		}
	}
}

// addFolder asks for a folder, whose files go into the language of copies.
func (a *Agent) addFolder(ctx context.Context) {
	choose, to := a.opts.Desktop.ChooseFolder, a.wish().To
	if choose == nil {
		return
	}
	title := a.texts.Say(message.FolderChoose)
	a.try(ctx, "folder", func(ctx context.Context) error {
		path, err := choose(ctx, title)
		if err != nil || path == "" {
			return err
		}
		return a.ask(ctx, func(ctx context.Context) error {
			return second(a.opts.Client.AddFolder(ctx, api.FolderSettings{Path: path, From: api.Auto, To: []string{to}}))
		})
	})
}

func (a *Agent) pause(ctx context.Context, how string) {
	length := time.Hour
	if how == tray.TillTomorrow {
		now := time.Now()
		length = tray.Tomorrow(now).Sub(now)
	}
	a.batteryPaused(ctx, false) // the person has decided otherwise
	a.request(ctx, "pause", func(ctx context.Context) error {
		return second(a.opts.Client.Pause(ctx, api.PauseRequest{Seconds: int64(length.Seconds())}))
	})
}

func (a *Agent) readAutostart() {
	if a.opts.Desktop.Autostart == nil {
		return
	}
	on, err := a.opts.Desktop.Autostart()
	if err != nil {
		slog.Warn("What starts at login is not known", "err", err)
	}
	a.autostart = on
}

func (a *Agent) setAutostart(ctx context.Context) {
	if a.opts.Desktop.SetAutostart == nil {
		return
	}
	if err := a.opts.Desktop.SetAutostart(!a.autostart); err != nil {
		slog.Warn("What starts at login was not changed", "err", err)
		a.tell(ctx, "autostart", err.Error())
	}
	a.readAutostart()
}

// second is the error of a call whose value the event stream brings as well.
func second[T any](_ T, err error) error { return err }
