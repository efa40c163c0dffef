package m2m100

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/checksum"
	"dragoman/inference/ir"
	"dragoman/inference/model"
	"dragoman/inference/model/randommodel"
	"dragoman/inference/openvino/ovtest"
	"dragoman/internal/usertest"
)

// smallShape is prepared in milliseconds.
var smallShape = randommodel.Shape{
	DModel: 64, EncoderLayers: 2, DecoderLayers: 2, Heads: 4, FFN: 96, Vocabulary: 1003, MaxPositions: 128,
}

func smallCheckpoint(t *testing.T) *model.Checkpoint {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, randommodel.Write(dir, smallShape, 1))
	return openCheckpoint(t, dir)
}

func prepareInt8(ctx context.Context, t *testing.T, c *model.Checkpoint, dir string) error {
	t.Helper()
	return prepare(ctx, c, recipeOf(t, "int8"), nil, 1, dir, nil)
}

// contents are a folder's files by name.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	all := map[string]string{}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		all[e.Name()] = string(data)
	}
	return all
}

// seal writes a manifest for what a folder holds now.
func seal(t *testing.T, dir string, r Recipe) {
	t.Helper()
	before, _ := readManifest(dir) // there may be none
	require.NoError(t, os.RemoveAll(filepath.Join(dir, manifestFile)))
	m := manifest{Version: graphVersion, Recipe: r.String(), Files: map[string]written{}, Constants: before.Constants}
	for name, data := range contents(t, dir) {
		m.Files[name] = written{Size: int64(len(data)), Sum: checksum.Of([]byte(data)).String()}
	}
	writeManifest(t, dir, m)
}

func writeManifest(t *testing.T, dir string, m manifest) {
	t.Helper()
	var err error
	m.Sum, err = m.sum()
	require.NoError(t, err)
	data, err := json.Marshal(m)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, manifestFile), data, 0o600))
}

// names are what a folder holds.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// requireSame compares without printing megabytes where it fails.
func requireSame(t *testing.T, want, got map[string]string) {
	t.Helper()
	require.Len(t, got, len(want))
	for name, data := range want {
		require.True(t, data == got[name], "%s has changed", name)
	}
}

func TestDamagedFolderIsPreparedAnew(t *testing.T) {
	checkpoint := smallCheckpoint(t)
	for name, c := range map[string]struct {
		damage func(t *testing.T, dir string)
		whole  bool
	}{
		"nothing": {func(*testing.T, string) {}, true},
		"weights cut short": {func(t *testing.T, dir string) {
			require.NoError(t, os.Truncate(filepath.Join(dir, weightsFile), 1000))
		}, false},
		"weights longer": {func(t *testing.T, dir string) {
			f, err := os.OpenFile(filepath.Join(dir, weightsFile), os.O_APPEND|os.O_WRONLY, 0)
			require.NoError(t, err)
			defer f.Close()
			_, err = f.WriteString("x")
			require.NoError(t, err)
		}, false},
		"a graph is missing": {func(t *testing.T, dir string) {
			require.NoError(t, os.Remove(filepath.Join(dir, encoderFile)))
		}, false},
		"a static graph is empty": {func(t *testing.T, dir string) {
			require.NoError(t, os.Truncate(filepath.Join(dir, staticEncoderFile(Buckets[0])), 0))
		}, false},
		"no manifest": {func(t *testing.T, dir string) {
			require.NoError(t, os.Remove(filepath.Join(dir, manifestFile)))
		}, false},
		"manifest of another writer": {changeManifest(func(m *manifest) { m.Version++ }), false},
		"manifest of another recipe": {changeManifest(func(m *manifest) { m.Recipe = "int8-int8-int4" }), false},
		"manifest without files":     {changeManifest(func(m *manifest) { m.Files = nil }), false},
		"before beam searches":       {changeManifest(func(m *manifest) { delete(m.Files, beamFile) }), false},
		"manifest cut short":         {replaceInManifest("}", ""), false},
		"manifest that was changed":  {replaceInManifest(`"size":`, `"size":1`), false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "prepared")
			require.NoError(t, prepareInt8(t.Context(), t, checkpoint, dir))
			want := contents(t, dir)
			require.Len(t, want, 5+len(Buckets))
			marker := filepath.Join(dir, "marker") // goes where the folder is replaced
			require.NoError(t, os.WriteFile(marker, nil, 0o600))
			c.damage(t, dir)
			require.NoError(t, prepareInt8(t.Context(), t, checkpoint, dir))
			if c.whole {
				require.FileExists(t, marker, "a whole folder is not written again")
				return
			}
			requireSame(t, want, contents(t, dir))
		})
	}
}

// changeManifest writes another one that is sound by itself.
func changeManifest(change func(*manifest)) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) {
		m, err := readManifest(dir)
		require.NoError(t, err)
		change(&m)
		writeManifest(t, dir, m)
	}
}

