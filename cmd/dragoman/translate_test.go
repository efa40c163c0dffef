package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const station = "Where is the nearest train station?"

func TestTranslateText(t *testing.T) {
	c := newCommand(t)
	out := c.succeeds("translate", "--from", "en", "--to", "de", station)
	require.Contains(t, out, "Bahnhof")
	require.Equal(t, 1, strings.Count(out, "\n"), "one line: %q", out)
	require.Equal(t, out, c.succeeds("translate", "--to", "de", "Where", "is", "the", "nearest", "train", "station?"), "the shell's words")
	c.stdin = station
	require.Equal(t, strings.TrimSuffix(out, "\n"), c.succeeds("translate", "--to", "de", "-"), "standard input, nothing added")
	require.Empty(t, list(t, c.dir))
}

func TestTranslateJSON(t *testing.T) {
	c := newCommand(t)
	var got map[string]any
	require.NoError(t, json.Unmarshal([]byte(c.succeeds("translate", "--to", "de", "--json", station)), &got))
	require.Equal(t, "en", got["from"])
	require.Equal(t, "de", got["to"])
	require.Contains(t, got["text"], "Bahnhof")
	require.NotContains(t, got, "file")
	stats, ok := got["stats"].(map[string]any)
	require.True(t, ok, "stats: %v", got["stats"])
	require.EqualValues(t, 1, stats["sentences"])
	require.Greater(t, stats["tokens_in"], 5.0)
	require.Greater(t, stats["tokens_out"], 5.0)
	for _, name := range []string{"tokenise_ms", "encode_ms", "first_token_ms", "token_median_ms", "token_p95_ms", "total_ms"} {
		require.Greater(t, stats[name], 0.0, name)
	}
	require.NotContains(t, stats, "bucket_tokens", "the dynamic graph has no buckets")
}

func TestTranslateJSONOfFiles(t *testing.T) {
	c := newCommand(t)
	c.write("a.txt", "Good morning.\n")
	c.write("b.txt", "Good night.\n")
	lines := strings.Split(strings.TrimSpace(c.succeeds("translate", "--to", "es", "--json", "--output", "out", "a.txt", "b.txt")), "\n")
	require.Len(t, lines, 2)
	for i, name := range []string{"a", "b"} {
		var got jsonTranslation
		require.NoError(t, json.Unmarshal([]byte(lines[i]), &got))
		require.Equal(t, name+".txt", got.File)
		require.Equal(t, filepath.Join("out", name+".es.txt"), got.Output)
		require.Equal(t, c.read("out/"+name+".es.txt"), got.Text)
	}
}

func TestTranslateStats(t *testing.T) {
	c := newCommand(t)
	o := c.run("translate", "--to", "de", "--stats", station)
	require.Equal(t, 0, o.code)
	require.Contains(t, o.stdout, "Bahnhof")
	require.NotContains(t, o.stdout, "tokens")
	require.Contains(t, o.stderr, "text: 1 sentence,")
	require.Contains(t, o.stderr, "first token after")
}

// shape replaces what is translated in each line, so that only structure is left.
func shape(text string) string {
	return regexp.MustCompile(`[^\s\x{FEFF}][^\r\n]*\pL[^\r\n]*\S`).ReplaceAllString(text, "x")
}

func TestTranslateKeepsStructure(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"CRLF, blank lines, no final newline": "Good morning!\r\n\r\n \t\r\n  Where is the station?\r\n\r\n\r\n12:30\r\nThank you",
		"LF, indentation, final newlines":     "\n\n    My name is Anna.\n\tI live in a town.\n---\n🙂 🙃\nhttps://example.com/a?b=c\n\nGood night.   \n\n",
		"lone CR":                             "Good morning.\rGood night.\r",
		"mixed line ends":                     "Good morning.\nGood evening.\r\nGood night.",
		"byte order mark":                     "\uFEFFGood morning.\n",
	} {
		t.Run(name, func(t *testing.T) {
			c := newCommand(t)
			c.stdin = text
			out := c.succeeds("translate", "--to", "de")
			require.NotEqual(t, text, out)
			require.Equal(t, shape(text), shape(out), "got %q", out)
		})
	}
}

func TestTranslateLeavesTheRestAlone(t *testing.T) {
	c := newCommand(t)
	for _, text := range []string{"", " ", "42", "1/2", "3.14 %", "…?!", "🙂🙃", "https://example.com/a.txt?b=c"} {
		var got jsonTranslation
		require.NoError(t, json.Unmarshal([]byte(c.succeeds("translate", "--to", "de", "--json", text)), &got))
		require.Equal(t, text, got.Text)
		require.Zero(t, got.Stats.TokensIn, "no call of the model for %q", text)
	}
	c.stdin = ""
	require.Empty(t, c.succeeds("translate", "--to", "de"))
	c.stdin = " Good morning.\r\n\r\nTwo  spaces."
	require.Equal(t, c.stdin, c.succeeds("translate", "--from", "en", "--to", "en"), "into the same language")
}

