package tokenizer

import (
	"bufio"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// starterDir is the checkpoint that dragoman brings along.
var starterDir = filepath.Join("..", "..", "..", "assets", "starter")

// realDir has the tokenizer files of facebook/m2m100_418M, which are not part
// of this repository.
var realDir = filepath.Join("..", "..", "..", "..", "shared", "m2m100")

func loadStarter(tb testing.TB) *Tokenizer {
	tb.Helper()
	t, err := Load(starterDir)
	require.NoError(tb, err)
	return t
}

func loadReal(tb testing.TB) *Tokenizer {
	tb.Helper()
	if _, err := os.Stat(realDir); err != nil {
		tb.Skip("the tokenizer files of facebook/m2m100_418M are not here: ", err)
	}
	t, err := Load(realDir)
	require.NoError(tb, err)
	return t
}

// reference is what transformers makes of a text: the text, or its bytes in
// hexadecimal where they are not UTF-8.
type reference struct {
	Lang, Text, Hex string
	IDs             []int32
	Decoded         string
}

func readReferences(t *testing.T, name string) []reference {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	var all []reference
	lines := bufio.NewScanner(z)
	for lines.Scan() {
		var r reference
		require.NoError(t, json.Unmarshal(lines.Bytes(), &r))
		if r.Hex != "" {
			text, err := hex.DecodeString(r.Hex)
			require.NoError(t, err)
			r.Text = string(text)
		}
		all = append(all, r)
	}
	require.NoError(t, lines.Err())
	return all
}

func TestEqualsTransformers(t *testing.T) {
	for _, c := range []struct {
		file  string
		load  func(testing.TB) *Tokenizer
		lines int
	}{
		{"starter.jsonl.gz", loadStarter, 2110},
		{"m2m100_418M.jsonl.gz", loadReal, 406},
	} {
		t.Run(c.file, func(t *testing.T) {
			tokenizer := c.load(t)
			references := readReferences(t, c.file)
			require.Len(t, references, c.lines)
			for _, r := range references {
				ids, err := tokenizer.Encode(r.Lang, r.Text)
				require.NoError(t, err)
				require.Equal(t, r.IDs, ids, "%q", r.Text)
				require.Equal(t, r.Decoded, tokenizer.Decode(ids), "%q", r.Text)
			}
		})
	}
}

func TestPublishedVectors(t *testing.T) {
	tokenizer := loadReal(t)
	data, err := os.ReadFile(filepath.Join("testdata", "m2m100_418M_vectors.json"))
	require.NoError(t, err)
	var vectors []struct {
		Lang, Text string
		Published  []int32 `json:"published_ids"`
		Computed   []int32 `json:"sentencepiece_0_1_97_ids"`
	}
	require.NoError(t, json.Unmarshal(data, &vectors))
	require.Len(t, vectors, 52)
	published := 0
	for _, v := range vectors {
		ids, err := tokenizer.Encode(v.Lang, v.Text)
		require.NoError(t, err)
		require.Equal(t, v.Computed, ids, "%q", v.Text)
		if v.Published != nil {
			require.Equal(t, v.Published, ids, "%q", v.Text)
			published++
		}
	}
	require.Equal(t, 34, published)
}
