package sentencepiece

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// reference is a line of testdata/reference.jsonl.gz: what SentencePiece makes
// of a text, or of pieces where there is no text.
type reference struct {
	Model   string
	Text    *string
	Pieces  []string
	IDs     []int32
	Decoded string
}

func readReferences(t *testing.T) []reference {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "reference.jsonl.gz"))
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	var all []reference
	for lines := bufio.NewScanner(z); lines.Scan(); {
		var r reference
		require.NoError(t, json.Unmarshal(lines.Bytes(), &r))
		all = append(all, r)
	}
	return all
}

func TestEqualsSentencePiece(t *testing.T) {
	models := make(map[string]*Model)
	compared := 0
	for _, r := range readReferences(t) {
		m := models[r.Model]
		if m == nil {
			var err error
			m, err = Load(filepath.Join("testdata", r.Model+".model"))
			require.NoError(t, err)
			models[r.Model] = m
		}
		if r.Text != nil {
			tokens := m.Tokenize(*r.Text)
			ids := make([]int32, len(tokens))
			for i, token := range tokens {
				ids[i] = token.ID
			}
			require.Equal(t, r.Pieces, m.Encode(*r.Text), "%s: %q", r.Model, *r.Text)
			require.Equal(t, r.IDs, ids, "%s: %q", r.Model, *r.Text)
		}
		require.Equal(t, r.Decoded, m.Decode(r.Pieces), "%s: %q", r.Model, r.Pieces)
		compared++
	}
	require.Len(t, models, 7)
	require.Equal(t, 7*360, compared)
}
