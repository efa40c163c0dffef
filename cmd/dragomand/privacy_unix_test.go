//go:build unix

package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

// nothing checks all places that must never hold texts.
func (w *watched) nothing() {
	t := w.home.t
	t.Helper()
	require.Contains(t, w.read("state/log/dragomand.log"), "latin.txt", "something is logged")
	for _, dir := range []string{w.path("state/log"), w.path("tmp"), w.env["DRAGOMAN_RUNTIME"], shared.cache} {
		require.Empty(t, w.below(t, dir), dir)
	}
	require.Empty(t, w.in([]byte(w.stdout.String()+w.stderr.String())))
}

// stopInTheMiddle stops while a text is translated.
func (w *watched) stopInTheMiddle() {
	t := w.home.t
	failed := make(chan error, 1)
	go func() {
		_, err := w.client().Translate(t.Context(), api.TranslateRequest{Texts: []string{text(w.of("stopped"), endless)}, From: "en", To: "de", Private: true})
		failed <- err
	}()
	w.catch(func(now api.Snapshot) bool { return now.Queue.Running > 0 })
	w.stop()
	err := <-failed
	require.Error(t, err)
	require.Empty(t, w.in([]byte(err.Error())))
}

func TestNoTextIsKeptUnlessWanted(t *testing.T) {
	t.Parallel()
	w := watch(t, "history.enabled = false\nmemory.enabled = false\n")
	w.all()
	w.ofProcess(t, w.process)
	w.nothing()
	require.FileExists(t, w.path("state/state.db-wal"), "the log of the database is looked at too")
	require.Empty(t, w.below(t, w.path("state")))
	w.stopInTheMiddle()
	w.nothing()
	require.Empty(t, w.below(t, w.path("state")))
	found := w.below(t, w.dir)
	for _, name := range []string{"good.txt", "latin.txt", "nul.txt", "large.txt", "other.bin", "translated/good.de.txt"} {
		delete(found, w.path("inbox/"+name))
	}
	require.Empty(t, found)
}

// The memory keeps translations, which hold the words that the model keeps, but
// nothing of private texts nor of those that were not translated.
func TestOnlyTranslationsAreRemembered(t *testing.T) {
	t.Parallel()
	w := watch(t, "history.enabled = false\n")
	kept := w.all()
	w.nothing()
	w.stopInTheMiddle()
	w.nothing()
	found := map[string]bool{}
	for _, ways := range w.below(t, w.path("state")) {
		for _, way := range ways {
			require.Contains(t, kept, way)
			found[way] = true
		}
	}
	require.NotEmpty(t, found, "the search finds what is there")
	w.process = w.launch().answering()
	require.Contains(t, w.succeeds("history", "erase", "--yes"), "0 texts")
	require.Empty(t, w.below(t, w.path("state")))
	w.stop()
	require.Empty(t, w.below(t, w.path("state")))
}

func TestErasedHistoryIsGone(t *testing.T) {
	t.Parallel()
	w := watch(t, "")
	kept := w.all()
	w.nothing()
	require.Contains(t, w.succeeds("history", w.of("a text")), w.of("a text"))
	found := map[string]bool{}
	for _, ways := range w.below(t, w.path("state")) {
		for _, way := range ways {
			require.Contains(t, kept, way)
			found[way] = true
		}
	}
	for _, way := range kept {
		require.True(t, found[way] || way == "a file", way)
	}
	// What a killed daemon left in the database's log is erased too.
	w.kill()
	w.process = w.launch().answering()
	for range 3 {
		require.Zero(t, w.runWith(text(w.of("after the kill"), 0), "translate", "--to", "de", "-").code)
	}
	w.succeeds("history", "erase", "--yes")
	require.Empty(t, w.below(t, w.path("state")))
	require.Empty(t, w.succeeds("history"))
	w.stop()
	require.Empty(t, w.below(t, w.path("state")))
	w.nothing()
}

// Erasing waits for texts whose translation was answered and is still being
// written.
func TestErasedAtOnce(t *testing.T) {
	t.Parallel()
	w := watch(t, "")
	for i := range 10 {
		way := fmt.Sprint("text ", i)
		_, err := w.client().Translate(t.Context(), api.TranslateRequest{Texts: []string{text(w.of(way), 0)}, From: "en", To: "de"})
		require.NoError(t, err)
		_, err = w.client().EraseHistory(t.Context(), time.Time{})
		require.NoError(t, err)
		require.Empty(t, w.below(t, w.path("state")))
	}
	w.stop()
	require.Empty(t, w.below(t, w.path("state")))
}
