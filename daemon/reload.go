package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"

	"dragoman/daemon/api"
	"dragoman/daemon/config"
	"dragoman/daemon/crowd"
	"dragoman/daemon/ipc"
)

// nextStart are the tables and keys whose changes count from the next start on.
var nextStart = []string{"queue.", "folders.", "api.", "log.file"}

// Keys of notices about settings.
const (
	aboutSettings = "settings" // the file has a mistake
	aboutRestart  = "restart"  // some wait for the next start
	aboutLibre    = "libretranslate"
)

// reload reads the settings anew and puts them in force. Where they are wrong
// the old ones stay in force, and the user is told.
func (d *Daemon) reload() error {
	d.reloads.Lock()
	defer d.reloads.Unlock()
	d.noteSettings()
	next, err := config.Read(d.opts.Paths.ConfigFile, os.Getenv)
	if err != nil {
		d.say(aboutSettings, api.Notice{Level: "error", Message: "The settings were not changed: " + err.Error()})
		d.unapplied.Store(&[]string{err.Error()})
		return err
	}
	d.withdraw(aboutSettings)
	before := d.current.Swap(&next)
	changed := config.Differences(before.Config, next.Config)
	slog.Info("Settings were read again", "changed", strings.Join(changed, " "))
	d.setLogLevel()
	if concern(changed, "inference.", "cache.", "models.allowed") {
		d.models.load(next.Config)
	}
	problems := []string{}
	if err := d.configureLibre(); err != nil {
		problems = append(problems, err.Error())
	}
	d.lookAtPower()
	if err := d.bound(context.Background()); err != nil {
		slog.Warn("Bounds of the database were not changed", "err", err)
		problems = append(problems, "the bounds of history and memory were not changed: "+err.Error())
	}
	d.unapplied.Store(&problems)
	d.tellLate()
	d.events.changed()
	return nil
}

// late are the keys whose values count from the next start on: they are others
// than this start had.
func (d *Daemon) late() []string {
	changed := config.Differences(d.atStart, d.settings())
	return slices.DeleteFunc(changed, func(key string) bool { return !concern([]string{key}, nextStart...) })
}

func (d *Daemon) tellLate() {
	late := d.late()
	if len(late) == 0 {
		d.withdraw(aboutRestart)
		return
	}
	d.say(aboutRestart, api.Notice{
		Level:   "info",
		Message: fmt.Sprintf("New values of %s count from the next start on: %s", strings.Join(late, ", "), d.self.HowToRestart()),
	})
}

// concern says whether any of the keys begins with one of the prefixes.
func concern(keys []string, prefixes ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool {
		return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(key, prefix) })
	})
}

func (d *Daemon) setLogLevel() {
	if d.opts.LogLevel == nil {
		return
	}
	var level slog.Level
	if err := level.UnmarshalText([]byte(d.settings().Log.Level)); err == nil { // the settings were checked
		d.opts.LogLevel.Set(level)
	}
}

// bound sets how much history and memory are kept.
func (d *Daemon) bound(ctx context.Context) error {
	settings := d.settings()
	return errors.Join(
		d.store.BoundHistory(ctx, 0, settings.History.MaxMB*1e6),
		d.store.BoundMemory(ctx, settings.Memory.MaxMB*1e6))
}

// endpoint is where clients find the daemon.
func (d *Daemon) endpoint() ipc.Options {
	settings := d.settings()
	address := ipc.Default(d.opts.Paths.RuntimeDir)
	if d.opts.Owner != "" {
		address = ipc.PipeOf(d.opts.Owner)
	}
	return ipc.Options{
		Address: address, Owner: d.opts.Owner,
		AllowGroup: settings.API.Group,
		MaxClients: settings.API.MaxClients + crowd.Extra + 1, // who has to go is the crowd's to say
	}
}
