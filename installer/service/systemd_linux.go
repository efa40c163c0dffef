package service

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"time"

	kardianos "github.com/kardianos/service"
	"golang.org/x/sys/unix"
)

const (
	daemonFile = "dragomand"
	unitName   = Name + ".service"
	socketFile = "api.sock" // of daemon/ipc
)

// Manager installs and controls the service.
type Manager struct {
	o       Options
	unitDir string // where the administrator's or the user's units are
}

// New looks at this machine's service manager and changes nothing. Its error
// says what to do where there is none that dragoman can use.
func New(o Options) (*Manager, error) {
	if err := booted(kardianos.Platform()); err != nil {
		return nil, err
	}
	m := &Manager{o: o, unitDir: "/etc/systemd/system"}
	if o.Scope == User {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil, fmt.Errorf("find the folder of your units: %w: set HOME", err)
		}
		if err := checkSession(os.Getenv("XDG_RUNTIME_DIR"), os.Getuid()); err != nil {
			return nil, err
		}
		m.unitDir = filepath.Join(home, ".config", "systemd", "user") // kardianos/service knows no other
	}
	return m, nil
}

// Install writes the unit and has it started with the session or the machine;
// it does not start it now, unless it was running before. An installation that
// fails is undone. Where a package has brought a unit for the same program that one
// is used: a copy would hide it from then on, also from upgrades, and outlive it.
func (m *Manager) Install(ctx context.Context) (Installed, error) {
	executable, err := findDaemon(m.o.Executable)
	if err != nil {
		return Installed{}, err
	}
	result := Installed{Unit: m.unitFile(), Executable: executable}
	render := false
	if m.o.Scope == System {
		if err := m.needRoot("install"); err != nil {
			return Installed{}, err
		}
		if err := addAccount(ctx); err != nil {
			return Installed{}, err
		}
		_, err := user.LookupGroup("render")
		render = err == nil
		if !render {
			result.Warnings = append(result.Warnings, "this machine has no group \"render\", so the service may not reach an NPU or GPU: install their drivers, then run `dragoman service install --system` again")
		}
	} else if err := m.checkUnitPath(ctx); err != nil {
		return Installed{}, err
	}
	text, err := unitText(m.o.Scope, executable, render)
	if err != nil {
		return Installed{}, err
	}
	before, err := m.Status(ctx)
	if err != nil {
		return Installed{}, err
	}
	if result.Packaged = programOf(m.packaged()) == executable; result.Packaged {
		result.Unit = m.packagedUnit()
		result.Replaced, err = m.usePackaged(ctx)
	} else {
		result.Replaced, err = m.write(ctx, executable, text)
	}
	if err != nil {
		return Installed{}, err
	}
	if result.Replaced && before.PID != 0 {
		if err := m.Restart(ctx); err != nil {
			return result, err
		}
		result.Restarted = true
	}
	if m.o.Scope == User {
		result.Lingering = lingering(ctx)
	}
	return result, nil
}

// packagedUnit is where packages put the unit, of this scope.
func (m *Manager) packagedUnit() string {
	return filepath.Join("/usr/lib/systemd", m.o.Scope.String(), unitName)
}

// packaged is the unit that a package has brought, "" without one.
func (m *Manager) packaged() string {
	text, err := os.ReadFile(m.packagedUnit())
	if err != nil {
		return ""
	}
	return string(text)
}

// usePackaged has the unit of a package started with the session or the machine, and
// removes one that hides it.
func (m *Manager) usePackaged(ctx context.Context) (replaced bool, err error) {
	if _, err := os.Lstat(m.unitFile()); err == nil {
		replaced = true
		for _, place := range m.places()[:2] { // what an administrator has changed of it stays
			if err := os.Remove(place); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return false, fmt.Errorf("remove the unit that hides that of the package: %w", err)
			}
		}
		if err := m.systemctl(ctx, "daemon-reload"); err != nil {
			return false, fmt.Errorf("install the service: %w", err)
		}
	}
	now, err := m.Status(ctx)
	if err == nil && !now.Enabled { // packages enable it for all users, without a link in their homes
		err = m.systemctl(ctx, "enable", unitName)
	}
	if err != nil {
		return false, fmt.Errorf("install the service: %w", err)
	}
	return replaced, nil
}

