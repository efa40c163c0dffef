package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTranslateDocuments(t *testing.T) {
	t.Parallel()
	c := newCommand(t)
	c.write("a.md", "# Good morning.\n\n`code` and {{name}}\n")
	shown := c.succeeds("translate", "--dry-run", "a.md")
	require.Contains(t, shown, "a.md: Markdown, 2 segments")
	require.Contains(t, shown, `heading	"Good morning."`)
	require.Contains(t, shown, `[protected: ["code" "{{name}}"]]`)

	c.succeeds("translate", "--from", "en", "--to", "de", "a.md", "-o", "out/")
	require.Equal(t, []string{"a.de.md"}, list(t, filepath.Join(c.dir, "out")))
	out := c.read("out/a.de.md")
	require.Contains(t, out, "# Gute")
	require.Contains(t, out, "`code`")
	require.Contains(t, out, "{{name}}")

	both := c.succeeds("translate", "--from", "en", "--to", "de", "--bilingual", "a.md")
	require.Contains(t, both, "# Good morning.<br>Gute")
}

// What a user knows of their files counts.
func TestTranslateReadsAsTold(t *testing.T) {
	t.Parallel()
	c := newCommand(t)
	c.write("a.csv", "Key,Text\nk one,t one\n")
	c.write("a.json", `{"id": "one two", "text": "three"}`)
	c.write("a.txt", "Gr\xfc\xdfe")
	for _, args := range [][]string{
		{"--columns", "Text", "a.csv", "t one"}, {"--json-path", "id", "a.json", "one two"},
		{"--encoding", "latin1", "a.txt", "Grüße"}, {"--from", "de", "a.txt", "Grüße"},
	} {
		shown := c.succeeds(append([]string{"translate", "--dry-run"}, args[:3]...)...)
		require.Contains(t, shown, `"`+args[3]+`"`)
		require.Contains(t, shown, ", 1 segment\n")
	}
	for _, args := range [][]string{
		{"--columns", "0", "a.csv", "counted from 1"}, {"--columns", "Nope", "a.csv", `no column "Nope"`},
		{"--json-path", "a..b", "a.json", "empty key"}, {"--encoding", "klingon", "a.txt", "no encoding"}, {"a.txt", "--text=false", "--dry-run", "--encoding"},
		{"--encoding", "latin1", "-", "are for files"}, {"--columns", "2", "some words", "are for files"},
	} {
		o := c.run(append([]string{"translate", "--dry-run"}, args[:3]...)...)
		require.NotZero(t, o.code)
		require.Contains(t, o.stderr, args[3])
	}
}
