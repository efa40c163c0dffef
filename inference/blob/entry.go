package blob

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// entry is a file of the store that is named like a blob.
type entry struct {
	name   string
	key    Key
	number int64
	size   int64
	used   time.Time // modification time of the file, which Get sets
}

// marker is the suffix of an empty file beside a blob that is in doubt but in use, so that Windows does not let it
// be moved. The blob counts as absent.
const marker = ".bad"

func blobName(key Key, number int64) string {
	return fmt.Sprintf("%s.%d.blob", key, number)
}

// parseName reads what blobName writes.
func parseName(name string) (key Key, number int64, ok bool) {
	hexKey, rest, _ := strings.Cut(name, ".")
	digits, isBlob := strings.CutSuffix(rest, ".blob")
	number, err := strconv.ParseInt(digits, 10, 64)
	if !isBlob || err != nil || number < 0 || len(hexKey) != 2*len(key) {
		return key, 0, false
	}
	_, err = hex.Decode(key[:], []byte(hexKey))
	return key, number, err == nil
}

// entries lists the files of the store, the least recently used first. A folder that cannot be read has none.
func (s *Store) entries() []entry {
	files, err := os.ReadDir(s.dir)
	if err != nil {
		return nil
	}
	var all []entry
	for _, f := range files {
		key, number, ok := parseName(f.Name())
		if !ok {
			continue
		}
		if info, err := f.Info(); err == nil {
			all = append(all, entry{f.Name(), key, number, info.Size(), info.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, b entry) int {
		return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.name, b.name))
	})
	return all
}

// entriesOf lists the files of one key, the newest first.
func (s *Store) entriesOf(key Key) []entry {
	all := slices.DeleteFunc(s.entries(), func(e entry) bool { return e.key != key })
	slices.SortFunc(all, func(a, b entry) int { return cmp.Compare(b.number, a.number) })
	return all
}

func totalSize(entries []entry) (n int64) {
	for _, e := range entries {
		n += e.size
	}
	return n
}

// remove deletes a file of the store unless some process has it open. Without locks on this file system it relies on
// the operating system: a mapped file that is removed stays readable on Unix and is not removed on Windows.
func (s *Store) remove(e entry) bool {
	path := s.path(e.name)
	lock := flock.New(path, flock.SetFlag(os.O_RDONLY))
	if ok, err := lock.TryLock(); err == nil && !ok {
		return false
	}
	defer lock.Close()
	if removeLocked(path, lock) != nil {
		return false
	}
	_ = os.Remove(path + marker)
	return true
}

// doubtful says whether a file was found in doubt before and could not be moved away.
func (s *Store) doubtful(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bad[name] || exists(s.path(name+marker))
}
