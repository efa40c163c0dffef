package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOwnTerms adds terms and files and finds them in translations, by the
// service and without it.
func TestOwnTerms(t *testing.T) {
	c := withService(t)
	ok := func(args ...string) outcome {
		t.Helper()
		o := c.run(args...)
		require.Equal(t, exitOK, o.code, o.stderr)
		return o
	}
	ok("glossary", "add", "--from", "en", "--to", "de", "train station", "Haltepunkt")
	ok("glossary", "add", "Nearest")
	require.Regexp(t, `en > de +train station +Haltepunkt +own.csv:2\nall +Nearest +\(stays\) +own.csv:3\n`, ok("glossary", "list").stdout)
	for _, local := range []string{"--local=false", "--local"} {
		o := ok("translate", local, "--explain", "--from", "en", "--to", "de", "Where is the train station {0}?")
		require.Contains(t, o.stdout, "Haltepunkt")
		require.Contains(t, o.stdout, "{0}")
		require.Contains(t, o.stderr, "sentence 1: terms of the glossary put in: Haltepunkt")
		require.Contains(t, ok("translate", local, "--explain", "--from", "en", "--to", "de", "12:30").stderr, "the model was not asked: there is nothing to translate")
	}
	require.Equal(t, exitInput, c.run("glossary", "remove", "--to", "fr", "train station").code)
	require.Contains(t, ok("glossary", "remove", "--to", "de", "train station").stdout, "for all > de")
	require.NotContains(t, ok("translate", "--from", "en", "--to", "de", "Where is the train station {0}?").stdout, "Haltepunkt", "what was remembered with other terms is not used")

	bad, good := filepath.Join(t.TempDir(), "bad.csv"), filepath.Join(t.TempDir(), "good.tbx")
	require.NoError(t, os.WriteFile(bad, []byte("en,de\n\"x\n"), 0o600))
	require.NoError(t, os.WriteFile(good, []byte(`<tbx><conceptEntry><langSec xml:lang="en"><term>folder</term></langSec><langSec xml:lang="de"><term>Mappe</term></langSec></conceptEntry></tbx>`), 0o600))
	o := c.run("glossary", "add", good, bad)
	require.Equal(t, exitInput, o.code)
	require.Contains(t, o.stderr, "bad.csv, line 2")
	require.NotContains(t, ok("glossary", "list").stdout, "Mappe", "nothing changed")
	ok("glossary", "add", good)
	require.Contains(t, ok("glossary", "check").stdout, "good.tbx: 2 entries")
	require.Contains(t, ok("glossary", "list").stdout, "Mappe")
	ok("glossary", "remove", "good.tbx")
	require.Equal(t, exitInput, c.run("glossary", "remove", "good.tbx").code)
	require.Equal(t, exitInput, c.run("glossary", "remove", "nothing").code)
	require.Equal(t, exitUsage, c.run("glossary", "add", "a", "b").code)
}

func TestDetectTellsTheLanguage(t *testing.T) {
	c := withService(t)
	for _, local := range []string{"--local=false", "--local"} {
		require.Regexp(t, `^de 0\.\d\d\n$`, c.run("detect", local, "Wo ist der nächste Bahnhof, bitte?").stdout)
		require.Regexp(t, `^unknown: it seems to be in Dutch \(nl\)`, c.run("detect", local, dutch).stdout)
		require.Equal(t, "unknown\n", c.run("detect", local, "12:30").stdout)
		c.stdin = "Where is the nearest train station?\n\nWo ist der nächste Bahnhof, bitte?\n"
		require.Regexp(t, `^en 0\.\d\d\nde 0\.\d\d\n$`, c.run("detect", local, "--paragraphs").stdout)
	}
}
