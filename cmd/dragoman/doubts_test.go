package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	dutch   = "Ik ben daar nog nooit geweest, want het is te ver."
	russian = "Я никогда там не был и не хочу туда."
)

// TestDoubtsAreSaid has what cannot be translated as it seems, by the service
// and without it.
func TestDoubtsAreSaid(t *testing.T) {
	c := withService(t)
	for _, local := range []string{"--local=false", "--local"} {
		for text, language := range map[string]string{dutch: "Dutch (nl)", russian: "Russian (ru)"} {
			o := c.run("translate", local, "--to", "de", text)
			require.Equal(t, exitInput, o.code, o.stderr)
			require.Empty(t, o.stdout)
			require.Contains(t, o.stderr, language)
			require.Contains(t, o.stderr, "English (en)")
			require.Contains(t, o.stderr, "--from")
			require.Equal(t, 1, strings.Count(o.stderr, "\n"), o.stderr)
		}
		o := c.run("translate", local, "--to", "de", "casa")
		require.Equal(t, exitOK, o.code, o.stderr)
		require.Regexp(t, `^dragoman: text: taken as \w+ \(unsure.*\): say --from\n$`, o.stderr)
		var got jsonTranslation
		require.NoError(t, json.Unmarshal([]byte(c.run("translate", local, "--to", "de", "--json", "casa").stdout), &got))
		require.True(t, got.Unsure)

		c.stdin = "This is what she told me on the phone yesterday evening:\n" + russian + "\n"
		o = c.run("translate", local, "--to", "de")
		require.Equal(t, exitOK, o.code, o.stderr)
		require.Contains(t, o.stdout, russian)
		require.Contains(t, o.stderr, "parts of the text seem to be in Russian (ru)")
		require.Contains(t, o.stderr, "sentences left as they are")

		o = c.run("translate", local, "--from", "en", "--to", "de", russian)
		require.Equal(t, exitOK, o.code, o.stderr)
		require.Equal(t, russian+"\n", o.stdout)
		require.Equal(t, "dragoman: text: sentences left as they are, because the model does not know their words: 1\n", o.stderr)
		require.Empty(t, c.run("translate", local, "--to", "de", station).stderr, "no false alarm")
	}
}
