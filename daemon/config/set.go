package config

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"dragoman/internal/english"
)

// ErrConflict is that a file was changed by someone else in the meantime.
var ErrConflict = errors.New("the configuration file was changed meanwhile")

// Set writes one setting into the configuration file at path: its value as TOML
// writes it, or nil to take it out, which unknown keys can be too. See SetAll.
func Set(path, key string, value *string) error {
	return SetAll(path, map[string]*string{key: value})
}

// SetAll writes settings by key into the configuration file at path. All of them
// are written or none: what comes out is checked first and put in place in one
// step. Comments, order and layout of the rest stay. A file that is not there is
// begun with DefaultFile. Changes by several processes come one after the other.
//
// Mistakes that are in the file already are a *ContentError, names of no key an
// *UnknownKeyError, and keys that the policy fixes a *FixedError.
func SetAll(path string, values map[string]*string) error {
	literals := map[string]*string{}
	for name, value := range values {
		literals[name] = nil
		if value == nil {
			continue
		}
		k, known := Find(name)
		if !known {
			return &UnknownKeyError{name}
		}
		v, err := k.fromLiteral(*value)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		text := literal(v)
		literals[name] = &text
	}
	if err := refuseFixed(literals); err != nil {
		return err
	}
	return locked(path, func() error { return setAll(path, literals) })
}

func setAll(path string, literals map[string]*string) error {
	old, err := os.ReadFile(path)
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		return fmt.Errorf("read configuration: %w", err)
	}
	text := old
	if missing {
		text = DefaultFile()
	}
	before := text
	for _, name := range slices.Sorted(maps.Keys(literals)) {
		changed, err := change(text, strings.SplitN(name, ".", 2), literals[name])
		var syntax *parseError
		switch {
		case errors.As(err, &syntax):
			return Check(path, text)
		case errors.Is(err, errAbsent):
			if _, known := Find(name); !known {
				return &UnknownKeyError{name}
			}
			continue
		}
		if err != nil {
			return fmt.Errorf("change %s in %s: %w", name, path, err)
		}
		text = changed
	}
	if bytes.Equal(before, text) {
		return nil // a missing file stays missing
	}
	if err := Check(path, text); err != nil {
		return err
	}
	return write(path, text)
}

// Replace puts text in the place of a configuration file that held old (nil: was
// missing). It is ErrConflict if the file holds something else now, and a
// *ContentError if text has mistakes; the file then stays.
func Replace(path string, old, text []byte) error {
	if err := Check(path, text); err != nil {
		return err
	}
	return locked(path, func() error {
		now, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("read configuration: %w", err)
		}
		if !bytes.Equal(now, old) {
			return fmt.Errorf("%s: %w", path, ErrConflict)
		}
		return write(path, text)
	})
}

// lockWait is far longer than a change takes.
const lockWait = 10 * time.Second

// locked runs f while no other process changes the file. The lock is a file of
// its own, since the configuration file is replaced; it stays, since removing a
// lock file that another process waits for would give two of them the lock.
func locked(path string, f func() error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make the folder of the configuration: %w", err)
	}
	name := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".lock")
	lock := flock.New(name, flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	got, err := lock.TryLockContext(ctx, 10*time.Millisecond)
	if errors.Is(err, context.DeadlineExceeded) || err == nil && !got {
		return fmt.Errorf("change %s: another program has been changing it for %s (it holds %s)", path, english.Duration(lockWait), name)
	}
	if err != nil {
		return fmt.Errorf("change %s: lock %s: %w", path, name, err)
	}
	defer lock.Unlock()
	return f()
}

// write puts text in the place of the file at path in one step, through links,
// with the owner and mode of the file that was there, else for this user alone.
func write(path string, text []byte) (err error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	} else if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("write configuration: %s is a link to a file that is not there: remove the link, or make the file", path)
	}
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return fmt.Errorf("write configuration: %w", err)
	}
	defer func() {
		if err != nil {
			temp.Close()
			os.Remove(temp.Name())
			err = fmt.Errorf("write configuration: %w", err)
		}
	}()
	if old, err := os.Stat(path); err == nil {
		if err := keepOwner(temp, old); err != nil {
			return fmt.Errorf("keep the owner of %s: %w: change it as its owner", path, err)
		}
		if err := temp.Chmod(old.Mode().Perm()); err != nil {
			return err
		}
	}
	if _, err := temp.Write(text); err != nil {
		return err
	}
	if err := temp.Sync(); err != nil {
		return err
	}
	if err := temp.Close(); err != nil {
		return err
	}
	return rename(temp.Name(), path)
}
