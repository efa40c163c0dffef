package store

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

var scope = Scope{Model: "m2m100-418M 0123", Recipe: "greedy 1", From: "en", To: "es"}

func recall(t testing.TB, s *Store, scope Scope, source string) (string, bool) {
	t.Helper()
	target, ok, err := s.Recall(t.Context(), scope, source)
	require.NoError(t, err)
	return target, ok
}

func remember(t testing.TB, s *Store, source, target string) {
	t.Helper()
	require.NoError(t, s.Remember(t.Context(), scope, []Pair{{source, target}}))
}

func TestRecall(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	s := openAt(t, path)
	_, ok := recall(t, s, scope, "Hello")
	require.False(t, ok)
	remember(t, s, "Hello", "Hola\x00\xff")
	remember(t, s, "", "")
	check := func() {
		t.Helper()
		target, ok := recall(t, s, scope, "Hello")
		require.True(t, ok)
		require.Equal(t, "Hola\x00\xff", target)
		target, ok = recall(t, s, scope, "")
		require.True(t, ok)
		require.Empty(t, target)
		for _, other := range []Scope{
			{Model: "other", Recipe: scope.Recipe, From: "en", To: "es"}, {Model: scope.Model, Recipe: "other", From: "en", To: "es"},
			{Model: scope.Model, Recipe: scope.Recipe, From: "de", To: "es"}, {Model: scope.Model, Recipe: scope.Recipe, From: "en", To: "de"},
			{Model: scope.Model + scope.Recipe, From: "en", To: "es"},
		} {
			_, ok := recall(t, s, other, "Hello")
			require.False(t, ok)
		}
	}
	check() // from what waits
	require.NoError(t, s.FlushMemory(t.Context()))
	require.Empty(t, s.memory.waiting)
	check() // from the file
	remember(t, s, "late", "tarde")
	require.NoError(t, s.Close()) // writes it
	require.ErrorIs(t, s.Remember(t.Context(), scope, []Pair{{"a", "b"}}), ErrClosed)

	s = openAt(t, path)
	check()
	_, ok = recall(t, s, scope, "late")
	require.True(t, ok)
	remember(t, s, "late", "más tarde")
	require.NoError(t, s.FlushMemory(t.Context()))
	target, _ := recall(t, s, scope, "late")
	require.Equal(t, "más tarde", target, "the last one counts")
}

func TestMemoryIsWrittenByItself(t *testing.T) {
	written := func(s *Store) (n int) {
		require.NoError(t, s.readers.QueryRow("SELECT count(*) FROM memory").Scan(&n))
		return n
	}
	t.Run("after some seconds", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "state.db")
			s, err := Open(t.Context(), path, quiet)
			require.NoError(t, err)
			remember(t, s, "a", "b")
			remember(t, s, "c", "d")
			require.Zero(t, written(s))
			time.Sleep(flushDelay)
			synctest.Wait()
			require.NoError(t, s.FlushMemory(t.Context())) // after the one of the timer
			require.Equal(t, 2, written(s))
			require.NoError(t, s.Close())
		})
	})
	t.Run("when many wait", func(t *testing.T) {
		s := openNew(t)
		for i := range flushRows {
			remember(t, s, fmt.Sprint(i), "b")
		}
		for {
			s.memory.mu.Lock()
			waiting := len(s.memory.waiting) + len(s.memory.writing)
			s.memory.mu.Unlock()
			if waiting == 0 {
				break
			}
		}
		require.Equal(t, flushRows, written(s))
	})
}

