package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTranslateAlternatives(t *testing.T) {
	c := newCommand(t)
	out := c.succeeds("translate", "--from", "en", "--to", "de", "--alternatives", "3", station)
	all := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	require.Greater(t, len(all), 2)
	require.LessOrEqual(t, len(all), 4)
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(all))), len(all), "each is another one: %q", all)
	require.Equal(t, all[0]+"\n", c.succeeds("translate", "--from", "en", "--to", "de", "--beam", "4", station), "the first is the translation itself")

	var got jsonTranslation
	require.NoError(t, json.Unmarshal([]byte(c.succeeds("translate", "--from", "en", "--to", "de", "--json", "--alternatives", "3", station)), &got))
	require.Equal(t, all, append([]string{got.Text}, got.Others...))

	c.stdin = station + "\n\n" + station + "\n"
	both := c.succeeds("translate", "--from", "en", "--to", "de", "--alternatives", "1")
	require.Equal(t, all[0]+"\n\n"+all[0]+"\n"+all[1]+"\n\n"+all[1]+"\n", both)
}

func TestTranslateSearchOutOfBounds(t *testing.T) {
	c := newCommand(t)
	c.write("a.txt", "Good morning.\n")
	for why, args := range map[string][]string{
		"9 beams: 1 to 8 are possible":               {"--beam", "9", station},
		"--beam 0: 1 to 8 are possible":              {"--beam", "0", station},
		"so ask for 5 beams":                         {"--beam", "3", "--alternatives", "4", station},
		"8 alternatives: 0 to 7 are possible":        {"--alternatives", "8", station},
		"-1 alternatives":                            {"--alternatives", "-1", station},
		"give the number of beams, too":              {"--length-penalty", "2", station},
		"a length penalty of 11: -10 to 10":          {"--beam", "4", "--length-penalty", "11", station},
		"a length penalty of NaN":                    {"--beam", "4", "--length-penalty", "nan", station},
		"--alternatives is for texts, not for files": {"--alternatives", "2", "a.txt"},
		"to the standard input, without --output":    {"--alternatives", "2", "--output", "out.txt", station},
	} {
		o := c.run(append([]string{"translate", "--from", "en", "--to", "de"}, args...)...)
		require.Equal(t, exitUsage, o.code, why)
		require.Contains(t, o.stderr, why)
	}
}
