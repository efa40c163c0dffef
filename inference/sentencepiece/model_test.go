package sentencepiece

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"
)

// starter is the model that dragoman brings along: 24,000 pieces and a full
// nmt_nfkc character map.
var starter = filepath.Join("..", "..", "assets", "starter", "sentencepiece.bpe.model")

func TestLoadRefuses(t *testing.T) {
	for name, want := range map[string]string{
		"refused-unigram.model": "SentencePiece unigram model, only BPE models are supported",
		"refused-bytes.model":   "byte fallback is not supported",
		"refused-suffix.model":  "white space as a suffix of words is not supported",
		"missing.model":         "missing.model",
		"README.md":             "not a SentencePiece model",
	} {
		path := filepath.Join("testdata", name)
		_, err := Load(path)
		require.ErrorContains(t, err, path)
		require.ErrorContains(t, err, want)
		require.Equal(t, name == "missing.model", errors.Is(err, os.ErrNotExist))
	}
}

// file builds model files from scratch.
type file []byte

func (f file) piece(text string, score float32, kind pieceKind) file {
	var p []byte
	p = protowire.AppendTag(p, pieceText, protowire.BytesType)
	p = protowire.AppendString(p, text)
	p = protowire.AppendTag(p, pieceScore, protowire.Fixed32Type)
	p = protowire.AppendFixed32(p, math.Float32bits(score))
	p = protowire.AppendTag(p, pieceType, protowire.VarintType)
	p = protowire.AppendVarint(p, uint64(kind))
	return f.message(modelPieces, p)
}

func (f file) message(num protowire.Number, content []byte) file {
	f = protowire.AppendTag(slices.Clip(f), num, protowire.BytesType)
	return protowire.AppendBytes(f, content)
}

func (f file) bpe() file {
	trainer := protowire.AppendVarint(protowire.AppendTag(nil, trainerModelType, protowire.VarintType), modelTypeBPE)
	return f.message(modelTrainer, trainer)
}

func (f file) normalizer(charsmap string) file {
	spec := protowire.AppendTag(nil, normalizerCharsmap, protowire.BytesType)
	return f.message(modelNormalizer, protowire.AppendString(spec, charsmap))
}

func TestParseNamesWhatIsBroken(t *testing.T) {
	whole := file{}.piece("<unk>", 0, kindUnknown).bpe().normalizer("")
	for name, c := range map[string]struct {
		data file
		want string
	}{
		"empty file":           {file{}, "the file is empty"},
		"no unknown piece":     {file{}.piece("a", 0, kindNormal).bpe().normalizer(""), "none of the 1 pieces is the unknown piece"},
		"two unknown pieces":   {whole.piece("?", 0, kindUnknown), "pieces 0 and 1 are both the unknown piece"},
		"piece twice":          {whole.piece("a", 0, kindNormal).piece("a", 0, kindNormal), "pieces 1 and 2 have the same text"},
		"empty piece":          {whole.piece("", 0, kindNormal), "piece 1 is empty"},
		"unknown type":         {whole.piece("a", 0, 9), "piece 1: unknown type 9"},
		"score not a number":   {whole.piece("a", float32(math.NaN()), kindNormal), "piece 1: its score is not a number"},
		"no normaliser":        {file{}.piece("<unk>", 0, kindUnknown).bpe(), "the normaliser is missing"},
		"no model type":        {file{}.piece("<unk>", 0, kindUnknown).normalizer(""), "unigram"},
		"short character map":  {whole.normalizer("\x01"), "character map is cut off"},
		"long trie":            {whole.normalizer("\x08\x00\x00\x00abcd"), "says that its trie has 8"},
		"cut in the last part": {whole[:len(whole)-1], "at byte "},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse(c.data)
			require.ErrorContains(t, err, c.want)
		})
	}
}

// A model file that was cut off is an error, wherever the cut is.
func TestParseRefusesEveryCut(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "bare.model"))
	require.NoError(t, err)
	_, err = Parse(data)
	require.NoError(t, err)
	const denormalizer = 2 // bytes at the end: an empty one, which may be missing
	for cut := range len(data) - denormalizer {
		_, err := Parse(data[:cut])
		require.Error(t, err, cut)
	}
}

// Equal scores are merged from the left, a control piece is never made from
// text, and a run of unknown text is one token.
func TestTokenizeSmall(t *testing.T) {
	m, err := Parse(file{}.
		piece("<unk>", 0, kindUnknown).
		piece("<s>", 0, kindControl).
		piece("a", -9, kindNormal).
		piece("aa", -1, kindNormal).
		piece(spaceMark, -9, kindNormal).
		bpe().normalizer(""))
	require.NoError(t, err)
	for text, want := range map[string][]string{
		"":            {},
		"   ":         {},
		"aaa":         {"▁", "aa", "a"},
		"<s>a":        {"▁", "<s>", "a"},
		"xyz xyz":     {"▁", "xyz", "▁", "xyz"},
		"a\xff\xfea":  {"▁", "a", "\ufffd\ufffd", "a"},
		"  aa   aa  ": {"▁", "aa", "▁", "aa"},
	} {
		require.Equal(t, want, m.Encode(text), "%q", text)
	}
	require.Equal(t, []Token{{"▁", 4}, {"<s>", 0}}, m.Tokenize("<s>"))
}

// A quadratic step anywhere would take hours here.
func TestTokenizeLong(t *testing.T) {
	m, err := Load(starter)
	require.NoError(t, err)
	for name, text := range map[string]string{
		"text of 1 MB":         strings.Repeat("Wo ist der nächste Bahnhof, bitte? Gleich um die Ecke. ", 18_000),
		"word of 100 KB":       strings.Repeat("bahnhofsvorsteher", 6_000),
		"one letter, 200 KB":   strings.Repeat("e", 200_000),
		"unknown text, 300 KB": strings.Repeat("漢", 100_000),
		"combining, 200 KB":    strings.Repeat("\u0301", 100_000),
		"200 KB of no UTF-8":   strings.Repeat("\xff\xc3", 100_000),
		"white space of 1 MB":  strings.Repeat(" \t", 500_000) + "x",
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, m.normalizer.normalize(text), strings.Join(m.Encode(text), ""))
		})
	}
}

func TestTokenizeFrom(t *testing.T) {
	m, err := Load(starter)
	require.NoError(t, err)
	for _, text := range []string{"", "The small house.", "  two  spaces \n and a line ", "ﬁne ½ Ａ", "家は☃☃ große", "\xff a \xfe", "\u00ad \u200b"} {
		tokens, from := m.TokenizeFrom(text)
		require.Equal(t, m.Tokenize(text), tokens, "%q", text)
		require.Len(t, from, len(tokens)+1)
		require.Equal(t, len(text), int(from[len(tokens)]))
		require.True(t, slices.IsSorted(from))
	}
	text := "The  house"
	tokens, from := m.TokenizeFrom(text)
	require.Equal(t, []string{"\u2581The", "\u2581house"}, []string{tokens[0].Text, tokens[1].Text})
	require.Equal(t, []int32{0, 3, 10}, from)
}
