package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/openvino/ovtest"
)

// TestOwnTranslations imports and corrects, by the service and without it.
func TestOwnTranslations(t *testing.T) {
	c := withService(t)
	ok := func(args ...string) outcome {
		t.Helper()
		o := c.run(args...)
		require.Equal(t, exitOK, o.code, o.stderr)
		return o
	}
	tmx := filepath.Join(ovtest.Root(), "inference", "memory", "testdata", "omegat.tmx")
	require.Equal(t, "omegat.tmx: 2 units\n", ok("memory", "import", tmx).stdout)
	ok("correct", "--from", "en", "--to", "de", "The house is big.", "Das Gebäude ist riesig.")
	for _, local := range []string{"--local=false", "--local"} {
		o := ok("translate", local, "--explain", "--from", "en", "--to", "de", "Save the file & close it.")
		require.Equal(t, "Datei sichern & schließen.\n", o.stdout)
		require.Contains(t, o.stderr, "the model was not asked: all of it was translated before")
		require.Contains(t, o.stderr, "sentence 1: from your own translations")
		o = ok("translate", local, "--from", "en", "--to", "de", "The house is big. The dog is small.")
		require.Contains(t, o.stdout, "Das Gebäude ist riesig. ")
		require.Contains(t, o.stdout, "Hund")
	}
	ok("correct", "--from", "en", "--to", "de", "The house is big.", "Ein großes Haus.")
	require.Equal(t, "Ein großes Haus.\n", ok("translate", "--from", "en", "--to", "de", "The house is big.").stdout)
	require.Contains(t, ok("memory", "search", "--from", "en", "--to", "de", "The house is very big.").stdout, "80 %  own.tmx\nThe house is big.\nEin großes Haus.\n")
	require.Contains(t, ok("memory", "export").stdout, `<tuv xml:lang="es"><seg>Pulse Guardar ahora.</seg></tuv>`)
	require.Equal(t, "omegat.tmx: 2 units\nown.tmx: 1 unit\n", ok("memory", "list").stdout)
	ok("memory", "forget", "The house is big.")
	ok("memory", "forget", "omegat.tmx")
	require.Empty(t, ok("memory", "list").stdout)
	require.Contains(t, ok("translate", "--from", "en", "--to", "de", "The house is big.").stdout, "Das Haus ist groß")

	bad := filepath.Join(t.TempDir(), "bad.tmx")
	require.NoError(t, os.WriteFile(bad, []byte("<tmx>\n<tu>"), 0o600))
	o := c.run("memory", "import", tmx, bad)
	require.Equal(t, exitInput, o.code)
	require.Contains(t, o.stderr, "bad.tmx, line 2")
	require.Empty(t, ok("memory", "list").stdout, "nothing changed")
	require.Equal(t, exitInput, c.run("memory", "forget", "bad.tmx").code)
	require.Equal(t, exitInput, c.run("memory", "forget", "nothing").code)
	require.Equal(t, exitUsage, c.run("correct", "a", "b").code)
	require.Equal(t, exitUsage, c.run("memory", "search", "a").code)
}
