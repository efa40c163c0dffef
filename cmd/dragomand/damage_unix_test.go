//go:build unix

package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

// files drops n files of one sentence each, with names of their own.
func (h *home) files(name string, n int) {
	h.t.Helper()
	for i := range n {
		h.write(fmt.Sprintf("inbox/%s%d.txt", name, i), fmt.Sprintf("The house number %d is big.\n", i%5))
	}
}

// done waits until a folder has that many translations.
func (h *home) done(n int) api.Snapshot {
	h.t.Helper()
	return h.until(func(now api.Snapshot) bool {
		return len(now.Folders) == 1 && now.Folders[0].Status.Done == int64(n) && now.Folders[0].Status.Waiting == 0
	})
}

// outputs are the names of the translations.
func (h *home) outputs() (names []string) {
	h.t.Helper()
	for _, name := range tree(h.t, h.path("inbox/translated")) {
		if name != ".dragoman.de.lock" {
			names = append(names, name)
		}
	}
	return names
}

// Of a database that is damaged in one place folders and names of outputs are
// kept.
func TestDatabaseIsDamaged(t *testing.T) {
	t.Parallel()
	h := newHome(t, "")
	p := h.launch().warm()
	h.succeeds("folders", "add", "--from", "en", "--to", "de", "inbox")
	h.files("a", 5)
	h.done(5)
	p.stop()

	whole, err := os.ReadFile(h.path("state/state.db"))
	require.NoError(t, err)
	damaged := append([]byte{}, whole...)
	copy(damaged[4096*(len(damaged)/4096-1):], strings.Repeat("garbage ", 512))
	require.NoError(t, os.WriteFile(h.path("state/state.db"), damaged, 0o600))
	require.NoError(t, os.WriteFile(h.path("state/state.db.damaged"), nil, 0o600)) // as it was noticed while in use
	p = h.launch().answering()
	now := h.done(5)
	require.Len(t, now.Notices, 1)
	require.Contains(t, now.Notices[0].Message, "1 folder and the names of 5 files were saved")
	require.Len(t, h.outputs(), 5, "none is translated twice under another name")
	p.stop()
}
