package fidelity

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference"
	"dragoman/inference/openvino/ovtest"
)

func options(t *testing.T) inference.Options {
	return inference.Options{
		Runtime: ovtest.Library(t), ModelDir: filepath.Join(ovtest.Root(), "assets", "starter"), Recipe: "int8",
		Cache: inference.Cache{Dir: t.TempDir()},
	}
}

func TestMeasure(t *testing.T) {
	o := options(t)
	last, all := 0, 0
	r, err := Measure(t.Context(), o, func(done, of int) {
		require.Equal(t, last+1, done)
		last, all = done, of
	})
	require.NoError(t, err)
	require.Equal(t, all, last)
	require.Equal(t, []string{"de", "fr", "es"}, r.Languages)
	require.Equal(t, 3*len(sentences), r.Sentences)
	t.Logf("%d of %d the same, chrF %.1f", r.Same, r.Sentences, r.ChrF)
	require.Greater(t, r.Same, r.Sentences/2)
	require.Greater(t, r.ChrF, 85.0)
	require.LessOrEqual(t, r.ChrF, 100.0)
	left, err := filepath.Glob(filepath.Join(o.Cache.Dir, "float-*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestMeasureCanBeEnded(t *testing.T) {
	o := options(t)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Measure(ctx, o, func(done, of int) { cancel() })
	require.ErrorIs(t, err, context.Canceled)
	left, err := filepath.Glob(filepath.Join(o.Cache.Dir, "float-*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestFormatThatIsNoneFailsAtOnce(t *testing.T) {
	o := options(t)
	o.Recipe = "none"
	_, err := Measure(t.Context(), o, func(int, int) { t.Error("something was translated") })
	require.ErrorContains(t, err, "none")
}

// What cannot be kept is known before anything is measured.
func TestCheckKept(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, CheckKept(dir))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, entries)
	require.ErrorContains(t, CheckKept(filepath.Join(dir, "none")), "cannot be written")
	require.NoError(t, os.WriteFile(filepath.Join(dir, Name), []byte("{"), 0o644))
	require.ErrorContains(t, CheckKept(dir), "remove this file")
}

func TestKept(t *testing.T) {
	dir := t.TempDir()
	all, err := Read(dir)
	require.NoError(t, err)
	require.Empty(t, all)
	require.NoError(t, Result{Weights: "int8", Same: 1}.Write(dir))
	require.NoError(t, Result{Weights: "int4", Same: 2}.Write(dir))
	require.NoError(t, Result{Weights: "int8", Same: 3}.Write(dir))
	all, err = Read(dir)
	require.NoError(t, err)
	require.Len(t, all, 2)
	require.Equal(t, 3, all[1].Same)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.NoError(t, os.WriteFile(filepath.Join(dir, Name), []byte("{"), 0o644))
	_, err = Read(dir)
	require.ErrorContains(t, err, Name)
	require.Error(t, Result{}.Write(filepath.Join(dir, "none")))
}
