package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestWordsOfAServiceWithOtherFiles: the machine's service has a data folder of
// its own, which this user may not write to. What counts there is what is changed.
func TestWordsOfAServiceWithOtherFiles(t *testing.T) {
	c := withService(t)
	theirs := c.env["DRAGOMAN_DATA"]
	c.env["DRAGOMAN_DATA"] = filepath.Join(c.dir, "mine")
	terms, memory := filepath.Join(c.dir, "terms.csv"), filepath.Join(c.dir, "units.tmx")
	require.NoError(t, os.WriteFile(terms, []byte("en,de\ntrain station,Haltepunkt\n"), 0o600))
	require.NoError(t, os.WriteFile(memory, []byte(`<tmx><tu><tuv xml:lang="en"><seg>The house is big.</seg></tuv><tuv xml:lang="de"><seg>Groß!</seg></tuv></tu></tmx>`), 0o600))

	require.Equal(t, "terms.csv: 2 entries\n", c.succeeds("glossary", "add", terms))
	c.succeeds("glossary", "add", "Nearest")
	require.Regexp(t, `Haltepunkt +terms.csv:2\n(.*\n)?all +Nearest`, c.succeeds("glossary", "list"))
	require.Equal(t, "terms.csv: 2 entries\nown.csv: 1 entry\n", c.succeeds("glossary", "check"))
	require.Contains(t, c.succeeds("translate", "--from", "en", "--to", "de", "Where is the train station?"), "Haltepunkt")
	require.FileExists(t, filepath.Join(theirs, "glossary", "own.csv"))
	require.NoDirExists(t, filepath.Join(c.dir, "mine", "glossary"))

	require.Equal(t, "units.tmx: 1 unit\n", c.succeeds("memory", "import", memory))
	require.Equal(t, "Groß!\n", c.succeeds("translate", "--from", "en", "--to", "de", "The house is big."))
	c.succeeds("correct", "--from", "en", "--to", "de", "The house is big.", "Sehr groß.")
	require.Equal(t, "Sehr groß.\n", c.succeeds("translate", "--from", "en", "--to", "de", "The house is big."))
	require.Contains(t, c.succeeds("memory", "search", "--from", "en", "--to", "de", "The house is big."), "100 %  own.tmx")
	require.Contains(t, c.succeeds("memory", "export"), "Sehr groß.")
	require.Equal(t, "units.tmx: 1 unit\nown.tmx: 1 unit\n", c.succeeds("memory", "list"))
	c.succeeds("memory", "forget", "The house is big.")
	c.succeeds("memory", "forget", "units.tmx")
	c.succeeds("glossary", "remove", "terms.csv")
	c.succeeds("glossary", "remove", "Nearest")
	require.Empty(t, c.succeeds("memory", "list"))
	require.Empty(t, c.succeeds("glossary", "list"))

	bad := filepath.Join(c.dir, "bad.csv")
	require.NoError(t, os.WriteFile(bad, []byte("en\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(theirs, "glossary", "bad.csv"), []byte("en\n"), 0o600))
	for name, args := range map[string][]string{
		"file with an error":   {"glossary", "add", bad},
		"file that is no term": {"glossary", "remove", "Nearest"},
		"no such file":         {"memory", "forget", "units.tmx"},
		"no correction":        {"memory", "forget", "The house is big."},
		"a file counts not":    {"glossary", "check"},
	} {
		require.Equal(t, exitInput, c.run(args...).code, name)
	}
}

// TestADropFolderHasTermsOfItsOwn drops the same text into two folders.
func TestADropFolderHasTermsOfItsOwn(t *testing.T) {
	c := withService(t)
	c.succeeds("glossary", "add", "--from", "en", "--to", "de", "train station", "Haltepunkt")
	terms := filepath.Join(c.dir, "client.csv")
	require.NoError(t, os.WriteFile(terms, []byte("en,de\ntrain station,Zughalt\n"), 0o600))
	require.Contains(t, c.refused(exitUsage, "folders", "add", "--to", "de", "--glossary", "nowhere.csv", "client"), "nowhere.csv")
	require.NoDirExists(t, filepath.Join(c.dir, "client"))
	for _, args := range [][]string{{"--glossary", "client.csv", "client"}, {"plain"}} {
		o := c.run(append([]string{"folders", "add", "--from", "en", "--to", "de"}, args...)...)
		require.Equal(t, exitOK, o.code, o.stderr)
	}
	require.Contains(t, c.succeeds("folders", "show", "1"), "of "+terms+", then your own")
	for folder, want := range map[string]string{"client": "Zughalt", "plain": "Haltepunkt"} {
		require.NoError(t, os.WriteFile(filepath.Join(c.dir, folder, "a.txt"), []byte("Where is the train station?\n"), 0o600))
		output := filepath.Join(c.dir, folder, "translated", "a.de.txt")
		require.Eventually(t, func() bool { _, err := os.Stat(output); return err == nil }, time.Minute, 20*time.Millisecond)
		got, err := os.ReadFile(output)
		require.NoError(t, err)
		require.Contains(t, string(got), want)
	}
	c.succeeds("folders", "set", "1", "--glossary", "")
	require.NotContains(t, c.succeeds("folders", "show", "1"), "terms")
}

func TestWordsAreTakenAsTheyAreMeant(t *testing.T) {
	c := withService(t)
	terms := filepath.Join(c.dir, "terms.csv")
	require.NoError(t, os.WriteFile(terms, []byte("en;de\nfolder;Ordner, groß\n"), 0o600))
	require.Contains(t, c.refused(exitUsage, "glossary", "add", "--from", "en", "--to", "de", terms), "leave --from and --to out")
	require.Empty(t, c.succeeds("glossary", "list"))
	c.succeeds("glossary", "add", terms)
	require.Contains(t, c.succeeds("glossary", "list"), "Ordner, groß")
	c.succeeds("glossary", "add", "Blue Moon")
	require.Equal(t, "\"Blue Moon\" is removed, for all its languages\n", c.succeeds("glossary", "remove", "Blue Moon"))
}

// TestJSONHoldsTexts refuses what would come out empty, before the work.
func TestJSONHoldsTexts(t *testing.T) {
	c := withService(t)
	mail := filepath.Join(c.dir, "a.eml")
	require.NoError(t, os.WriteFile(mail, []byte("From: a@example.org\r\nSubject: The house\r\n\r\nThe house is big.\r\n"), 0o600))
	require.Contains(t, c.refused(exitUsage, "translate", "--from", "en", "--to", "de", "--json", mail), "--output")
	o := c.run("translate", "--from", "en", "--to", "de", "--json", "--output", filepath.Join(c.dir, "out.eml"), mail)
	require.Equal(t, exitOK, o.code, o.stderr)
	require.Contains(t, o.stdout, `"output":`)
}
