package service

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unsafe"

	kardianos "github.com/kardianos/service"
	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
	"golang.org/x/sys/windows/svc"
	"golang.org/x/sys/windows/svc/eventlog"
	"golang.org/x/sys/windows/svc/mgr"

	"dragoman/internal/english"
)

const (
	daemonFile  = "dragomand.exe"
	registryKey = `SYSTEM\CurrentControlSet\Services\` + Name
	// poll is how often the service manager is asked while a service stops.
	poll = 50 * time.Millisecond
)

// recovery is what the service manager does after an end that nobody asked for:
// the last action repeats, and a day without one begins anew.
var recovery = []mgr.RecoveryAction{
	{Type: mgr.ServiceRestart, Delay: time.Second},
	{Type: mgr.ServiceRestart, Delay: 5 * time.Second},
	{Type: mgr.ServiceRestart, Delay: time.Minute},
}

const recoveryReset = 24 * 60 * 60 // seconds

// Manager installs and controls the service.
type Manager struct{ o Options }

// New changes nothing. Windows has services of the machine only, so that the
// scope does not matter.
func New(o Options) (*Manager, error) {
	o.Scope = System
	return &Manager{o}, nil
}

// Install registers the service, which starts with the machine; it does not
// start it now, unless it was running before. An installation that fails is
// undone.
func (m *Manager) Install(ctx context.Context) (Installed, error) {
	executable, err := findDaemon(m.o.Executable)
	if err != nil {
		return Installed{}, err
	}
	if err := needAdministrator("install"); err != nil {
		return Installed{}, err
	}
	owner := m.o.Owner
	if owner == "" {
		if owner, err = ownSID(); err != nil {
			return Installed{}, err
		}
	}
	result := Installed{Unit: `HKLM\` + registryKey, Executable: executable}
	before, err := m.Status(ctx)
	if err != nil {
		return Installed{}, err
	}
	if before.State != NotInstalled {
		result.Replaced = true
		if _, err := m.Uninstall(ctx, false); err != nil {
			return Installed{}, fmt.Errorf("replace the service: %w", err)
		}
	}
	control, err := m.control(executable, arguments(m.o, owner))
	if err != nil {
		return Installed{}, err
	}
	if err := bounded(ctx, "install the service", control.Install); err != nil {
		return Installed{}, errors.Join(fmt.Errorf("install the service: %w", err), undo())
	}
	if err := m.recover(ctx); err != nil {
		result.Warnings = append(result.Warnings, fmt.Sprintf("Windows will not restart the service after every failure: %v", err))
	}
	if err := m.delay(ctx); err != nil {
		result.Warnings = append(result.Warnings, fmt.Sprintf("the service will start with the others, not after them: %v", err))
	}
	if err := allow(owner); err != nil {
		result.Warnings = append(result.Warnings, fmt.Sprintf("only administrators can start and stop the service: %v", err))
	}
	if profile, err := os.UserHomeDir(); err == nil && inFolder(executable, profile) {
		result.Warnings = append(result.Warnings, executable+" lies in a user's profile, but runs with all rights of the machine: move both programs to a folder that only administrators can change, such as Program Files, and install again")
	}
	if before.PID != 0 {
		if err := m.Start(ctx); err != nil {
			return result, err
		}
		result.Restarted = true
	}
	return result, nil
}

// arguments of dragomand as a service for one user.
func arguments(o Options, owner string) []string {
	args := append([]string{"run", "--owner", owner}, o.Folders.args()...)
	if o.ServeSCM {
		args = append(args, "--serve-scm")
	}
	return args
}

// inFolder compares as Windows does, without case.
func inFolder(path, folder string) bool {
	rel, err := filepath.Rel(strings.ToLower(folder), strings.ToLower(path))
	return err == nil && filepath.IsLocal(rel)
}

// recover sets what kardianos/service does not: several actions, and the same
// for an end with an error as for a crash.
func (m *Manager) recover(ctx context.Context) error {
	return m.with(ctx, windows.SERVICE_ALL_ACCESS, func(s *mgr.Service) error {
		if err := s.SetRecoveryActions(recovery, recoveryReset); err != nil {
			return fmt.Errorf("set the recovery actions: %w", err)
		}
		if err := s.SetRecoveryActionsOnNonCrashFailures(true); err != nil {
			return fmt.Errorf("set the recovery actions for errors: %w", err)
		}
		return nil
	})
}

// delay lets the service start after those that a login waits for. It is not
// left to kardianos/service, which would install nothing where Windows (or Wine)
// refuses that.
func (m *Manager) delay(ctx context.Context) error {
	return m.with(ctx, windows.SERVICE_CHANGE_CONFIG, func(s *mgr.Service) error {
		info := windows.SERVICE_DELAYED_AUTO_START_INFO{IsDelayedAutoStartUp: 1}
		err := windows.ChangeServiceConfig2(s.Handle, windows.SERVICE_CONFIG_DELAYED_AUTO_START_INFO, (*byte)(unsafe.Pointer(&info)))
		if err != nil {
			return fmt.Errorf("set the delayed start: %w", err)
		}
		return nil
	})
}

// Uninstall stops the service and removes it. There is no account to purge; the
// data is in the user's own folders.
func (m *Manager) Uninstall(ctx context.Context, _ bool) (Removed, error) {
	if err := needAdministrator("uninstall"); err != nil {
		return Removed{}, err
	}
	status, err := m.Status(ctx)
	if err != nil {
		return Removed{}, err
	}
	if status.State == NotInstalled {
		return Removed{}, ErrNotInstalled
	}
	if status.PID != 0 {
		if err := m.Stop(ctx); err != nil {
			return Removed{}, err
		}
	}
	control, err := m.control("", nil)
	if err != nil {
		return Removed{}, err
	}
	failed := bounded(ctx, "uninstall the service", control.Uninstall)
	// The service is only marked; it goes when the last program that holds it
	// open lets go.
	for deadline := time.Now().Add(10 * time.Second); ; {
		status, err := m.Status(ctx)
		if err == nil && status.State == NotInstalled {
			break
		}
		if time.Now().After(deadline) {
			return Removed{}, errors.Join(errors.New("the service is marked for deletion but still there: close the Services window and what else shows it"), failed, err)
		}
		if err := wait(ctx, poll); err != nil {
			return Removed{}, err
		}
	}
	return Removed{Gone: []string{`HKLM\` + registryKey}}, undo()
}

// undo removes what an installation may have left besides the service.
func undo() error {
	if err := eventlog.Remove(Name); err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, registry.ErrNotExist) {
		return fmt.Errorf("remove the source of the event log: %w", err)
	}
	return nil
}

// Start starts the service; it is running within a second.
func (m *Manager) Start(ctx context.Context) error {
	return m.change(ctx, "start", kardianos.Service.Start)
}

// Stop stops the service and waits until it has ended. kardianos/service would
// wait without end.
func (m *Manager) Stop(ctx context.Context) error {
	status, err := m.Status(ctx)
	if err != nil {
		return err
	}
	switch status.State {
	case NotInstalled:
		return ErrNotInstalled
	case Stopped:
		return nil
	}
	err = m.with(ctx, windows.SERVICE_STOP|windows.SERVICE_QUERY_STATUS, func(s *mgr.Service) error {
		_, err := s.Control(svc.Stop)
		return err
	})
	if err != nil && !errors.Is(err, windows.ERROR_SERVICE_NOT_ACTIVE) {
		return fmt.Errorf("stop the service: %w", explain(err))
	}
	for deadline := time.Now().Add(patience); ; {
		status, err := m.Status(ctx)
		if err != nil {
			return err
		}
		if status.State == Stopped || status.State == NotInstalled {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("the service did not stop within %s: end process %d", english.Duration(patience), status.PID)
		}
		if err := wait(ctx, poll); err != nil {
			return err
		}
	}
}

// Restart stops the service, if it runs, and starts it.
func (m *Manager) Restart(ctx context.Context) error {
	if err := m.Stop(ctx); err != nil {
		return err
	}
	return m.Start(ctx)
}

func (m *Manager) change(ctx context.Context, verb string, f func(kardianos.Service) error) error {
	control, err := m.control("", nil)
	if err != nil {
		return err
	}
	err = bounded(ctx, verb+" the service", func() error { return f(control) })
	switch {
	case errors.Is(err, windows.ERROR_SERVICE_DOES_NOT_EXIST):
		return ErrNotInstalled
	case errors.Is(err, windows.ERROR_SERVICE_ALREADY_RUNNING):
		return nil
	case err != nil:
		return fmt.Errorf("%s the service: %w: see `dragoman service logs`", verb, explain(err))
	}
	return nil
}

// Status asks the service manager.
func (m *Manager) Status(ctx context.Context) (Status, error) {
	s := Status{State: NotInstalled}
	err := m.with(ctx, windows.SERVICE_QUERY_STATUS|windows.SERVICE_QUERY_CONFIG, func(service *mgr.Service) error {
		now, err := service.Query()
		if err != nil {
			return err
		}
		s = Status{State: stateOfSCM(now.State), Unit: `HKLM\` + registryKey, PID: int(now.ProcessId)}
		if s.Enabled, s.Executable, err = configOf(service.Handle); err != nil {
			return err
		}
		if s.State == Stopped {
			s.PID = 0
			if now.Win32ExitCode != 0 && windows.Errno(now.Win32ExitCode) != windows.ERROR_SERVICE_NEVER_STARTED {
				s.State, s.Reason = Failed, windows.Errno(now.Win32ExitCode).Error()
			}
		}
		return nil
	})
	if errors.Is(err, windows.ERROR_SERVICE_DOES_NOT_EXIST) {
		return s, nil
	}
	if err != nil {
		return s, fmt.Errorf("ask Windows for the service: %w", explain(err))
	}
	return s, nil
}

// configOf returns whether a service starts by itself, and its command line.
// mgr.Service.Config would also ask for what Wine does not know.
func configOf(service windows.Handle) (starts bool, command string, err error) {
	buffer := make([]byte, 8<<10) // the documented bound
	config := (*windows.QUERY_SERVICE_CONFIG)(unsafe.Pointer(&buffer[0]))
	var needed uint32
	if err := windows.QueryServiceConfig(service, config, uint32(len(buffer)), &needed); err != nil {
		return false, "", err
	}
	return config.StartType == windows.SERVICE_AUTO_START, windows.UTF16PtrToString(config.BinaryPathName), nil
}

func stateOfSCM(state svc.State) State {
	switch state {
	case svc.Running:
		return Running
	case svc.StartPending:
		return Starting
	case svc.StopPending:
		return Stopping
	}
	return Stopped
}

// with opens the service with no more rights than are needed.
func (m *Manager) with(ctx context.Context, rights uint32, f func(*mgr.Service) error) error {
	return bounded(ctx, "ask the service manager", func() error {
		manager, err := windows.OpenSCManager(nil, nil, windows.SC_MANAGER_CONNECT)
		if err != nil {
			return err
		}
		defer windows.CloseServiceHandle(manager)
		name, err := windows.UTF16PtrFromString(Name)
		if err != nil {
			return err
		}
		handle, err := windows.OpenService(manager, name, rights)
		if err != nil {
			return err
		}
		defer windows.CloseServiceHandle(handle)
		return f(&mgr.Service{Name: Name, Handle: handle})
	})
}

func (m *Manager) control(executable string, args []string) (kardianos.Service, error) {
	s, err := kardianos.New(idle{}, &kardianos.Config{
		Name: Name, DisplayName: displayName, Description: description,
		Executable: executable, Arguments: args,
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

func needAdministrator(verb string) error {
	if windows.GetCurrentProcessToken().IsElevated() {
		return nil
	}
	return fmt.Errorf("only an administrator can %s a service: open the terminal with \"Run as administrator\" and run `dragoman service %s` there", verb, verb)
}

func explain(err error) error {
	if errors.Is(err, windows.ERROR_ACCESS_DENIED) {
		return fmt.Errorf("%w: only administrators and the user who installed the service control it: open the terminal with \"Run as administrator\"", err)
	}
	return err
}

func ownSID() (string, error) {
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return "", fmt.Errorf("find the security identifier of this user: %w", err)
	}
	return user.User.Sid.String(), nil
}

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
