package drop

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

func TestSettingsAreCompleted(t *testing.T) {
	m := New(Options{})
	dir := t.TempDir()
	s, err := m.Check(0, api.FolderSettings{Path: dir + "/missing/../in/", From: api.Auto, To: []string{"es"}})
	require.NoError(t, err, "a folder may be missing for a time")
	require.Equal(t, api.FolderSettings{
		Path: filepath.Join(dir, "in"), From: api.Auto, To: []string{"es"},
		Place: api.PlaceSubfolder, Output: "translated", Original: api.OriginalStay,
	}, s)
}

func TestBadSettings(t *testing.T) {
	dir := t.TempDir()
	home := filepath.Join(dir, "home")
	require.NoError(t, os.Mkdir(home, 0o755))
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	in := filepath.Join(dir, "in")
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	tests := map[string]struct {
		change func(*api.FolderSettings)
		want   string
	}{
		"relative": {func(s *api.FolderSettings) { s.Path = "in" }, "give its whole path"},
		"a file":   {func(s *api.FolderSettings) { s.Path = file }, "is a file"},
		"the disk": {func(s *api.FolderSettings) {
			s.Path, s.Recursive = filepath.VolumeName(dir)+string(filepath.Separator), false
		}, "is a whole disk"},
		"home with all in it": {func(s *api.FolderSettings) { s.Path = home }, "all of a user's files"},
		"above home":          {func(s *api.FolderSettings) { s.Path = dir }, "all of a user's files"},
		"no language":         {func(s *api.FolderSettings) { s.To = nil }, "no language to translate into"},
		"no source":           {func(s *api.FolderSettings) { s.From = "" }, "no language to translate from"},
		"twice":               {func(s *api.FolderSettings) { s.To = []string{"es", "es"} }, "given twice"},
		"into itself":         {func(s *api.FolderSettings) { s.To = []string{"en"} }, "into itself"},
		"no code":             {func(s *api.FolderSettings) { s.To = []string{"../x"} }, "not a language code"},
		"pattern":             {func(s *api.FolderSettings) { s.Name = "{name}{ext}" }, "without {lang}"},
		"pattern beside": {func(s *api.FolderSettings) {
			s.Place, s.Name = api.PlaceBeside, "{name}{lang}.txt"
		}, "between {name} and {lang}"},
		"include":               {func(s *api.FolderSettings) { s.Include = []string{"["} }, "not a pattern"},
		"place":                 {func(s *api.FolderSettings) { s.Place = "moon" }, "can be placed"},
		"original":              {func(s *api.FolderSettings) { s.Original = "burn" }, "originals can be left"},
		"nested sub-folder":     {func(s *api.FolderSettings) { s.Output = "a/b" }, "plain name"},
		"sub-folder above":      {func(s *api.FolderSettings) { s.Output = ".." }, "plain name"},
		"done as output":        {func(s *api.FolderSettings) { s.Output = "Done" }, "plain name"},
		"beside with an output": {func(s *api.FolderSettings) { s.Place, s.Output = api.PlaceBeside, "x" }, "need no output folder"},
		"output not absolute":   {func(s *api.FolderSettings) { s.Place, s.Output = api.PlaceFolder, "out" }, "give its whole path"},
		"output around it":      {func(s *api.FolderSettings) { s.Place, s.Output = api.PlaceFolder, filepath.Dir(in) }, "would be inputs"},
		"output is it":          {func(s *api.FolderSettings) { s.Place, s.Output = api.PlaceFolder, in }, "would be inputs"},
		"output is home":        {func(s *api.FolderSettings) { s.Place, s.Output = api.PlaceFolder, home }, "all of a user's files"},
		"output is a file":      {func(s *api.FolderSettings) { s.Place, s.Output = api.PlaceFolder, file }, "is a file"},
		"output in done":        {func(s *api.FolderSettings) { s.Place, s.Output = api.PlaceFolder, filepath.Join(in, "done", "x") }, "originals that are done"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := settings(in, "es")
			test.change(&s)
			_, err := New(Options{}).Check(0, s)
			var problem *api.Problem
			require.ErrorAs(t, err, &problem)
			require.Equal(t, 400, problem.Status)
			require.ErrorContains(t, err, test.want)
		})
	}
	s := settings(home, "es")
	s.Recursive = false
	_, err := New(Options{}).Check(0, s)
	require.NoError(t, err, "what lies in home itself may be meant")
}

// Folders that would feed each other, by whatever name.
func TestFoldersThatOverlap(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"in", "out"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, name), 0o755))
	}
	join := func(names ...string) string { return filepath.Join(append([]string{dir}, names...)...) }
	first := settings(join("in"), "es")
	first.Place, first.Output = api.PlaceFolder, join("out")
	if err := os.Symlink(join("in"), join("alias")); err == nil {
		require.NoError(t, os.Symlink(join("out"), join("alias of out")))
	}
	to := func(path, output string) api.FolderSettings {
		s := settings(path, "es")
		if output != "" {
			s.Place, s.Output = api.PlaceFolder, output
		}
		return s
	}
	m := New(Options{Ledger: noLedger{}})
	require.NoError(t, m.Add(1, first))
	for name, s := range map[string]api.FolderSettings{
		"the same":              to(join("in"), ""),
		"below":                 to(join("in", "sub"), ""),
		"above":                 to(join("in", ".."), ""),
		"by a link":             to(join("alias"), ""),
		"below a link":          to(join("alias", "sub"), ""),
		"takes its outputs":     to(join("out"), ""),
		"takes them by a link":  to(join("alias of out", "x"), ""),
		"puts outputs into it":  to(join("other"), join("in", "x")),
		"the same output":       to(join("other"), join("out")),
		"an output below":       to(join("other"), join("alias of out", "x")),
		"its outputs are above": to(join("other"), join("out", "..", "in", "..")),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := m.Check(0, s)
			if name == "above" || name == "its outputs are above" {
				require.Error(t, err)
				return
			}
			require.ErrorIs(t, err, api.ErrConflict)
		})
	}
	_, err := m.Check(0, to(join("other"), join("other out")))
	require.NoError(t, err)
	_, err = m.Check(1, first)
	require.NoError(t, err, "a folder does not clash with itself")
}
