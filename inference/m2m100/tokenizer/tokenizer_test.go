package tokenizer

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestEncodeUnknownLanguage(t *testing.T) {
	s := loadStarter(t)
	for _, lang := range []string{"", "xx", "zh", "EN", "__en__"} {
		_, err := s.Encode(lang, "secret")
		require.ErrorIs(t, err, ErrUnknownLanguage, lang)
		require.ErrorContains(t, err, "dragoman languages")
		require.NotContains(t, err.Error(), "secret")
	}
	// A text given in place of a language must not get into a log whole.
	_, err := s.Encode(strings.Repeat("x", 1000), "")
	require.Less(t, len(err.Error()), 150)
}

// A token that is written out in a text is text.
func TestSpecialTokensInText(t *testing.T) {
	s := loadStarter(t)
	for _, text := range []string{"</s>", "<s>", "<pad>", "__de__ a", "madeupword0000", "▁</s>▁"} {
		ids, err := s.Encode("en", text)
		require.NoError(t, err)
		for _, id := range ids[1 : len(ids)-1] {
			require.True(t, id == s.Unknown() || !s.IsSpecial(id), "%q: %d", text, ids)
		}
	}
}

func TestDecodeSkips(t *testing.T) {
	s := loadStarter(t)
	hello, err := s.Encode("de", "Guten Tag")
	require.NoError(t, err)
	// As a decoder gives it: start, language, text, end, padding, and numbers
	// that are no token.
	ids := append([]int32{s.EOS()}, hello...)
	ids = append(ids, s.Pad(), s.BOS(), s.Unknown(), 24101, 24108, 24109, -1, 1<<31-1, -1<<31)
	require.Equal(t, "Guten Tag", s.Decode(ids))
	require.Empty(t, s.Decode(nil))
	require.Empty(t, s.Decode([]int32{s.EOS()}))
}

// A piece that vocab.json lacks is unknown, and a vocabulary entry that is no
// piece is met by its text.
func TestTheTwoFilesDiffer(t *testing.T) {
	s, err := Load(checkpoint(t, nil))
	require.NoError(t, err)
	for text, want := range map[string][]int32{
		"ich": {4, 3}, // "ich" is a piece, but no entry
		"😀":   {4, 6}, // no piece, but an entry
		"😀😀":  {4, 3}, // a run that is no entry
		"😀i😀": {4, 6, 5, 6},
	} {
		ids, err := s.Encode("de", text)
		require.NoError(t, err)
		require.Equal(t, want, ids[1:len(ids)-1], text)
	}
	require.Equal(t, `i😀a\b`, s.Decode([]int32{4, 5, 6, 7}))
}

func FuzzEncodeDecode(f *testing.F) {
	for _, text := range []string{"", "Hello world!", "a\x00b\xff", "\u2581 \u3000", "</s>__de__", "e\u0301\u200d😀", "\xed\xa0\x80\xf4\x90\x80\x80", "漢字漢"} {
		f.Add([]byte(text))
	}
	s := loadStarter(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		ids, err := s.Encode("fr", string(data))
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(ids), 2)
		require.Equal(t, s.EOS(), ids[len(ids)-1])
		for _, id := range ids {
			require.True(t, id >= 0 && int(id) < s.Size())
		}
		for _, id := range ids[1 : len(ids)-1] {
			require.True(t, id == s.Unknown() || !s.IsSpecial(id))
		}
		require.True(t, utf8.ValidString(s.Decode(ids)))

		// The same bytes as token numbers, sensible or not.
		random := make([]int32, 0, len(data))
		for i, b := range data {
			random = append(random, int32(b)<<(i%4*8)|int32(i))
		}
		require.True(t, utf8.ValidString(s.Decode(random)))
	})
}
