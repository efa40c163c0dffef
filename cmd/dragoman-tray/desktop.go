package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"dragoman/daemon/api"
	"dragoman/daemon/config"
	"dragoman/installer/autostart"
	"dragoman/installer/service"
	"dragoman/tray/agent"
	"dragoman/tray/desktop"
	"dragoman/tray/message"
	"dragoman/tray/page"
)

// desktopOf joins what the agent has done by others.
func desktopOf(paths config.Paths, client *api.Client, pages page.Files) agent.Desktop {
	return agent.Desktop{
		ShowHistory:    func(ctx context.Context, t *message.Texts) error { return showHistory(ctx, client, pages, t) },
		ShowHelp:       func(ctx context.Context, t *message.Texts) error { return showHelp(ctx, paths, pages, t) },
		ListenHotkey:   desktop.ListenHotkey,
		Open:           desktop.Open,
		OpenSettings:   func(ctx context.Context) error { return openSettings(ctx, paths.ConfigFile) },
		StartService:   func(ctx context.Context) error { return startService(ctx, paths) },
		RestartService: func(ctx context.Context) error { return restartService(ctx, paths) },
		StopService:    func(ctx context.Context) error { return stopService(ctx, paths) },
		Autostart: func() (bool, error) {
			s, err := autostart.Read()
			return s.Enabled, err
		},
		SetAutostart: setAutostart,
		OnBattery:    desktop.OnBattery,
	}
}

// openSettings opens the settings' file, which is made with all settings in
// comments where there is none.
func openSettings(ctx context.Context, path string) error {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if err := config.Replace(path, nil, config.DefaultFile()); err != nil {
			return err
		}
	}
	return desktop.Open(ctx, path)
}

func setAutostart(on bool) error {
	if !on {
		return autostart.Disable()
	}
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("start dragoman at login: %w", err)
	}
	return autostart.Enable(program)
}

// startService starts the installed service, or else the program beside this one.
func startService(ctx context.Context, paths config.Paths) error {
	m, status, err := manager(ctx, paths)
	if err == nil && status.State != service.NotInstalled {
		return m.Start(ctx)
	}
	return startProgram()
}

// startProgram starts the service's program in the background.
func startProgram() error {
	own, err := os.Executable()
	if err != nil {
		return fmt.Errorf("start the service: %w", err)
	}
	program := filepath.Join(filepath.Dir(own), "dragomand")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	cmd := exec.Command(program)
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start the service: %w: install it by `dragoman service install`", err)
	}
	return cmd.Process.Release()
}

func restartService(ctx context.Context, paths config.Paths) error {
	m, status, err := manager(ctx, paths)
	if err != nil || status.State == service.NotInstalled {
		return errNotInstalled
	}
	return m.Restart(ctx)
}

// errNotInstalled is why a service cannot be stopped by the system.
var errNotInstalled = errors.New("the service was not started by the system: end the process dragomand, or install it by `dragoman service install`")

func stopService(ctx context.Context, paths config.Paths) error {
	m, status, err := manager(ctx, paths)
	if err != nil || status.State == service.NotInstalled {
		return errNotInstalled
	}
	return m.Stop(ctx)
}

// manager is that of the user's service, or of the system's where only that is
// installed.
func manager(ctx context.Context, paths config.Paths) (*service.Manager, service.Status, error) {
	var firstErr error
	for _, scope := range []service.Scope{service.User, service.System} {
		m, err := service.New(service.Options{Scope: scope, Folders: service.Folders{
			Config: filepath.Dir(paths.ConfigFile), State: paths.StateDir, Data: paths.DataDir, Cache: paths.CacheDir, Runtime: paths.RuntimeDir,
		}})
		if err == nil {
			var s service.Status
			if s, err = m.Status(ctx); err == nil && s.State != service.NotInstalled {
				return m, s, nil
			}
		}
		firstErr = errors.Join(firstErr, err)
	}
	return nil, service.Status{}, firstErr
}
