package trust

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// Verdict is what was found out about a device with a model.
type Verdict struct {
	Key     string    `json:"key"` // of everything that it depends on
	Device  string    `json:"device"`
	Trusted bool      `json:"trusted"`
	Why     string    `json:"why,omitempty"` // not
	When    time.Time `json:"when"`
	Figures Figures   `json:"figures"`
	// Opened is how long it last took until the device was ready with graphs that
	// had to be compiled, 0 where they never had to.
	Opened time.Duration `json:"opened_ns,omitempty"`
	// Speed is what was measured of a decoder's device, nil of an encoder's.
	Speed *Speed `json:"speed,omitempty"`
	// Unclean counts the processes in a row that ended without giving the device
	// back, the last of them Since.
	Unclean int       `json:"unclean,omitempty"`
	Since   time.Time `json:"unclean_since,omitzero"`
}

// most is how many verdicts are kept, the newest.
const most = 50

// Record keeps verdicts in a file, for all processes that use the folder. Where
// it cannot be written verdicts last as long as the Record. It is safe for
// concurrent use.
type Record struct {
	dir string

	mu     sync.Mutex
	memory map[string]Verdict
	held   map[string]*flock.Flock // of devices in use, by key
}

// Names in the folder.
const (
	recordFile = "verdicts.json"
	lockFile   = "verdicts.lock"
	inUse      = "in-use-" // and a number: the key of a device in use
	lockSuffix = ".lock"   // of a file beside it that the process which uses it holds
)

// Open opens the record in dir, which is made when it is first written.
func Open(dir string) *Record {
	return &Record{dir: dir, memory: map[string]Verdict{}, held: map[string]*flock.Flock{}}
}

// Dir is the folder of the record.
func (r *Record) Dir() string { return r.dir }

// Find returns the verdict of a key.
func (r *Record) Find(key string) (Verdict, bool) {
	r.mu.Lock()
	v, ok := r.memory[key]
	r.mu.Unlock()
	if ok {
		return v, true
	}
	for _, v := range r.read() {
		if v.Key == key {
			return v, true
		}
	}
	return Verdict{}, false
}

// Last returns the newest verdict of a device, by the name that it was given.
func (r *Record) Last(device string) (last Verdict, found bool) {
	for _, v := range r.read() {
		if v.Device == device && (!found || v.When.After(last.When)) {
			last, found = v, true
		}
	}
	return last, found
}

// Put keeps a verdict instead of an older one of its key.
func (r *Record) Put(v Verdict) error {
	r.mu.Lock()
	r.memory[v.Key] = v
	r.mu.Unlock()
	return r.change(func(all []Verdict) []Verdict {
		kept := []Verdict{v}
		for _, old := range all {
			if old.Key != v.Key && len(kept) < most {
				kept = append(kept, old)
			}
		}
		return kept
	})
}

// Begin notes that this process is about to use the device of a key.
func (r *Record) Begin(key string) error {
	if err := os.MkdirAll(r.dir, 0o700); err != nil {
		return fmt.Errorf("note that a device is in use: %w", err)
	}
	f, err := os.CreateTemp(r.dir, inUse)
	if err != nil {
		return fmt.Errorf("note that a device is in use: %w", err)
	}
	lock := flock.New(f.Name() + lockSuffix)
	ok, err := lock.TryLock()
	if err == nil && ok { // before there is a key that others might count
		_, err = f.WriteString(key)
	}
	if err = errors.Join(err, f.Close()); err != nil || !ok { // no locks here: no notes
		return errors.Join(err, os.Remove(f.Name()), lock.Close())
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.held[key] = lock
	return nil
}

// End notes that the device was given back, and that what came before it has
// come to a good end.
func (r *Record) End(key string) error {
	r.mu.Lock()
	lock := r.held[key]
	delete(r.held, key)
	r.mu.Unlock()
	if lock == nil {
		return nil
	}
	// The note goes while it is locked, so that nobody takes it for an orphan.
	err := os.Remove(strings.TrimSuffix(lock.Path(), lockSuffix))
	err = errors.Join(err, lock.Close(), os.Remove(lock.Path()))
	if v, ok := r.Find(key); ok && v.Unclean > 0 {
		v.Unclean = 0
		err = errors.Join(err, r.Put(v))
	}
	return err
}

// Close ends the use of all devices.
func (r *Record) Close() (err error) {
	r.mu.Lock()
	keys := slices.Collect(maps.Keys(r.held))
	r.mu.Unlock()
	for _, key := range keys {
		err = errors.Join(err, r.End(key))
	}
	return err
}

// Settle counts the processes that ended without giving a device back. It comes
// before the first Find.
func (r *Record) Settle(now time.Time) error {
	notes, err := filepath.Glob(filepath.Join(r.dir, inUse+"*"))
	if err != nil {
		return err
	}
	ended := map[string]int{}
	for _, path := range notes {
		if strings.HasSuffix(path, lockSuffix) {
			continue
		}
		lock := flock.New(path + lockSuffix)
		if ok, err := lock.TryLock(); err != nil || !ok {
			continue // its process lives
		}
		key, err := os.ReadFile(path)
		if err == nil && len(key) > 0 && os.Remove(path) == nil {
			ended[string(key)]++
		}
		if err := errors.Join(lock.Close(), os.Remove(lock.Path())); err != nil {
			return err
		}
	}
	if len(ended) == 0 {
		return nil
	}
	return r.change(func(all []Verdict) []Verdict {
		for i, v := range all {
			if n := ended[v.Key]; n > 0 {
				all[i].Unclean += n
				all[i].Since = now
			}
		}
		return all
	})
}

// change replaces the file, one process at a time.
func (r *Record) change(with func([]Verdict) []Verdict) error {
	err := r.replace(with)
	if err != nil {
		return fmt.Errorf("keep what is known of devices in %s: %w", r.dir, err)
	}
	return nil
}

func (r *Record) replace(with func([]Verdict) []Verdict) error {
	if err := os.MkdirAll(r.dir, 0o700); err != nil {
		return err
	}
	lock := flock.New(filepath.Join(r.dir, lockFile))
	if err := lock.Lock(); err != nil {
		return err
	}
	defer lock.Close()
	text, err := json.MarshalIndent(with(r.read()), "", "\t")
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(r.dir, ".verdicts-")
	if err != nil {
		return err
	}
	_, err = temp.Write(append(text, '\n'))
	if err == nil {
		err = temp.Sync()
	}
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), filepath.Join(r.dir, recordFile))
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return nil
}

// read returns what is on record, nothing where that cannot be read: a device is
// then checked anew.
func (r *Record) read() (all []Verdict) {
	f, err := os.Open(filepath.Join(r.dir, recordFile))
	if err != nil {
		return nil
	}
	defer f.Close()
	if json.NewDecoder(io.LimitReader(f, 1<<20)).Decode(&all) != nil {
		return nil
	}
	return all
}
