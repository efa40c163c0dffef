package drop

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

// replaceByLink puts a link in the place of a path, with what was there gone.
func replaceByLink(t *testing.T, target, path string) {
	t.Helper()
	if err := os.RemoveAll(path); runtime.GOOS == "windows" && err != nil {
		t.Skip("Windows keeps a folder that is in use:", err)
	} else {
		require.NoError(t, err)
	}
	if err := makeLink(target, path); err != nil {
		t.Skip("this user may not make links:", err)
	}
}

// lookedThrough has folders look at all they have, and lets another folder do
// some work meanwhile: more would have come out of them by then.
func (b *bench) lookedThrough(other int64, folders ...int64) {
	b.t.Helper()
	for i := range 5 {
		for _, id := range folders {
			require.NoError(b.t, b.m.Rescan(b.t.Context(), id))
		}
		b.write(fmt.Sprintf("other/%d.txt", i), "a clock")
		b.settled(other, i+1)
	}
}

// Two folders whose outputs lead into each other's inputs since they were added
// would feed each other for ever.
func TestFoldersThatFeedEachOtherByLinksMadeLater(t *testing.T) {
	b := newBench(t, quick).start()
	a, c := settings(b.path("a"), "es"), settings(b.path("c"), "fr")
	require.NoError(t, os.MkdirAll(b.path("other"), 0o755))
	b.write("a/one.txt", "one two")
	b.write("c/two.txt", "three four")
	idA, idC, other := b.add(a), b.add(c), b.add(settings(b.path("other"), "es"))
	b.settled(idA, 1)
	b.settled(idC, 1)
	replaceByLink(t, b.path("c"), b.path("a/translated"))
	replaceByLink(t, b.path("a"), b.path("c/translated"))
	b.write("a/new.txt", "five six")
	b.write("c/news.txt", "seven eight")
	for _, id := range []int64{idA, idC} {
		b.wait("the failure", func() bool { return b.status(id).State == api.FolderFailed })
		require.Contains(t, b.status(id).Message, "remove the link")
	}
	inputs := func(dir string) []string { return keys(files(t, b.path(dir))) }
	b.lookedThrough(other, idA, idC)
	require.Equal(t, []string{"new.txt", "one.txt"}, inputs("a"))
	require.Equal(t, []string{"news.txt", "two.txt"}, inputs("c"))

	// After a restart the second is refused, by the same rule.
	b.end()
	b.openStore()
	b.start()
	require.NoError(t, b.m.Add(idA, a))
	require.ErrorIs(t, b.m.Add(idC, c), api.ErrConflict)
}

// A folder of outputs is replaced by a link to where inputs are.
func TestOutputsThatLeadIntoTheirOwnFolder(t *testing.T) {
	for name, c := range map[string]struct {
		target, path string
		after        []string // after a restart
	}{
		"the root":     {"in", "in/translated", nil},
		"a sub-folder": {"in/x", "in/translated", []string{"x/sub/a.es.txt", "x/sub/new.es.txt"}}, // which is no place of inputs any more
		"further down": {"in/x", "in/translated/sub", nil},
		"up again":     {"in", "in/translated/sub", nil},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, quick).start()
			b.write("in/sub/a.txt", "one two")
			b.write("in/x/b.txt", "three four")
			s := settings(b.path("in"), "es")
			id := b.add(s)
			b.settled(id, 2)
			replaceByLink(t, b.path(c.target), b.path(c.path))
			b.write("in/sub/new.txt", "five six")
			b.wait("the failure", func() bool {
				st := b.status(id)
				return st.State == api.FolderFailed || st.Failed > 0
			})
			require.Contains(t, b.firstTold(), "remove the link")
			want := []string{"sub/a.txt", "sub/new.txt", "x/b.txt"}
			require.Equal(t, want, outside(files(t, b.path("in")), "translated/"))
			b.restart(id, s)
			require.NoError(t, os.MkdirAll(b.path("other"), 0o755))
			other := b.add(settings(b.path("other"), "es"))
			b.lookedThrough(other, id)
			want = slices.Sorted(slices.Values(append(want, c.after...)))
			require.Equal(t, want, outside(files(t, b.path("in")), "translated/"))
		})
	}
}

// outside are the paths that do not begin like this.
func outside(all map[string]string, begin string) []string {
	return slices.DeleteFunc(keys(all), func(key string) bool { return strings.HasPrefix(key, begin) })
}

// Outputs may go elsewhere by a link.
func TestOutputsThatLeadElsewhere(t *testing.T) {
	b := newBench(t, quick).start()
	require.NoError(t, os.MkdirAll(b.path("elsewhere"), 0o755))
	require.NoError(t, os.MkdirAll(b.path("in/names"), 0o755))
	replaceByLink(t, b.path("elsewhere"), b.path("in/translated"))
	b.write("in/a.txt", "one two")
	s := settings(b.path("in"), "es")
	id := b.add(s)
	b.settled(id, 1)
	require.Equal(t, map[string]string{"a.es.txt": "es: two one"}, files(t, b.path("elsewhere")))

	// Another name within the folder, if that was so from the start.
	require.NoError(t, b.m.Remove(id))
	replaceByLink(t, b.path("in/names"), b.path("in/translated"))
	require.NoError(t, b.m.Add(id, s))
	b.wait("the output", func() bool { return exists(filepath.Join(b.path("in/names"), "a.es.txt")) })
	b.settled(id, 1)
	require.Equal(t, map[string]string{"a.es.txt": "es: two one"}, files(t, b.path("in/names")))
}

// A path that was missing when it was added becomes a second way to a folder.
func TestSecondWayToAFolder(t *testing.T) {
	b := newBench(t, quick).start()
	require.NoError(t, os.MkdirAll(b.path("in"), 0o755))
	first := b.add(settings(b.path("in"), "es"))
	second := b.add(settings(b.path("later"), "fr"))
	b.wait("the second", func() bool { return b.status(second).State == api.FolderMissing })
	replaceByLink(t, b.path("in"), b.path("later"))
	b.write("in/a.txt", "one two")
	b.settled(first, 1)
	b.wait("the failure", func() bool { return b.status(second).State == api.FolderFailed })
	require.Contains(t, b.status(second).Message, "remove one of them")
	require.Equal(t, []string{"a.txt", "translated/a.es.txt"}, keys(files(t, b.path("in"))))
}
