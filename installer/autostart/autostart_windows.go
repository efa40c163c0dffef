package autostart

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows/registry"
)

const (
	runKey = `Software\Microsoft\Windows\CurrentVersion\Run`
	// approvedKey holds what a person has switched off in the Task Manager or in
	// the settings: an odd first byte is off.
	approvedKey = `Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run`
)

// Enable has program, an absolute path, started with each session of this
// user, also where the person has switched that off in the Task Manager before.
func Enable(program string) error {
	if !filepath.IsAbs(program) {
		return fmt.Errorf("start %s at login: give its absolute path", program)
	}
	key, _, err := registry.CreateKey(registry.CURRENT_USER, runKey, registry.SET_VALUE)
	if err != nil {
		return fmt.Errorf("start dragoman at login: %w", err)
	}
	defer key.Close()
	if err := key.SetStringValue(name, `"`+program+`"`); err != nil {
		return fmt.Errorf("start dragoman at login: %w", err)
	}
	return remove(approvedKey)
}

// Disable ends that.
func Disable() error {
	return errors.Join(remove(runKey), remove(approvedKey))
}

// Read returns what is registered for this user.
func Read() (Status, error) {
	key, err := registry.OpenKey(registry.CURRENT_USER, runKey, registry.QUERY_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return Status{}, nil
	}
	if err != nil {
		return Status{}, fmt.Errorf("read what starts at login: %w", err)
	}
	defer key.Close()
	command, _, err := key.GetStringValue(name)
	if errors.Is(err, registry.ErrNotExist) {
		return Status{}, nil
	}
	if err != nil {
		return Status{}, fmt.Errorf("read what starts at login: %w", err)
	}
	return Status{Enabled: !switchedOff(), Program: strings.Trim(command, `"`)}, nil
}

func switchedOff() bool {
	key, err := registry.OpenKey(registry.CURRENT_USER, approvedKey, registry.QUERY_VALUE)
	if err != nil {
		return false
	}
	defer key.Close()
	value, _, err := key.GetBinaryValue(name)
	return err == nil && len(value) > 0 && value[0]&1 == 1
}

func remove(path string) error {
	key, err := registry.OpenKey(registry.CURRENT_USER, path, registry.SET_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("change what starts at login: %w", err)
	}
	defer key.Close()
	if err := key.DeleteValue(name); err != nil && !errors.Is(err, registry.ErrNotExist) {
		return fmt.Errorf("change what starts at login: %w", err)
	}
	return nil
}
