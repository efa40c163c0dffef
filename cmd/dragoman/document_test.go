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
