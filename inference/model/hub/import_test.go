package hub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// checkpoint is a folder with a model's files and others.
func checkpoint(t *testing.T) string {
	dir := t.TempDir()
	for _, name := range append([]string{"pytorch_model.bin", "optimizer.pt", "tokenizer_config.json"}, required...) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("content of "+name), 0o600))
	}
	return dir
}

func TestImport(t *testing.T) {
	o := ImportOptions{From: checkpoint(t), Name: "mine", Dir: filepath.Join(t.TempDir(), "models")}
	var last Progress
	o.Progress = func(p Progress) { last = p }
	m, err := Import(t.Context(), o)
	require.NoError(t, err)
	require.Len(t, m.Files, 5, "what loading does not need is not copied")
	require.Equal(t, m.Bytes(), last.Done)
	again, err := Verify(t.Context(), filepath.Join(o.Dir, "mine"))
	require.NoError(t, err)
	require.Equal(t, m, again)
	require.Zero(t, Partial(o.Dir, "mine"))

	_, err = Import(t.Context(), o)
	require.ErrorContains(t, err, "dragoman models remove mine")
	removed, err := Remove(o.Dir, "mine")
	require.NoError(t, err)
	require.True(t, removed)
	left, err := os.ReadDir(o.Dir)
	require.NoError(t, err)
	require.Empty(t, left)
	removed, err = Remove(o.Dir, "mine")
	require.NoError(t, err)
	require.False(t, removed)
}

func TestImportLeavesNothingHalf(t *testing.T) {
	o := ImportOptions{From: checkpoint(t), Name: "mine", Dir: filepath.Join(t.TempDir(), "models")}
	ctx, cancel := context.WithCancel(t.Context())
	o.Progress = func(Progress) { cancel() }
	_, err := Import(ctx, o)
	require.ErrorIs(t, err, context.Canceled)
	require.NoDirExists(t, filepath.Join(o.Dir, "mine"))
	require.NoDirExists(t, filepath.Join(o.Dir, markPulling+"mine"))

	require.NoError(t, os.Remove(filepath.Join(o.From, "vocab.json")))
	_, err = Import(t.Context(), o)
	require.ErrorContains(t, err, "vocab.json")
	require.NoDirExists(t, filepath.Join(o.Dir, "mine"))
}

func TestNames(t *testing.T) {
	for _, good := range []string{"m2m100_418M", "a", "my-model.v2"} {
		require.NoError(t, CheckName(good))
	}
	for _, bad := range []string{"", ".", "..", ".hidden", "a/b", `a\b`, "-rf", "a b", "end.", "ä"} {
		require.Error(t, CheckName(bad), bad)
		_, err := Remove(t.TempDir(), bad)
		require.Error(t, err, bad)
	}
}

// Weights of another kind are made in the folder that appears whole or not at all.
func TestImportMakesWeights(t *testing.T) {
	o := ImportOptions{From: checkpoint(t), Name: "mine", Dir: filepath.Join(t.TempDir(), "models")}
	entries, err := os.ReadDir(o.From)
	require.NoError(t, err)
	for _, e := range entries {
		if strings.Contains(e.Name(), "model.") && !strings.Contains(e.Name(), "sentencepiece") {
			require.NoError(t, os.Remove(filepath.Join(o.From, e.Name())))
		}
	}
	_, err = Import(t.Context(), o)
	require.ErrorContains(t, err, "no weights")

	broken := errors.New("broken")
	o.Weights = &Weights{Bytes: 3, Write: func(context.Context, string, func(int64)) error { return broken }}
	_, err = Import(t.Context(), o)
	require.ErrorIs(t, err, broken)
	require.NoDirExists(t, filepath.Join(o.Dir, "mine"))

	var last Progress
	o.Progress = func(p Progress) { last = p }
	o.Weights.Write = func(_ context.Context, path string, came func(int64)) error {
		came(3)
		return os.WriteFile(path, []byte("abc"), 0o644)
	}
	m, err := Import(t.Context(), o)
	require.NoError(t, err)
	require.Equal(t, last.Total, last.Done)
	require.Equal(t, m.Bytes(), last.Done)
	again, err := Verify(t.Context(), filepath.Join(o.Dir, "mine"))
	require.NoError(t, err)
	require.Equal(t, m, again)
	require.FileExists(t, filepath.Join(o.Dir, "mine", "model.safetensors"))
}

func TestElsewhere(t *testing.T) {
	failed := func(of error, path ...string) error {
		return elsewhere("data/models/", fmt.Errorf("wrapped: %w", &os.PathError{Op: "open", Path: filepath.Join(path...), Err: of}))
	}
	require.ErrorContains(t, failed(syscall.EROFS, "data", "models"), "DRAGOMAN_DATA")
	require.ErrorContains(t, failed(os.ErrPermission, "data"), "DRAGOMAN_DATA", "it has to be made")
	require.ErrorContains(t, failed(os.ErrPermission, "data", "models", ".pull-some.lock"), "DRAGOMAN_DATA")
	require.NotContains(t, failed(os.ErrPermission, "mine", "config.json").Error(), "DRAGOMAN_DATA", "a checkpoint that cannot be read")
	require.NotContains(t, failed(io.EOF, "data", "models").Error(), "DRAGOMAN_DATA")
	require.Equal(t, io.EOF, elsewhere("models", io.EOF))
}
