package tokenizer

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func BenchmarkLoad(b *testing.B) {
	for name, load := range map[string]func(testing.TB) *Tokenizer{"starter": loadStarter, "418M": loadReal} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				load(b)
			}
		})
	}
}

// BenchmarkVocabulary compares with encoding/json, which the reader of
// vocab.json replaces for its speed.
func BenchmarkVocabulary(b *testing.B) {
	loadReal(b)
	path := filepath.Join(realDir, vocabularyFile)
	b.Run("own", func(b *testing.B) {
		for b.Loop() {
			_, err := loadVocabulary(path)
			require.NoError(b, err)
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		for b.Loop() {
			data, err := os.ReadFile(path)
			require.NoError(b, err)
			var v map[string]int32
			require.NoError(b, json.Unmarshal(data, &v))
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	s := loadStarter(b)
	const sentence = "Where is the nearest train station, and when does the next train leave?"
	b.SetBytes(int64(len(sentence)))
	b.ReportAllocs()
	for b.Loop() {
		_, err := s.Encode("en", sentence)
		require.NoError(b, err)
	}
}

func BenchmarkDecode(b *testing.B) {
	s := loadStarter(b)
	ids, err := s.Encode("en", "Where is the nearest train station, and when does the next train leave?")
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		s.Decode(ids)
	}
}
