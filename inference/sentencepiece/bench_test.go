package sentencepiece

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// m2m100 is the 418M model's file of 128,000 pieces, which is not part of this
// repository.
var m2m100 = filepath.Join("..", "..", "..", "shared", "m2m100", "sentencepiece.bpe.model")

var modelFiles = map[string]string{"starter": starter, "418M": m2m100}

func BenchmarkLoad(b *testing.B) {
	for name, path := range modelFiles {
		b.Run(name, func(b *testing.B) {
			if _, err := os.Stat(path); err != nil {
				b.Skip("no real M2M-100 files: ", err)
			}
			b.ReportAllocs()
			for b.Loop() {
				_, err := Load(path)
				require.NoError(b, err)
			}
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	m, err := Load(starter)
	require.NoError(b, err)
	sentence := "Wo ist der nächste Bahnhof, bitte? Gleich dort um die Ecke. "
	for name, text := range map[string]string{
		"sentence": sentence,
		"10KB":     strings.Repeat(sentence, 160),
		"1MB":      strings.Repeat(sentence, 16_000),
		"word100K": strings.Repeat("bahnhofsvorsteher", 6_000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				m.Encode(text)
			}
		})
	}
}
