package sentencepiece

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whatever a model file holds, it is refused or it works: nothing panics and
// pieces cover the normalised text.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"rules", "bare", "symbols", "unused", "refused-unigram"} {
		data, err := os.ReadFile(filepath.Join("testdata", name+".model"))
		require.NoError(f, err)
		f.Add(data, "Über abc <x> z \u2581")
	}
	f.Add([]byte(file{}.piece("<unk>", 0, kindUnknown).bpe().normalizer("\x04\x00\x00\x00\xff\xff\xff\x7fa\x00")), "aa")
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		m, err := Parse(data)
		if err != nil {
			return
		}
		pieces := m.Encode(text)
		require.Equal(t, m.normalizer.normalize(text), strings.Join(pieces, ""))
		m.Decode(pieces)
	})
}