// nouns and places make as many different sentences as a test needs.
var (
	nouns  = []string{"teacher", "doctor", "girl", "farmer", "woman", "neighbour", "student", "boy", "driver", "cook"}
	places = []string{"station", "market", "school", "river", "garden", "house", "beach", "church", "bridge", "hotel"}
)

func sentences(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("The %s walks to the %s at %d o'clock.", nouns[i%10], places[i/10%10], i/100+1)
	}
	return out
}

func TestTranslateLongText(t *testing.T) {
	c := newCommand(t)
	var paragraphs []string
	s := sentences(50)
	for p := range 67 { // of 5 sentences of 9 words; most say the same again
		at := p % 10 * 5
		paragraphs = append(paragraphs, strings.Join(s[at:at+5], " "))
	}
	text := strings.Join(paragraphs, "\n\n") + "\n"
	require.GreaterOrEqual(t, len(strings.Fields(text)), 3000)
	c.write("long.txt", text)
	out := c.succeeds("translate", "--to", "es", "long.txt")
	translated := strings.Split(out, "\n\n")
	require.Equal(t, len(paragraphs), len(translated))
	require.Equal(t, translated[0], translated[10], "the same paragraph is translated alike wherever it stands")
	for i, paragraph := range translated {
		require.GreaterOrEqual(t, len(strings.Fields(paragraph)), 25, "paragraph %d: %q", i+1, paragraph)
	}
	require.True(t, strings.HasSuffix(out, "\n") && !strings.HasSuffix(out, "\n\n"))
}

func TestTranslateSentenceWithoutAnEnd(t *testing.T) {
	c := newCommand(t)
	var words []string
	for i := range 50 {
		words = append(words, strings.Fields(fmt.Sprintf("the %s goes to the old %s and", nouns[i%10], places[i/5%10]))...)
	}
	require.Equal(t, 400, len(words))
	c.stdin = strings.Join(words, " ")
	var got jsonTranslation
	o := c.run("translate", "--to", "de", "--json") // that it is nonsense may be said
	require.Equal(t, exitOK, o.code, o.stderr)
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &got))
	require.Greater(t, got.Stats.Sentences, 1, "it is too long for the model in one piece")
	require.Greater(t, got.Stats.TokensIn, 400)
	require.Greater(t, len(strings.Fields(got.Text)), 200)
	require.NotContains(t, got.Text, "\n")
}

const several = station + `
The weather is nice today, and I want to go to the beach.
Please close the window.
My sister lives in a small town near the sea.
How much does this book cost?
We have to leave early tomorrow morning.
`

func TestTranslateOnStaticGraphs(t *testing.T) {
	c := newCommand(t)
	c.stdin = several
	var got jsonTranslation
	require.NoError(t, json.Unmarshal([]byte(c.succeeds("translate", "--to", "de", "--device", "CPU-static", "--json")), &got))
	require.Equal(t, c.succeeds("translate", "--to", "de"), got.Text, "the same as on the dynamic graph")
	require.Positive(t, got.Stats.BucketTokens)
	require.Positive(t, got.Stats.PaddingShare)
}

func TestTranslateWithFloatWeights(t *testing.T) {
	c := newCommand(t)
	c.stdin = several
	out := c.succeeds("translate", "--to", "de", "--weights", "f32")
	require.Contains(t, out, "Bahnhof")
	require.Equal(t, shape(several), shape(out))
}

func TestTranslateWithoutACache(t *testing.T) {
	c := newCommand(t)
	c.env["DRAGOMAN_CACHE"] = c.write("cache", "a file in its place")
	for _, device := range []string{"CPU", "CPU-static"} {
		o := c.run("translate", "--to", "de", "--device", device, station)
		require.Equal(t, 0, o.code)
		require.Contains(t, o.stdout, "Bahnhof")
		require.True(t, strings.HasPrefix(o.stderr, "dragoman: WARN "), "%q", o.stderr)
		require.Contains(t, o.stderr, c.env["DRAGOMAN_CACHE"])
		require.Equal(t, 1, strings.Count(o.stderr, "\n"), "said once: %q", o.stderr)
		require.Empty(t, list(t, c.env["TMPDIR"]), "what was prepared for this run is gone")
	}
	require.Equal(t, "a file in its place", c.read("cache"))
}

func TestTranslateWithTheConfiguration(t *testing.T) {
	c := newCommand(t)
	c.env["DRAGOMAN_MODEL"] = ""
	config := fmt.Sprintf("[inference]\nmodel = %q\nencoder = \"cpu-static\"\n", starter())
	c.env["DRAGOMAN_CONFIG"] = c.write("settings/config.toml", config)
	var got jsonTranslation
	require.NoError(t, json.Unmarshal([]byte(c.succeeds("translate", "--to", "de", "--json", station)), &got))
	require.Positive(t, got.Stats.BucketTokens)
	require.NotContains(t, c.succeeds("translate", "--to", "de", "--json", "--device", "CPU", station), "bucket_tokens", "the flag wins")
}
