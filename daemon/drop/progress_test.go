package drop

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

// What is translated can be seen while it is, with how far it is, and what only
// waits cannot.
func TestFilesInWorkAreSeen(t *testing.T) {
	b := newBench(t, quick)
	gate := newHeld()
	var mu sync.Mutex
	now := Progress{}
	b.translator.before = func(ctx context.Context, r Request) error {
		defer r.Follow(func() Progress { mu.Lock(); defer mu.Unlock(); return now })()
		return gate.wait(ctx, r)
	}
	set := func(p Progress) { mu.Lock(); defer mu.Unlock(); now = p }
	b.start()
	b.write("in/s/a.txt", "one two")
	id := b.add(settings(b.path("in"), "es"))
	gate.entered(t)
	require.Empty(t, b.m.Running(), "it waits for its turn")
	require.Nil(t, b.status(id).Current)

	set(Progress{Running: true, Done: 3, Total: 7})
	row, err := b.store.File(t.Context(), id, "s/a.txt", "es")
	require.NoError(t, err)
	require.Equal(t, []Work{{ID: row.ID, Folder: id, Path: "s/a.txt", Lang: "es", Done: 3, Total: 7}}, b.m.Running())
	require.Equal(t, &api.FolderWork{Job: row.ID, Path: "s/a.txt", To: "es", Done: 3, Total: 7}, b.status(id).Current)

	gate.open()
	b.settled(id, 1)
	require.Empty(t, b.m.Running())
	require.Nil(t, b.status(id).Current)
}