// write installs the unit or puts back what was there before.
func (m *Manager) write(ctx context.Context, executable, text string) (replaced bool, err error) {
	old, err := os.ReadFile(m.unitFile())
	switch {
	case err == nil:
		replaced = true
		if err := os.Remove(m.unitFile()); err != nil { // kardianos/service writes no file that exists
			return false, fmt.Errorf("replace the unit: %w", err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return false, fmt.Errorf("read the unit that is there: %w", err)
	}
	control, err := m.control(executable, text)
	if err != nil {
		return false, err
	}
	err = bounded(ctx, "install the service", control.Install)
	if _, missing := os.Lstat(m.unitFile()); err != nil && missing == nil {
		// kardianos/service does not say what systemctl complained of.
		err = errors.Join(m.systemctl(ctx, "enable", unitName), m.systemctl(ctx, "daemon-reload"))
	}
	if err == nil {
		var written []byte
		if written, err = os.ReadFile(m.unitFile()); err == nil && string(written) != text {
			err = fmt.Errorf("%s does not hold what was written: is the disk full?", m.unitFile())
		}
	}
	if err == nil {
		return replaced, nil
	}
	undo := m.removeUnit()
	if replaced {
		undo = errors.Join(undo, os.WriteFile(m.unitFile(), old, 0o644), m.systemctl(ctx, "enable", unitName))
	}
	return false, errors.Join(fmt.Errorf("install the service: %w", err), undo, m.systemctl(ctx, "daemon-reload"))
}

// Uninstall stops the service and removes its unit, the files that change it,
// and, with purge, the account and the data of a system service.
func (m *Manager) Uninstall(ctx context.Context, purge bool) (Removed, error) {
	if m.o.Scope == System {
		if err := m.needRoot("uninstall"); err != nil {
			return Removed{}, err
		}
	} else if purge {
		return Removed{}, errors.New("only a system service has data of its own to purge: a user's service works on your own folders")
	}
	places := existing(m.places())
	if len(places) == 0 {
		if left := m.leftovers(); purge && len(left) > 0 {
			result := Removed{}
			err := m.purge(ctx, purge, &result)
			return result, err
		}
		status, err := m.Status(ctx)
		if err == nil && status.Unit != "" {
			return Removed{}, fmt.Errorf("%s was not written by `dragoman service install`: remove the package that brought it, or turn it off by `%s`", status.Unit, m.o.Scope.turnOff())
		}
		return Removed{}, errors.Join(m.o.Scope.notInstalled(), err)
	}
	control, err := m.control("", "")
	if err != nil {
		return Removed{}, err
	}
	// What fails here shows in what is left, and a unit that is broken cannot
	// be stopped or disabled.
	stopped := bounded(ctx, "stop the service", control.Stop)
	disabled := bounded(ctx, "uninstall the service", control.Uninstall)
	if err := m.removeUnit(); err != nil {
		return Removed{}, errors.Join(err, stopped, disabled)
	}
	if err := m.systemctl(ctx, "daemon-reload"); err != nil {
		return Removed{}, errors.Join(fmt.Errorf("uninstall the service: %w", err), stopped, disabled)
	}
	_ = m.systemctl(ctx, "reset-failed", unitName) // fails where nothing is remembered
	if status, err := m.Status(ctx); err != nil || status.PID != 0 {
		return Removed{}, errors.Join(fmt.Errorf("the unit is removed, but the service still runs (process %d)", status.PID), err, stopped)
	}
	result := Removed{Gone: places}
	if m.o.Scope == System {
		err := m.purge(ctx, purge, &result)
		return result, err
	}
	m.removeEmpty()
	return result, nil
}

// Start starts the service and waits until it can be asked.
func (m *Manager) Start(ctx context.Context) error {
	return m.change(ctx, "start", kardianos.Service.Start)
}

// Stop stops the service and waits until it has ended.
func (m *Manager) Stop(ctx context.Context) error {
	return m.change(ctx, "stop", kardianos.Service.Stop)
}

// Restart stops the service, if it runs, and starts it.
func (m *Manager) Restart(ctx context.Context) error {
	return m.change(ctx, "restart", kardianos.Service.Restart)
}

func (m *Manager) change(ctx context.Context, verb string, f func(kardianos.Service) error) error {
	status, err := m.Status(ctx)
	if err != nil {
		return err
	}
	if status.State == NotInstalled {
		return m.o.Scope.notInstalled()
	}
	if verb != "stop" && status.State == Failed {
		_ = m.systemctl(ctx, "reset-failed", unitName) // the start itself says what is wrong
	}
	control, err := m.control("", "")
	if err != nil {
		return err
	}
	if err := bounded(ctx, verb+" the service", func() error { return f(control) }); err != nil {
		return fmt.Errorf("%s the service: %w: see `dragoman service logs%s`", verb, err, m.o.Scope.flag())
	}
	return nil
}

// Status asks the manager.
func (m *Manager) Status(ctx context.Context) (Status, error) {
	out, err := m.output(ctx, "show", unitName, "--property="+shown)
	if err != nil {
		return Status{}, fmt.Errorf("ask systemd for the service: %w", err)
	}
	var uptime unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &uptime); err != nil {
		return Status{}, fmt.Errorf("read the clock: %w", err)
	}
	s := parseShow(out, time.Now(), time.Duration(uptime.Nano()))
	if s.Unit != "" {
		if text, err := os.ReadFile(s.Unit); err == nil {
			s.Executable = programOf(string(text))
		}
	}
	if m.o.Scope == User && s.State != NotInstalled {
		s.Lingering = lingering(ctx)
	}
	return s, nil
}

// control is the service for kardianos/service. text is needed to install.
func (m *Manager) control(executable, text string) (kardianos.Service, error) {
	s, err := kardianos.New(idle{}, &kardianos.Config{
		Name: Name, DisplayName: displayName, Description: description, Executable: executable,
		Option: kardianos.KeyValue{"UserService": m.o.Scope == User, "SystemdScript": text},
	})
	if err != nil {
		return nil, fmt.Errorf("reach the service manager: %w", err)
	}
	return s, nil
}

// idle is what kardianos/service wants to run; here it only controls.
type idle struct{}

func (idle) Start(kardianos.Service) error { return nil }
func (idle) Stop(kardianos.Service) error  { return nil }

func (m *Manager) unitFile() string { return filepath.Join(m.unitDir, unitName) }

// places are all that an installation may have left in the folder of units.
func (m *Manager) places() []string {
	target := "default.target"
	if m.o.Scope == System {
		target = "multi-user.target"
	}
	return []string{m.unitFile(), filepath.Join(m.unitDir, target+".wants", unitName), m.unitFile() + ".d"}
}

func (m *Manager) removeUnit() error {
	var errs []error
	for _, place := range m.places() {
		if err := os.RemoveAll(place); err != nil && !errors.Is(err, unix.ENOTDIR) {
			errs = append(errs, fmt.Errorf("remove what the service left: %w", err))
		}
	}
	// The folder of links, unless other units have theirs in it.
	_ = unix.Rmdir(filepath.Dir(m.places()[1]))
	return errors.Join(errs...)
}

// removeEmpty removes what a user's installation made on its way, where nothing
// of others is in it.
func (m *Manager) removeEmpty() {
	if m.o.Folders.Runtime != "" {
		socket := filepath.Join(m.o.Folders.Runtime, socketFile)
		if c, err := net.Dial("unix", socket); err == nil {
			c.Close() // of a daemon in the foreground
		} else if errors.Is(err, unix.ECONNREFUSED) {
			_ = os.Remove(socket) // of a daemon that was killed
		}
		_ = unix.Rmdir(m.o.Folders.Runtime)
	}
	_ = unix.Rmdir(m.unitDir)
	_ = unix.Rmdir(filepath.Dir(m.unitDir))
}

func existing(places []string) []string {
	var found []string
	for _, place := range places {
		if _, err := os.Lstat(place); err == nil {
			found = append(found, place)
		}
	}
	return found
}

// turnOff is the command that ends a service and has it not started again.
func (s Scope) turnOff() string {
	if s == System {
		return "sudo systemctl disable --now " + Name
	}
	return "systemctl --user mask --now " + Name // for this user alone: packages enable it for all
}

func (m *Manager) needRoot(verb string) error {
	if os.Geteuid() == 0 {
		return nil
	}
	return fmt.Errorf("only root can %s a system service: run `sudo dragoman service %s --system`", verb, verb)
}

// systemctl runs a command of systemd; what it prints on errors is the error.
func (m *Manager) systemctl(ctx context.Context, args ...string) error {
	_, err := m.output(ctx, args...)
	return err
}

func (m *Manager) output(ctx context.Context, args ...string) (string, error) {
	if m.o.Scope == User {
		args = append([]string{"--user"}, args...)
	}
	return output(ctx, "systemctl", args...)
}

func output(ctx context.Context, program string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C", "SYSTEMD_PAGER=")
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(exit.Stderr) > 0 {
		return "", fmt.Errorf("%s: %s", program, strings.Join(strings.Fields(string(exit.Stderr)), " "))
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", program, err)
	}
	return string(out), nil
}
