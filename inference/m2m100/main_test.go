package m2m100

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/blob"
	"dragoman/inference/model"
	"dragoman/inference/openvino/ovtest"
)

// preparedVariable names the folder of the starter's graphs, which all tests
// and the processes that they start share: the first to need one writes it.
const preparedVariable = "DRAGOMAN_TEST_PREPARED"

func TestMain(m *testing.M) {
	if checkpoint := os.Getenv(prepareVariable); checkpoint != "" {
		if err := playPreparer(checkpoint, os.Getenv(intoVariable)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	slog.SetDefault(slog.New(slog.DiscardHandler))
	if os.Getenv(preparedVariable) != "" { // the parent's, who removes it
		os.Exit(m.Run())
	}
	dir, err := os.MkdirTemp("", "dragoman-test-")
	if err == nil {
		err = os.Setenv(preparedVariable, dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(status)
}

// openCheckpoint opens a checkpoint for the time of the test.
func openCheckpoint(t *testing.T, dir string) *model.Checkpoint {
	t.Helper()
	c, err := model.Open(dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	return c
}

func starterDir() string { return filepath.Join(ovtest.Root(), "assets", "starter") }

func recipeOf(t *testing.T, name string) Recipe {
	t.Helper()
	r, err := ParseRecipe(name)
	require.NoError(t, err)
	return r
}

// starterOptions run the starter from the prepared folder that the tests share.
func starterOptions(t *testing.T, recipe string, p Placement) Options {
	t.Helper()
	return Options{
		Core: ovtest.Core(t), Checkpoint: openCheckpoint(t, starterDir()), Recipe: recipeOf(t, recipe),
		Dir: filepath.Join(os.Getenv(preparedVariable), recipe), Encoder: p,
	}
}

// decodedBy are the options for another decoder, with its own prepared folder.
func (o Options) decodedBy(d Decoder) Options {
	o.Decoder = d
	o.Dir += string(d)
	return o
}

func openEngine(t *testing.T, o Options) *Engine {
	t.Helper()
	e, err := Open(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return e
}

func openStarter(t *testing.T, recipe string, p Placement) *Engine {
	t.Helper()
	return openEngine(t, starterOptions(t, recipe, p))
}

// openStarterWith keeps its graphs in a store, the decoder's among them.
func openStarterWith(t *testing.T, recipe string, p Placement, store *blob.Store) *Engine {
	t.Helper()
	o := starterOptions(t, recipe, p).decodedBy(GraphDecoder)
	o.Blobs = store
	return openEngine(t, o)
}

// generate translates a source and fails the test where that fails.
func generate(t *testing.T, e *Engine, source []int32, target int32) []int32 {
	t.Helper()
	g, err := e.Generate(t.Context(), Interactive, source, target)
	require.NoError(t, err)
	return g.Tokens
}

// askedContext is a fake: a context that is asked whether it has ended and
// answers by how often it was asked. So a test ends a computation at one place
// exactly, without a clock.
type askedContext struct {
	context.Context
	asked  int
	answer func(asked int) error
}

func (c *askedContext) Err() error {
	c.asked++
	return c.answer(c.asked)
}

// endsAtQuestion makes a context that is cancelled when it is asked for the
// n-th time.
func endsAtQuestion(parent context.Context, n int) *askedContext {
	return &askedContext{Context: parent, answer: func(asked int) error {
		if asked >= n {
			return context.Canceled
		}
		return nil
	}}
}
