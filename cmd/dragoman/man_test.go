package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestManPages(t *testing.T) {
	t.Parallel()
	c := newCommand(t)
	c.env["SOURCE_DATE_EPOCH"] = "1700000000"
	for _, folder := range []string{"a", "b"} {
		require.Empty(t, c.succeeds("man", folder))
	}
	var want []string
	for _, documented := range allCommands(newRoot()) {
		if documented.Hidden || documented.Name() == "help" {
			continue
		}
		name := pageName(documented) + ".1"
		want = append(want, name)
		text := c.read("a/" + name)
		require.Equal(t, text, c.read("b/"+name), "deterministic")
		require.Contains(t, text, `"2023-11-14"`, name)
		require.Contains(t, text, roff(documented.Short), name)
		for _, section := range []string{".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION", `.SH "SEE ALSO"`} {
			require.Equal(t, 1, strings.Count(text, section+"\n"), "%s in %s", section, name)
		}
		require.Equal(t, strings.Count(text, "\n.nf\n"), strings.Count(text, "\n.fi\n"), name)
	}
	require.ElementsMatch(t, want, list(t, filepath.Join(c.dir, "a")))
	require.Contains(t, c.read("a/dragoman-translate.1"), `\fB\-o\fR, \fB\-\-output\fR \fIFILE\fR`)
	require.Contains(t, c.read("a/dragoman-config.1"), ".TP\ninference.threads (DRAGOMAN_INFERENCE_THREADS)\n")
	require.NotContains(t, c.succeeds("--help"), "manual pages", "hidden")

	if groff, err := exec.LookPath("groff"); err == nil {
		for _, name := range want {
			cmd := exec.CommandContext(t.Context(), groff, "-man", "-Tutf8", "-K", "utf-8", "-ww", "-z", filepath.Join(c.dir, "a", name))
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s: %s", name, out)
			require.Empty(t, string(out), name)
		}
	}
	c.env["SOURCE_DATE_EPOCH"] = "yesterday"
	requireRefused(t, c, exitUsage, []string{"SOURCE_DATE_EPOCH=yesterday"}, "man", "c")
	require.NoError(t, os.WriteFile(filepath.Join(c.dir, "file"), nil, 0o600))
	c.env["SOURCE_DATE_EPOCH"] = ""
	requireRefused(t, c, exitFailed, []string{"make the folder of the manual pages"}, "man", "file")
}
