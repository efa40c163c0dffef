// Package instance makes sure that one daemon at a time works on a state
// folder, and tells who that is.
//
// It owns dragomand.lock and dragomand.json in that folder. It must not import
// anything of ours, so that clients can ask as well.
package instance

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// The files in the state folder. The lock is the kernel's, so that it ends with
// the process that holds it, however that ends.
const (
	lockFile = "dragomand.lock"
	infoFile = "dragomand.json"
)

// Info is what a daemon says about itself.
type Info struct {
	PID        int       `json:"pid"`
	Version    string    `json:"version"`
	Started    time.Time `json:"started"`
	Executable string    `json:"executable"`
	// Restart is the command, for people, that restarts it; "" in the foreground.
	Restart string `json:"restart,omitempty"`
}

// HowToRestart says it to people.
func (i Info) HowToRestart() string {
	if i.Restart != "" {
		return i.Restart
	}
	return fmt.Sprintf("end process %d, which runs in the foreground, and start `dragomand` again", i.PID)
}

// ErrHeld is the error of a state folder that another daemon works on, with
// errors.Is; the error itself says which.
var ErrHeld = errors.New("another dragomand is running")

type heldError struct {
	info Info
	user string // who runs it, "" for this one
	dir  string
}

func (e heldError) Error() string {
	if e.info.PID == 0 {
		return fmt.Sprintf("%s on %s: stop it first", ErrHeld, e.dir)
	}
	who := fmt.Sprintf("process %d", e.info.PID)
	if e.user != "" {
		who += " of user " + e.user
	}
	how := "stop it first (`dragoman service stop`, or end that process)"
	if e.info.Restart == "" {
		how = "it was started by hand: end that process first"
	}
	return fmt.Sprintf("%s: %s since %s, %s: %s",
		ErrHeld, who, e.info.Started.Local().Format(time.DateTime), e.info.Executable, how)
}

func (e heldError) Is(target error) bool { return target == ErrHeld }

// Take makes this process the daemon of stateDir, which is made if it is
// missing, until release. The process and the time are filled in where info
// leaves them out. The error is ErrHeld if there is one already.
func Take(stateDir string, info Info) (release func(), err error) {
	if err := os.MkdirAll(stateDir, 0o700); err != nil {
		return nil, fmt.Errorf("make the state folder: %w: make it yourself, or name another with DRAGOMAN_STATE", err)
	}
	lock := flock.New(filepath.Join(stateDir, lockFile), flock.SetPermissions(0o600))
	switch taken, err := lock.TryLock(); {
	case errors.Is(err, fs.ErrPermission) && otherOwner(lock.Path()) != "":
		return nil, fmt.Errorf("lock the state folder: %w: the file belongs to %s, whose dragomand works here or did once, as after sudo: end that one, if it runs, and take the folder back (`sudo chown -R %s %s`), or name another with DRAGOMAN_STATE",
			err, otherOwner(lock.Path()), self(), stateDir)
	case err != nil:
		return nil, fmt.Errorf("lock the state folder: %w: it must be writable and on a disk of this machine; DRAGOMAN_STATE names another", err)
	case !taken:
		holder, _ := read(stateDir) // it may not have told yet
		return nil, heldError{holder, otherOwner(filepath.Join(stateDir, infoFile)), stateDir}
	}
	if info.PID == 0 {
		info.PID = os.Getpid()
	}
	if info.Started.IsZero() {
		info.Started = time.Now()
	}
	info.Started = info.Started.Truncate(time.Second)
	path := filepath.Join(stateDir, infoFile)
	if err := write(path, info); err != nil {
		return nil, errors.Join(fmt.Errorf("say who works on the state folder: %w: it must be writable and have room; DRAGOMAN_STATE names another", err), lock.Unlock())
	}
	return func() {
		_ = os.Remove(path) // who is left in it is no longer believed without the lock
		_ = lock.Unlock()   // the end of the process does the same
	}, nil
}

// Holder returns the daemon that works on stateDir, found only if there is one.
// Where it has not told who it is, the Info is empty.
func Holder(stateDir string) (info Info, found bool, err error) {
	path := filepath.Join(stateDir, lockFile)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return Info{}, false, nil // asking leaves no file behind
	}
	lock := flock.New(path, flock.SetPermissions(0o600))
	// A shared lock is refused only by a daemon, not by others who ask.
	free, err := lock.TryRLock()
	if err != nil {
		return Info{}, false, fmt.Errorf("ask for the daemon of %s: %w", stateDir, err)
	}
	if free {
		return Info{}, false, lock.Unlock()
	}
	info, err = read(stateDir)
	return info, true, err
}

func read(stateDir string) (Info, error) {
	text, err := os.ReadFile(filepath.Join(stateDir, infoFile))
	if errors.Is(err, fs.ErrNotExist) {
		return Info{}, nil
	}
	if err != nil {
		return Info{}, fmt.Errorf("read who works on the state folder: %w", err)
	}
	var info Info
	if err := json.Unmarshal(text, &info); err != nil {
		return Info{}, fmt.Errorf("read who works on the state folder: %s: %w", filepath.Join(stateDir, infoFile), err)
	}
	return info, nil
}

// write replaces the file as a whole, so that nobody reads half of it. It need
// not survive a power cut: the lock does not either.
func write(path string, info Info) error {
	text, err := json.Marshal(info)
	if err != nil {
		return err
	}
	temp := path + ".new"
	if err := os.WriteFile(temp, append(text, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(temp, path)
}
