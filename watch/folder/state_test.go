package folder

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/watch"
)

// changes makes a channel of the states a folder goes through.
func changes(o *Options, f **Folder) chan State {
	seen := make(chan State, 100)
	o.Changed = func() { seen <- (*f).State() }
	return seen
}

func TestStateSaysHowAFolderIsWatched(t *testing.T) {
	root := filepath.Join(t.TempDir(), "drop")
	o := byEvents
	o.Root, o.Poll = root, 20*time.Millisecond
	var f *Folder
	seen := changes(&o, &f)
	r := start(t, o, func(made *Folder) {
		f = made
		require.Equal(t, Starting, f.State().Mode)
	})
	state := <-seen
	require.Equal(t, Missing, state.Mode)
	require.Contains(t, state.Reason, root)
	require.ErrorIs(t, r.wantNotice(false), ErrMissing)
	require.NoError(t, os.Mkdir(root, 0o755))
	if sendsNoEvents(root) {
		t.Skip("the temporary folder is on a file system without events")
	}
	require.Equal(t, State{Mode: Watching}, <-seen)
	require.NoError(t, os.Remove(root))
	require.Equal(t, Missing, (<-seen).Mode)
}

// A user may know better than we do that events do not come.
func TestPollingByChoice(t *testing.T) {
	o := Options{Root: t.TempDir(), Quiet: 20 * time.Millisecond, Poll: 30 * time.Millisecond, NoEvents: true}
	var f *Folder
	seen := changes(&o, &f)
	r := start(t, o, func(made *Folder) {
		f = made
		f.open = func() (*notifier, error) { panic("not asked for") }
	})
	require.Equal(t, State{Polling, "looked at every 30 ms: by its settings"}, <-seen)
	r.write("a.txt", "x")
	r.want(watch.FileSettled, "a.txt")
}

func TestStateNamesTheLimit(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the limits are inotify's")
	}
	o := byEvents
	o.Root, o.Poll = t.TempDir(), time.Hour
	require.NoError(t, os.Mkdir(filepath.Join(o.Root, "deep"), 0o755))
	limited := make(chan bool, 1)
	limited <- true
	var f *Folder
	seen := changes(&o, &f)
	start(t, o, func(made *Folder) {
		f = made
		f.open = func() (*notifier, error) { return limitedNotifier(o.Root, limited), nil }
	})
	state := <-seen
	require.Equal(t, Polling, state.Mode)
	require.Contains(t, state.Reason, "sudo sysctl fs.inotify.max_user_watches=")
}

func TestPatterns(t *testing.T) {
	tests := []struct {
		include, exclude []string
		taken, left      []string
	}{
		{nil, nil, []string{"a.txt", "s/b.txt"}, nil},
		{[]string{"*.txt"}, nil, []string{"a.txt", "s/b.txt"}, []string{"a.md"}},
		{[]string{"s/*.txt"}, nil, []string{"s/b.txt"}, []string{"a.txt", "t/s/b.txt"}},
		{nil, []string{"draft*"}, []string{"a.txt"}, []string{"draft.txt", "s/draft 2.txt", "drafts/a.txt"}},
		{nil, []string{"s/old"}, []string{"old/a.txt", "s/a.txt"}, []string{"s/old/a.txt", "s/old/x/a.txt"}},
		{[]string{"[ab].txt"}, []string{"b*"}, []string{"a.txt"}, []string{"b.txt", "c.txt"}},
	}
	for _, test := range tests {
		t.Run(fmt.Sprint(test.include, test.exclude), func(t *testing.T) {
			r := Rules{Include: test.include, Exclude: test.exclude}
			require.NoError(t, r.Check())
			takes := func(rel string) bool { return r.Ignored(rel) == "" && r.Included(rel) }
			for _, rel := range test.taken {
				require.True(t, takes(rel), rel)
			}
			for _, rel := range test.left {
				require.False(t, takes(rel), rel)
			}
		})
	}
	folded := Rules{Include: []string{"*.TXT"}, FoldCase: true}
	require.True(t, folded.Included("A.txt"))
	for _, bad := range []string{"[a", "a[", `a\`, ""} {
		_, err := New(Options{Root: t.TempDir(), Exclude: []string{bad}})
		require.ErrorContains(t, err, "is not a pattern of names", bad)
		_, err = New(Options{Root: t.TempDir(), Include: []string{bad}})
		require.Error(t, err, bad)
	}
}

// Outputs beside their inputs: asked for once a state, also after a restart and
// in a scan that tells all anew.
func TestOwnFilesAmongTheInputs(t *testing.T) {
	o := byEvents
	o.Root = t.TempDir()
	asked := map[string]int{}
	o.Own = func(rel string) bool {
		asked[rel]++
		return strings.Contains(rel, ".es.")
	}
	require.NoError(t, os.WriteFile(filepath.Join(o.Root, "old.es.txt"), nil, 0o644))
	r := live(t, o, nil)
	r.write("translated/a.txt", "no folder of ours without outputs of ours")
	r.write("b.es.txt", "x")
	r.write("b.txt", "x")
	r.want(watch.FileSettled, "b.txt", "translated/a.txt")
	r.f.Rescan()
	r.want(watch.FileSettled, "first.txt", "b.txt", "translated/a.txt")
	r.write("s/"+watch.OwnPrefix+"-1-0123456789abcdef.tmp", "an output that is being written")
	r.write("s/c.txt", "x")
	r.want(watch.FileSettled, "s/c.txt")
	require.Equal(t, 2, asked["old.es.txt"], "at the start and when all is told anew")
}
