package drop

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/watch/ledger"
)

func keys(m map[string]string) []string   { return slices.Sorted(maps.Keys(m)) }
func values(m map[string]string) []string { return slices.Sorted(maps.Values(m)) }

// failing fails for texts that say so.
func failing(_ context.Context, r Request) error {
	if strings.Contains(r.Text, "fail") {
		return errors.New("the model does not like it")
	}
	return nil
}

// held keeps translations waiting until it is opened.
type held struct {
	in   chan struct{}
	free chan struct{}
}

func newHeld() *held { return &held{in: make(chan struct{}, 1000), free: make(chan struct{})} }

func (h *held) wait(ctx context.Context, _ Request) error {
	h.in <- struct{}{}
	select {
	case <-h.free:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// entered waits until a translation waits.
func (h *held) entered(t *testing.T) {
	t.Helper()
	select {
	case <-h.in:
	case <-time.After(30 * time.Second):
		require.Fail(t, "nothing is translated")
	}
}

func (h *held) open() { close(h.free) }

func takeLock(t *testing.T, dir, lang string) *ledger.Lock {
	t.Helper()
	lock, err := ledger.TakeLock(dir, lang)
	require.NoError(t, err)
	return lock
}

// noLedger is for tests in which nothing runs.
type noLedger struct{ Ledger }
