//go:build unix

package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

// Fifty people ask at once while files are translated.
func TestManyCommandsBesideABatch(t *testing.T) {
	const people, files = 50, 200
	h := newHome(t, "memory.enabled = false\n")
	var want [people]string
	for i := range people {
		want[i] = undisturbed(t, "de", fmt.Sprintf("The dog number %d is small.", i))
	}
	p := h.launch().warm()
	h.succeeds("folders", "add", "--from", "en", "--to", "de", "inbox")
	for i := range files {
		h.write(fmt.Sprintf("inbox/%d.txt", i), strings.Repeat("The house is big.\n", 1+i%10))
	}
	before := h.catch(func(now api.Snapshot) bool { return now.Totals.Files > 0 && now.Queue.Running > 0 })
	require.Less(t, before.Totals.Files, int64(files/2))

	var all [people]*process
	var took [people]time.Duration
	var group sync.WaitGroup
	for i := range all {
		all[i] = h.prepare(shared.command, "translate", "--from", "en", "--to", "de", fmt.Sprintf("The dog number %d is small.", i))
	}
	for i, q := range all {
		begun := time.Now()
		q.start()
		group.Go(func() {
			<-q.ended
			took[i] = time.Since(begun)
		})
	}
	group.Wait()
	after, err := h.client().Status(t.Context())
	require.NoError(t, err)
	for i, q := range all {
		require.Zero(t, q.code, "%s", &q.stderr)
		require.Equal(t, want[i]+"\n", q.stdout.String())
	}
	require.Less(t, after.Totals.Files, int64(files), "the batch has waited for them")
	slices.Sort(took[:])
	t.Logf("of %d commands at once the median took %v, 95 of 100 at most %v; %d files were done meanwhile", people,
		took[people/2].Round(time.Millisecond), took[people*95/100].Round(time.Millisecond), after.Totals.Files-before.Totals.Files)
	p.stop()
}
