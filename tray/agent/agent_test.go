package agent

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/tray"
	"dragoman/watch/clip"
)

// newAgent returns one that has settings and is not run.
func newAgent(t *testing.T, settings string) *Agent {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	require.NoError(t, os.WriteFile(path, []byte(settings), 0o600))
	return New(Options{SettingsFile: path, MemoryFile: filepath.Join(t.TempDir(), "state", "tray.json"), Languages: []string{"en-GB"}})
}

// mode is that of the judge.
func (a *Agent) mode() clip.Mode { return policy(a.applied.Clipboard).Mode }

func TestSettingsFollowTheFile(t *testing.T) {
	a := newAgent(t, "[clipboard]\nwatch = 'every'\nmax_kb = 3\n[tray]\nnotifications = false\n")
	require.Equal(t, clip.EveryCopy, a.mode())
	clipboard := a.ClipOptions()
	require.Equal(t, 3000, clipboard.Current().MaxBytes)
	before := a.applied
	a.refresh(t.Context())
	require.Same(t, before, a.applied, "nothing has changed")

	write := func(text string) {
		require.NoError(t, os.WriteFile(a.opts.SettingsFile, []byte(text), 0o600))
		// A file system may keep times too coarsely for two writes in a row.
		require.NoError(t, os.Chtimes(a.opts.SettingsFile, time.Time{}, time.Now().Add(time.Duration(len(text))*time.Second)))
	}
	write("[clipboard]\nwatch = 'sometimes'\n")
	a.refresh(t.Context())
	require.ErrorContains(t, a.settings.problem, "sometimes")
	require.Equal(t, clip.EveryCopy, a.mode(), "a wrong file changes nothing")
	require.False(t, clipboard.Current().Off)
	write("[clipboard]\nwatch = 'off'\n[tray]\nlanguage = 'de'\n")
	require.True(t, clipboard.Current().Off, "at once, before the agent knows")
	a.refresh(t.Context())
	require.Equal(t, clip.Never, a.mode())
	require.Equal(t, "de", a.texts.Language().String())
}

func TestClicksChangeTheSettingsFile(t *testing.T) {
	a := newAgent(t, "# mine\n[clipboard]\nwatch = 'every'\n")
	click := func(action tray.Action, arg string) {
		a.clicked(t.Context(), tray.Click{ID: tray.ID{Action: action, Arg: arg}})
	}
	click(tray.SetClipMode, string(tray.ClipDouble))
	click(tray.SetTarget, "fr")
	click(tray.SetTarget, "es")
	click(tray.SetTwoWay, "")
	click(tray.Notifications, "")
	click(tray.BatteryPause, "")
	s := a.settings.now()
	require.Equal(t, "double", s.Clipboard.Watch)
	require.Equal(t, "es", s.Clipboard.To)
	require.True(t, s.Clipboard.TwoWay)
	require.Equal(t, "fr", s.Clipboard.Other, "chosen before")
	require.False(t, s.Tray.Notifications)
	require.True(t, s.Tray.BatteryPause)
	text, err := os.ReadFile(a.opts.SettingsFile)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(text), "# mine\n"), string(text))

	state := a.state()
	require.Equal(t, tray.ClipDouble, state.Clipboard.Mode)
	require.Equal(t, tray.TwoWay{First: "es", Second: "fr", On: true}, state.Target.TwoWay)
	require.Equal(t, []string{"es", "fr"}, openMemory(a.opts.MemoryFile).Recent, "kept for the next start")
}

func TestAMemoryThatCannotBeReadIsAnEmptyOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tray.json")
	require.NoError(t, os.WriteFile(path, []byte(`{"recent":[1`), 0o600))
	m := openMemory(path)
	require.Empty(t, m.Recent)
	for _, code := range []string{"a", "b", "a", "c", "d", "e", "f", "g", "h", "i"} {
		require.NoError(t, m.change(func(k *kept) { k.chose(code) }))
	}
	require.Equal(t, []string{"i", "h", "g", "f", "e", "d", "c", "a"}, openMemory(path).Recent)
}

func TestTwoSessionsShareTheMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "tray.json")
	const each = 4
	var sessions sync.WaitGroup
	for session := range 2 {
		sessions.Go(func() {
			m := openMemory(path)
			for i := range each {
				assert.NoError(t, m.change(func(k *kept) { k.chose(string(rune('a' + each*session + i))) }))
			}
		})
	}
	sessions.Wait()
	m := openMemory(path)
	require.ElementsMatch(t, strings.Split("abcdefgh", ""), m.Recent, "none was lost")
	other := openMemory(path)
	require.NoError(t, m.change(func(k *kept) { k.BatteryPaused = true }))
	require.False(t, other.BatteryPaused)
	other.refresh()
	require.True(t, other.BatteryPaused)

	lock := flock.New(path + ".lock")
	require.NoError(t, lock.Lock())
	require.ErrorContains(t, other.change(func(k *kept) { k.NoHostTold = true }), "lock it")
	require.NoError(t, lock.Unlock())
	m.refresh()
	require.False(t, m.NoHostTold, "another session writes")
	require.NoError(t, os.Remove(path))
	require.NoError(t, m.change(func(k *kept) { k.NoHostTold = true }))
	require.True(t, openMemory(path).BatteryPaused, "it is known all the same")
}

func TestAMemoryThatCannotBeWrittenServesThisProcess(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	m := openMemory(filepath.Join(file, "tray.json"))
	for _, code := range []string{"es", "fr"} {
		require.Error(t, m.change(func(k *kept) { k.chose(code) }))
		m.refresh()
	}
	require.Equal(t, []string{"fr", "es"}, m.Recent)
}

func TestResultsAreKeptOnceAndBounded(t *testing.T) {
	a := newAgent(t, "")
	for range 2 {
		for i := range maxResults + 5 {
			a.keep(result{key: string(rune('a' + i)), translation: "t"})
		}
	}
	require.Len(t, a.results, maxResults)
	a.keep(result{key: "t", translation: "corrected"})
	require.Len(t, a.results, maxResults)
	require.Equal(t, "corrected", a.results[0].translation)
	r, found := a.find("t")
	require.True(t, found)
	require.Equal(t, "corrected", r.translation)
	require.Len(t, a.state().Results, tray.MaxResults)
}

func TestALongTextIsToldWhereItWasMeant(t *testing.T) {
	at := time.Now()
	long := func(after time.Duration) clip.Copy { return clip.Copy{Skip: clip.TooLong, Time: at.Add(after)} }
	double := newAgent(t, "")
	require.False(t, double.meant(long(0)), "copied once")
	require.False(t, double.meant(long(10*time.Millisecond)), "by a program")
	require.True(t, double.meant(long(400*time.Millisecond)))
	require.False(t, double.meant(long(5*time.Second)))
	require.True(t, newAgent(t, "[clipboard]\nwatch = 'every'").meant(long(0)))
	require.False(t, newAgent(t, "[clipboard]\nwatch = 'off'").meant(long(0)))
}

func TestGrowth(t *testing.T) {
	g := growth{begun: time.Now(), next: showFrom}
	text, due := g.add(api.Piece{Text: "One. ", Done: 1, Total: 3})
	require.False(t, due, "a short wait shows the end only")
	require.Empty(t, text)
	g.begun = g.begun.Add(-2 * showFrom)
	text, due = g.add(api.Piece{Text: "Two. ", Done: 2, Total: 3})
	require.True(t, due)
	require.Equal(t, "One. Two. ", text)
	_, due = g.add(api.Piece{Text: "Three.", Done: 3, Total: 3})
	require.False(t, due, "the whole comes at once")
}

func TestAFileThatIsWrongAtTheStartReadsNothing(t *testing.T) {
	a := newAgent(t, "[clipboard]\nwatch = 'every'\nto = es\n")
	require.Equal(t, clip.Never, a.mode(), "nobody knows what the person wanted")
	require.True(t, a.ClipOptions().Current().Off)
	require.ErrorContains(t, a.settings.problem, "config.toml:3")
	require.Equal(t, clip.DoubleCopy, newAgent(t, "").mode())
}
