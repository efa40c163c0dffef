package daemon_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

// TestOwnWordsOverTheAPI adds, uses and takes back terms and corrections.
func TestOwnWordsOverTheAPI(t *testing.T) {
	paths := newPaths(t)
	s, ctx := start(t, paths).warm(), t.Context()
	before := s.translate("en", "de", "Where is the train station?").Text
	require.NoError(t, s.AddTerm(ctx, api.Term{From: "en", To: "de", Source: "train station", Target: "Haltepunkt"}))
	require.Contains(t, s.translate("en", "de", "Where is the train station?").Text, "Haltepunkt")
	added, err := s.AddGlossary(ctx, api.WordsFile{Name: "names.txt", Content: "Blue Moon\n"})
	require.NoError(t, err)
	require.Equal(t, 1, added.Entries)
	require.NoError(t, os.WriteFile(filepath.Join(paths.DataDir, "glossary", "bad.csv"), []byte("en\n"), 0o600))
	g, err := s.Glossary(ctx)
	require.NoError(t, err)
	require.Equal(t, []api.Term{
		{Source: "Blue Moon", File: "names.txt", Line: 1},
		{From: "en", To: "de", Source: "train station", Target: "Haltepunkt", File: "own.csv", Line: 2},
	}, g.Terms)
	require.Len(t, g.Problems, 1)
	require.Contains(t, g.Problems[0], "bad.csv")
	s.translate("en", "de", "The house is big.")
	now, err := s.Status(ctx)
	require.NoError(t, err)
	require.Len(t, now.Notices, 1, "told once")
	require.Contains(t, now.Notices[0].Message, "bad.csv, line 1")
	require.NoError(t, s.RemoveTerm(ctx, api.Term{Source: "train station"}))
	require.NoError(t, s.RemoveGlossary(ctx, "names.txt"))
	require.Equal(t, before, s.translate("en", "de", "Where is the train station?").Text)

	require.NoError(t, s.Correct(ctx, api.Correction{From: "en", To: "de", Text: "Where is the train station?", Translation: "Wo geht's zum Zug?"}))
	require.Equal(t, "Wo geht's zum Zug?", s.translate("en", "de", "Where is the train station?").Text)
	found, err := s.SearchMemory(ctx, api.MemoryQuery{From: "en", To: "de", Text: "Where is the big train station?"})
	require.NoError(t, err)
	require.Equal(t, []api.MemoryMatch{{Percent: 83, Source: "Where is the train station?", Target: "Wo geht's zum Zug?", File: "own.tmx"}}, found.Matches)
	exported, err := s.ExportMemory(ctx)
	require.NoError(t, err)
	added, err = s.AddMemory(ctx, api.WordsFile{Name: "copy.tmx", Content: exported.Content})
	require.NoError(t, err)
	require.Equal(t, 1, added.Entries)
	files, err := s.MemoryFiles(ctx)
	require.NoError(t, err)
	require.Equal(t, []api.MemoryFile{{Name: "copy.tmx", Units: 1}, {Name: "own.tmx", Units: 1}}, files.Files)
	require.NoError(t, s.RemoveMemory(ctx, "copy.tmx"))
	require.NoError(t, s.ForgetCorrection(ctx, "Where is the train station?"))
	require.Equal(t, before, s.translate("en", "de", "Where is the train station?").Text)
}

func TestOwnWordsThatCannotBe(t *testing.T) {
	s, ctx := start(t, newPaths(t)), t.Context()
	for name, c := range map[string]struct {
		err  error
		code api.Code
	}{
		"term without text":      {s.AddTerm(ctx, api.Term{}), api.CodeBadRequest},
		"term too long":          {s.AddTerm(ctx, api.Term{Source: strings.Repeat("secret", 100)}), api.CodeBadRequest},
		"term that is not there": {s.RemoveTerm(ctx, api.Term{Source: "secret"}), api.CodeNotFound},
		"file elsewhere":         {second(s.AddGlossary(ctx, api.WordsFile{Name: "../a.csv", Content: "en,de"})), api.CodeBadRequest},
		"file with an error":     {second(s.AddGlossary(ctx, api.WordsFile{Name: "a.csv", Content: "secret"})), api.CodeBadRequest},
		"memory with an error":   {second(s.AddMemory(ctx, api.WordsFile{Name: "a.tmx", Content: "<secret>"})), api.CodeBadRequest},
		"no file":                {s.RemoveMemory(ctx, "a.tmx"), api.CodeNotFound},
		"no language":            {s.Correct(ctx, api.Correction{From: "en", Text: "secret", Translation: "b"}), api.CodeBadRequest},
		"same language":          {s.Correct(ctx, api.Correction{From: "en", To: "en", Text: "secret", Translation: "b"}), api.CodeBadRequest},
		"no correction":          {s.ForgetCorrection(ctx, "secret"), api.CodeNotFound},
		"no text":                {second(s.SearchMemory(ctx, api.MemoryQuery{From: "en", To: "de"})), api.CodeBadRequest},
		"no percentage":          {second(s.SearchMemory(ctx, api.MemoryQuery{From: "en", To: "de", Text: "secret", Least: 101})), api.CodeBadRequest},
	} {
		var p *api.Problem
		require.ErrorAs(t, c.err, &p, name)
		require.Equal(t, c.code, p.Code, name)
	}
}

func second[T any](_ T, err error) error { return err }