// TestPlacesOfConstantsAreKept: other places would give other weights.
func TestPlacesOfConstantsAreKept(t *testing.T) {
	dir := t.TempDir()
	writeManifest(t, dir, manifest{Version: graphVersion, Constants: map[string]ir.Span{"a": {Offset: 6400, Size: 64}}})
	m, err := readManifest(dir)
	require.NoError(t, err)
	require.Equal(t, int64(6400), m.Constants["a"].Offset)
	replaceInManifest("6400", "6464")(t, dir)
	_, err = readManifest(dir)
	require.ErrorIs(t, err, errDamaged)
}

// replaceInManifest damages the manifest by replacing all of one text in it.
func replaceInManifest(from, to string) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) {
		path := filepath.Join(dir, manifestFile)
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Contains(t, string(data), from)
		require.NoError(t, os.WriteFile(path, []byte(strings.ReplaceAll(string(data), from, to)), 0o600))
	}
}

// TestDamagedFolderTranslatesTheSame does on the real graphs, through Open,
// what the test above does on files.
func TestDamagedFolderTranslatesTheSame(t *testing.T) {
	o := Options{Core: ovtest.Core(t), Checkpoint: smallCheckpoint(t), Recipe: recipeOf(t, "int8"), Dir: filepath.Join(t.TempDir(), "prepared"), Encoder: CPU}
	translate := func() []int32 {
		e, err := Open(t.Context(), o)
		require.NoError(t, err)
		tokens := generate(t, e, []int32{900, 5, 6, 7, 2}, 901)
		require.NoError(t, e.Close())
		return tokens
	}
	want := translate()
	require.NotEmpty(t, want)
	require.NoError(t, os.Truncate(filepath.Join(o.Dir, weightsFile), 100))
	require.Equal(t, want, translate())
	for _, file := range []string{weightsFile, decoderFile} {
		path := filepath.Join(o.Dir, file)
		whole, err := os.ReadFile(path)
		require.NoError(t, err)
		rotten := slices.Clone(whole)
		rotten[len(rotten)/2] ^= 0x40 // the size stays
		require.NoError(t, os.WriteFile(path, rotten, 0o600))
		require.Equal(t, want, translate())
		mended, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, len(whole), len(mended))
		require.NotEqual(t, rotten, mended)
	}
}

func TestFolderThatCannotBeWritten(t *testing.T) {
	checkpoint := smallCheckpoint(t)
	for name, place := range map[string]func(t *testing.T, dir string) string{
		"a file in its way": func(t *testing.T, dir string) string {
			file := filepath.Join(dir, "file")
			require.NoError(t, os.WriteFile(file, nil, 0o600))
			return filepath.Join(file, "prepared")
		},
		"a folder where the lock should be": func(t *testing.T, dir string) string {
			require.NoError(t, os.Mkdir(filepath.Join(dir, "prepared.lock"), 0o700))
			return filepath.Join(dir, "prepared")
		},
		"read-only": func(t *testing.T, dir string) string {
			usertest.Bind(t, dir)
			require.NoError(t, os.Chmod(dir, 0o500))
			t.Cleanup(func() { require.NoError(t, os.Chmod(dir, 0o700)) })
			return filepath.Join(dir, "prepared")
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.ErrorIs(t, prepareInt8(t.Context(), t, checkpoint, place(t, dir)), ErrCache)
			require.LessOrEqual(t, len(names(t, dir)), 1, "nothing is left")
		})
	}
}

func TestPreparingEndsWithItsContext(t *testing.T) {
	checkpoint := smallCheckpoint(t)
	parent := t.TempDir()
	questions := &askedContext{Context: t.Context(), answer: func(int) error { return nil }}
	require.NoError(t, prepareInt8(questions, t, checkpoint, filepath.Join(parent, "whole")))
	require.Greater(t, questions.asked, 1000, "asked with every row of a matrix")
	for _, n := range []int{1, 2, questions.asked / 2, questions.asked} {
		err := prepareInt8(endsAtQuestion(t.Context(), n), t, checkpoint, filepath.Join(parent, "stopped"))
		require.ErrorIs(t, err, context.Canceled)
	}
	require.Subset(t, []string{"stopped.lock", "whole", "whole.lock"}, names(t, parent), "nothing half-written is left")
}

// Preparing tells how far it is, in ascending order, and nothing where nothing is to
// be done.
func TestPreparingTells(t *testing.T) {
	c, dir := smallCheckpoint(t), filepath.Join(t.TempDir(), "prepared")
	var told []int
	tell := func(percent int) { told = append(told, percent) }
	for _, recipe := range []string{"int8", "f32"} {
		told = nil
		require.NoError(t, prepare(t.Context(), c, recipeOf(t, recipe), nil, 1, dir+recipe, tell))
		require.NotEmpty(t, told)
		require.IsIncreasing(t, told)
		require.LessOrEqual(t, told[len(told)-1], 99)
		require.Greater(t, told[len(told)-1], 50, recipe)
		told = nil
		require.NoError(t, prepare(t.Context(), c, recipeOf(t, recipe), nil, 1, dir+recipe, tell))
		require.Empty(t, told)
	}
}
