//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// marks are words that stand for texts of users, each by the way that it took.
// The model leaves them as they are.
type marks struct {
	mu    sync.Mutex
	words map[string]string // way to word
}

const markPrefix = "XQZV"

// of makes the mark of a way into dragoman.
func (m *marks) of(way string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.words == nil {
		m.words = map[string]string{}
	}
	if m.words[way] == "" {
		m.words[way] = fmt.Sprintf("%s%07d", markPrefix, rand.IntN(10_000_000))
	}
	return m.words[way]
}

// in names the ways whose marks are somewhere in data, in UTF-8 or UTF-16 and
// in any case.
func (m *marks) in(data []byte) (ways []string) {
	upper := make([]byte, 0, len(data)) // without the zeroes UTF-16 is like UTF-8
	for _, b := range data {
		switch {
		case b == 0:
		case 'a' <= b && b <= 'z':
			upper = append(upper, b-'a'+'A')
		default:
			upper = append(upper, b)
		}
	}
	if !bytes.Contains(upper, []byte(markPrefix)) {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for way, word := range m.words {
		if bytes.Contains(upper, []byte(word)) {
			ways = append(ways, way)
		}
	}
	return ways
}

// below names the ways whose marks are in files below a folder, by file.
func (m *marks) below(t *testing.T, dir string) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if ways := m.in(data); len(ways) > 0 {
			found[path] = ways
		}
		return nil
	}))
	return found
}

// ofProcess is what everybody on the machine, or the same user, can see of a
// process.
func (m *marks) ofProcess(t *testing.T, p *process) {
	t.Helper()
	if _, err := os.Stat("/proc/self/cmdline"); err != nil {
		t.Log("this system shows no processes as files")
		return
	}
	for _, file := range []string{"cmdline", "environ", "status"} {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", p.cmd.Process.Pid, file))
		require.NoError(t, err)
		require.NotEmpty(t, data, "%s: the process has ended too early", file)
		require.Empty(t, m.in(data), file)
	}
}
