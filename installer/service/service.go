package service

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"dragoman/internal/english"
)

// Name is the service's for the manager: dragoman.service, or the key of the
// Windows service.
const Name = "dragoman"

const (
	displayName = "Dragoman"
	description = "Dragoman, the translator on this machine"
)

// patience bounds what is asked of the service manager.
const patience = 40 * time.Second

// Scope says whom a service belongs to.
type Scope int

// The scopes. Windows has only System.
const (
	User   Scope = iota // starts with the user's session
	System              // starts with the machine, account "dragoman"
)

// String returns the scope as texts name it.
func (s Scope) String() string {
	if s == System {
		return "system"
	}
	return "user"
}

// flag is what the command line needs to mean this scope.
func (s Scope) flag() string {
	if s == System && runtime.GOOS != "windows" {
		return " --system"
	}
	return ""
}

// Options describe the service. The zero value is the user's service of the
// dragomand that lies beside this program.
type Options struct {
	Scope      Scope
	Executable string // absolute path of dragomand; "" is the one beside this program

	// Folders of the user whom the service serves. On Windows its command line
	// names them, because it runs as another; on Linux Uninstall removes the
	// socket that a killed daemon left in Runtime.
	Folders Folders

	// LogFile is the daemon's where the manager keeps no log, for Logs.
	LogFile string

	// Owner is the security identifier of that user on Windows; "" is the one of
	// this process.
	Owner string

	// ServeSCM tells the service to answer the service control manager even
	// where Windows does not say that it runs under one, which is so in Wine.
	ServeSCM bool
}

// Folders are absolute places; "" is one that does not matter.
type Folders struct{ Config, State, Data, Cache, Runtime string }

func (f Folders) args() []string {
	var args []string
	for _, p := range []struct{ flag, path string }{
		{"--config", f.Config}, {"--state", f.State}, {"--data", f.Data}, {"--cache", f.Cache},
	} {
		if p.path != "" {
			args = append(args, p.flag, p.path)
		}
	}
	return args
}

// ErrNotInstalled is the error of controlling a service that is not there.
var ErrNotInstalled = errors.New("the dragoman service is not installed: run `dragoman service install`")

// ErrNoManager is the error of a machine, or a user's session, without a service
// manager that dragoman can use.
var ErrNoManager = errors.New("there is no service manager that dragoman can use: " + withoutManager)

// withoutManager is the way out then.
const withoutManager = "run `dragomand` in the foreground, or let your desktop's autostart or the machine's own init start that"

func (s Scope) notInstalled() error {
	if f := s.flag(); f != "" {
		return scopedError{ErrNotInstalled, fmt.Sprintf("the dragoman %s service is not installed: run `dragoman service install%s`", s, f)}
	}
	return ErrNotInstalled
}

// scopedError says the same as its cause in words that fit the scope or machine.
type scopedError struct {
	cause error
	text  string
}

func (e scopedError) Error() string { return e.text }
func (e scopedError) Unwrap() error { return e.cause }

// Installed is what Install did.
type Installed struct {
	Unit       string // file or registry key of the service
	Executable string // what it runs
	Packaged   bool   // a package has brought the unit, which was not written
	Replaced   bool   // an earlier installation
	Restarted  bool   // it was running, and runs the new one now
	// Lingering says that a user's service starts with the machine; otherwise
	// it starts when the user logs in.
	Lingering bool
	Warnings  []string // what the user should know and may change
}

// Removed is what Uninstall did.
type Removed struct {
	Gone []string // files, folders and accounts
	Kept []string // what a purge would remove
}

// State is what the service manager says about a service.
type State string

// The states.
const (
	NotInstalled State = "not installed"
	Stopped      State = "stopped"
	Starting     State = "starting"
	Running      State = "running"
	Reloading    State = "reloading"
	Stopping     State = "stopping"
	Restarting   State = "restarting" // it ended by itself and will be started again
	Failed       State = "failed"     // it ended by itself and stays so
)

// Status is a service as its manager sees it.
type Status struct {
	State      State
	Unit       string    // file or registry key
	Enabled    bool      // starts by itself
	PID        int       // 0 unless there is a process
	Since      time.Time // of Running; zero if unknown
	Text       string    // what the daemon told the manager last
	Restarts   int       // made good by the manager since the last start
	Reason     string    // of Failed and Restarting, in the manager's words
	Outdated   bool      // the unit's file was changed since the manager read it
	DropIns    []string  // files that change the unit
	Lingering  bool
	Executable string
}

// findDaemon returns the absolute path of dragomand.
func findDaemon(asked string) (string, error) {
	path := asked
	if path == "" {
		self, err := os.Executable()
		if err != nil {
			return "", fmt.Errorf("find the folder of this program: %w", err)
		}
		path = filepath.Join(filepath.Dir(self), daemonFile)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", path, err)
	}
	switch info, err := os.Stat(path); {
	case errors.Is(err, os.ErrNotExist):
		return "", fmt.Errorf("%s is missing: the service needs it beside dragoman, put both into the same folder", path)
	case err != nil:
		return "", fmt.Errorf("look for the daemon: %w", err)
	case info.IsDir() || runtime.GOOS != "windows" && info.Mode()&0o111 == 0:
		return "", fmt.Errorf("%s is not a program: put the dragomand of this version beside dragoman", path)
	}
	return path, nil
}

// bounded calls f, which cannot be cancelled, and leaves it behind when ctx or
// the patience with the service manager ends.
func bounded(ctx context.Context, what string, f func() error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return fmt.Errorf("%s: the service manager did not answer within %s", what, english.Duration(patience))
		}
		return ctx.Err()
	}
}