func TestMemoryWaitsWhereItCannotBeWritten(t *testing.T) {
	s := openNew(t)
	db := raw(t, s.path)
	run(t, db, "BEGIN IMMEDIATE")
	remember(t, s, "a", "b")
	require.ErrorIs(t, s.FlushMemory(t.Context()), ErrBusy)
	_, ok := recall(t, s, scope, "a")
	require.True(t, ok)
	var many []Pair
	for i := range 2 * maxWaiting {
		many = append(many, Pair{fmt.Sprint(i), "x"})
	}
	require.NoError(t, s.Remember(t.Context(), scope, many))
	require.Len(t, s.memory.waiting, maxWaiting, "and does not grow without end")
	run(t, db, "ROLLBACK")
	require.NoError(t, s.FlushMemory(t.Context()))
	require.Empty(t, s.memory.waiting)
	_, ok = recall(t, s, scope, "a")
	require.True(t, ok)
}

func TestMemoryForgetsWhatIsNotUsed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	s := openAt(t, path)
	const bound = 1 << 20
	require.NoError(t, s.BoundMemory(t.Context(), bound))
	remember(t, s, "often used", "x")
	target := strings.Repeat("word ", 40)
	const rounds, round = 40, 256
	for i := range rounds {
		for j := range round {
			remember(t, s, fmt.Sprint(i, " ", j), target)
		}
		_, ok := recall(t, s, scope, "often used")
		require.True(t, ok, i)
		require.NoError(t, s.FlushMemory(t.Context()))
		if i == rounds/2 { // all that counts is in the file
			require.NoError(t, s.Close())
			s = openAt(t, path)
			require.NoError(t, s.BoundMemory(t.Context(), bound))
		}
	}
	var sum int64
	require.NoError(t, s.readers.QueryRow("SELECT sum(octet_length(target) + ?) FROM memory", entryBytes).Scan(&sum))
	require.LessOrEqual(t, sum, int64(bound))
	require.Greater(t, sum, int64(bound*3/4))
	_, ok := recall(t, s, scope, fmt.Sprint(rounds-1, " ", 7))
	require.True(t, ok, "the newest are there")
	_, ok = recall(t, s, scope, "0 7")
	require.False(t, ok, "the oldest are not")

	// A smaller bound than what one generation holds.
	require.NoError(t, s.BoundMemory(t.Context(), 20_000))
	require.LessOrEqual(t, s.memory.bytes, int64(20_000))
	require.Positive(t, s.memory.bytes)
}

func TestEraseMemory(t *testing.T) {
	s := openNew(t)
	for i := range 1000 {
		remember(t, s, fmt.Sprint(mark, i), fmt.Sprint(mark, i))
	}
	require.NoError(t, s.FlushMemory(t.Context()))
	require.NotZero(t, traces(t, s))
	remember(t, s, "waits", "x")
	require.NoError(t, s.EraseMemory(t.Context()))
	require.Zero(t, traces(t, s))
	for _, source := range []string{"waits", mark + "1"} {
		_, ok := recall(t, s, scope, source)
		require.False(t, ok)
	}
	require.Less(t, size(s.path), int64(200_000), "the space is given back")
}

// What erases waits for who mends, and who mends for the lock of the memory.
func TestErasingTheMemoryWhileTheDatabaseIsMended(t *testing.T) {
	s := openNew(t)
	damaged := s.path + asideInfix + "2024"
	require.NoError(t, os.WriteFile(damaged, nil, 0o600))
	s.mending.Lock()
	erased := make(chan error)
	go func() { erased <- s.EraseMemory(t.Context()) }()
	require.Eventually(t, func() bool { return !exists(damaged) }, 10*time.Second, time.Millisecond, "it is at the files beside")
	require.Eventually(t, s.memory.flushing.TryLock, 10*time.Second, time.Millisecond)
	s.memory.flushing.Unlock()
	s.mending.Unlock()
	require.NoError(t, <-erased)
}

func TestSourcesAreNotKept(t *testing.T) {
	s := openNew(t)
	remember(t, s, mark, "translation-"+scope.To)
	require.NoError(t, s.Close())
	content, err := os.ReadFile(s.path)
	require.NoError(t, err)
	require.False(t, bytes.Contains(content, []byte(mark)))
	require.True(t, bytes.Contains(content, []byte("translation-es")))
}
