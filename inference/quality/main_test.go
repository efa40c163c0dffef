package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/openvino/ovtest"
)

func writeTestSet(t *testing.T, english, spanish string) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "laser-tatoeba-es.en"), []byte(english), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "laser-tatoeba-es.es"), []byte(spanish), 0o600))
	return dir
}

func TestReadTestSet(t *testing.T) {
	dir := writeTestSet(t, "one\ntwo\nthree\n", "uno\ndos\ntres\n")
	set, err := readTestSet(dir, "en-es", 2)
	require.NoError(t, err)
	require.Equal(t, testSet{"laser-tatoeba", "en", "es", []string{"one", "two"}, []string{"uno", "dos"}}, set)
	set, err = readTestSet(dir, "es-en", 500)
	require.NoError(t, err)
	require.Equal(t, testSet{"laser-tatoeba", "es", "en", []string{"uno", "dos", "tres"}, []string{"one", "two", "three"}}, set)

	_, err = readTestSet(dir, "en-de", 2)
	require.ErrorIs(t, err, errTestSet)
	require.ErrorIs(t, err, fs.ErrNotExist)
	for _, pair := range []string{"en", "en-en", "de-es", ""} {
		_, err = readTestSet(dir, pair, 2)
		require.ErrorContains(t, err, "is not like en-es")
		require.NotErrorIs(t, err, fs.ErrNotExist, "wrong use is not skipped")
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "pud.de"), []byte("ein\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "pud.es"), []byte("un\n"), 0o600))
	set, err = readTestSet(dir, "pud:de-es", 9)
	require.NoError(t, err)
	require.Equal(t, testSet{"pud", "de", "es", []string{"ein"}, []string{"un"}}, set)
	_, err = readTestSet(dir, "en-es", 0)
	require.ErrorIs(t, err, errTestSet)
	_, err = readTestSet(writeTestSet(t, "one\ntwo\n", "uno\n"), "en-es", 1)
	require.ErrorContains(t, err, "2 sentences and 1 translations")
}

func TestNear(t *testing.T) {
	require.True(t, near(-0.29, 0.3))
	require.True(t, near(0.3, 0.3))
	require.False(t, near(-0.31, 0.3))
	require.False(t, near(0.31, 0.3))
}

func TestRunScoresBothRecipes(t *testing.T) {
	ovtest.Library(t)
	var out bytes.Buffer
	o := options{
		pair: "en-es,es-en", recipes: []string{"int8"}, sentences: 1, allowed: 100, model: filepath.Join(ovtest.Root(), "assets", "starter"), device: "CPU",
		corpus: writeTestSet(t, "The house is white.\n", "La casa es blanca.\n"), cache: t.TempDir(), out: &out,
	}
	good, err := o.run(t.Context(), filepath.Join(ovtest.Root(), "build", "data"))
	require.NoError(t, err)
	require.True(t, good)
	require.Contains(t, out.String(), "laser-tatoeba en to es, 1 sentences: chrF f32 100.00, int8 100.00, +0.00; 1 the same\n")
	require.Contains(t, out.String(), "laser-tatoeba es to en, 1 sentences: chrF f32 100.00, int8 100.00, +0.00; 1 the same\n")
	require.Contains(t, out.String(), "int8 difference +0.00, within 100.00\n")
}
