package tokenizer

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStarterLayout(t *testing.T) {
	s := loadStarter(t)
	require.Equal(t, 24109, s.Size())
	require.Equal(t, []int32{0, 1, 2, 3}, []int32{s.BOS(), s.Pad(), s.EOS(), s.Unknown()})
	require.Equal(t, []string{"de", "en", "es", "fr", "it", "pt"}, s.Languages())
	id, ok := s.LanguageID("en")
	require.True(t, ok)
	require.Equal(t, int32(24001+18), id)
	_, ok = s.LanguageID("zh")
	require.False(t, ok, "the starter has a token for Chinese but was not trained on it")

	forbidden := s.Forbidden()
	require.Len(t, forbidden, 100+8)
	require.Equal(t, int32(24001), forbidden[0])
	require.Equal(t, int32(24108), forbidden[107])
	for id, want := range map[int32]bool{-1: true, 0: true, 3: true, 4: false, 24000: false, 24001: true, 24108: true, 24109: true, 1 << 30: true} {
		require.Equal(t, want, s.IsSpecial(id), id)
	}
}

func TestRealLayout(t *testing.T) {
	s := loadReal(t)
	require.Equal(t, 128112, s.Size())
	require.Len(t, s.Languages(), 100)
	for lang, want := range map[string]int32{
		"af": 128004, "ar": 128006, "de": 128020, "en": 128022, "es": 128023, "fr": 128028, "hi": 128036, "mr": 128063, "nl": 128067, "ro": 128076, "zh": 128102, "zu": 128103,
	} {
		id, ok := s.LanguageID(lang)
		require.True(t, ok)
		require.Equal(t, want, id, lang)
	}
	require.Len(t, s.Forbidden(), 108)
}

// checkpoint writes a checkpoint folder: a small SentencePiece model and the
// given files, of which the empty ones are left out.
func checkpoint(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	pieces, err := os.ReadFile(filepath.Join("..", "..", "sentencepiece", "testdata", "symbols.model"))
	require.NoError(t, err)
	all := map[string]string{
		piecesFile:     string(pieces),
		vocabularyFile: `{"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "\u2581": 4, "i": 5, "\ud83d\ude00": 6, "a\\b": 7}`,
	}
	maps.Copy(all, files)
	for name, content := range all {
		if content != "" {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
		}
	}
	return dir
}

func TestLoadSmall(t *testing.T) {
	for name, c := range map[string]struct {
		files     map[string]string
		size      int
		languages string
		ids       map[string]int32
	}{
		"two files only":            {nil, 8 + 100 + 8, "", map[string]int32{"af": 8, "zu": 107}},
		"stated made-up words":      {map[string]string{tokenizerFile: `{"num_madeup_words": 0}`}, 108, "", nil},
		"vocab_size of the model":   {map[string]string{modelFile: `{"vocab_size": 128}`}, 128, "", nil},
		"nulls":                     {map[string]string{tokenizerFile: `{"language_codes": null, "num_madeup_words": null}`}, 116, "", nil},
		"trained languages":         {map[string]string{tokenizerFile: `{"trained_languages": ["es", "af"]}`}, 116, "af es", map[string]int32{"af": 8, "es": 27}},
		"wmt21":                     {map[string]string{tokenizerFile: `{"language_codes": "wmt21"}`}, 24, "cs de en ha is ja ru zh", map[string]int32{"en": 8, "de": 15}},
		"added tokens as numbered":  {map[string]string{addedFile: `{"__af__": 8, "<s>": 0, "<mask>": 115}`}, 116, "", nil},
		"an added language":         {map[string]string{addedFile: `{"__eo__": 120}`, tokenizerFile: `{"num_madeup_words": 0, "trained_languages": ["eo"]}`}, 121, "eo", map[string]int32{"eo": 120}},
		"an added language, config": {map[string]string{addedFile: `{"__eo__": 120}`, modelFile: `{"vocab_size": 130}`}, 130, "", map[string]int32{"eo": 120, "zu": 107}},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Load(checkpoint(t, c.files))
			require.NoError(t, err)
			require.Equal(t, c.size, s.Size())
			require.Len(t, s.Forbidden(), c.size-8)
			if c.languages != "" {
				require.Equal(t, c.languages, strings.Join(s.Languages(), " "))
			}
			for lang, want := range c.ids {
				id, ok := s.LanguageID(lang)
				require.True(t, ok, lang)
				require.Equal(t, want, id, lang)
			}
		})
	}
}

func TestLoadRefuses(t *testing.T) {
	const head = `{"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3`
	for name, c := range map[string]struct{ file, content, want string }{
		"no vocabulary":           {vocabularyFile, "", "vocab.json"},
		"no pieces":               {piecesFile, "", "sentencepiece.bpe.model"},
		"not a vocabulary":        {vocabularyFile, `["a"]`, `vocab.json: byte 0: '[' where '{' should be`},
		"cut in a text":           {vocabularyFile, head + `, "a`, "byte 48: the file ends inside a text"},
		"cut in an escape":        {vocabularyFile, head + `, "\`, "the file ends inside a text"},
		"cut after a text":        {vocabularyFile, head + `, "a"`, "the file ends where ':' should be"},
		"cut after a colon":       {vocabularyFile, head + `, "a":`, "a token's number should be here"},
		"cut after a number":      {vocabularyFile, head, "the file ends where ',' should be"},
		"comma missing":           {vocabularyFile, head + ` "a": 4}`, "where ',' should be"},
		"text behind":             {vocabularyFile, head + `} x`, "text after the end"},
		"empty":                   {vocabularyFile, `{}`, "the vocabulary is empty"},
		"negative":                {vocabularyFile, `{"a": -1}`, "a token's number should be here"},
		"huge":                    {vocabularyFile, `{"a": 99999999999999999999}`, "too large"},
		"fraction":                {vocabularyFile, `{"a": 0.5}`, "where ',' should be"},
		"hole":                    {vocabularyFile, `{"a": 0, "b": 2}`, "token 2 in a vocabulary of 2 entries"},
		"number twice":            {vocabularyFile, `{"a": 0, "b": 0}`, "two entries have the number 0"},
		"text empty":              {vocabularyFile, `{"": 0}`, "token 0 has no text"},
		"bad escape":              {vocabularyFile, `{"\x": 0}`, "unknown escape sequence"},
		"bad hexadecimal":         {vocabularyFile, `{"\u12g4": 0}`, "four hexadecimal digits"},
		"line end in a text":      {vocabularyFile, "{\"a\nb\": 0}", "control character"},
		"piece twice":             {vocabularyFile, head + `, "i": 4, "i": 5}`, "tokens 4 and 5 have the same text"},
		"text twice":              {vocabularyFile, head + `, "no piece": 4, "no piece": 5}`, "tokens 4 and 5 have the same text"},
		"special twice":           {vocabularyFile, head + `, "<s>": 4}`, "tokens 0 and 4 have the same text"},
		"specials missing":        {vocabularyFile, `{"<s>": 0, "<pad>": 1, "<unk>": 2}`, "the token </s> is missing"},
		"wrong pieces":            {piecesFile, "hello", "sentencepiece.bpe.model: broken or not a SentencePiece model"},
		"unknown codes":           {tokenizerFile, `{"language_codes": "nllb"}`, `language_codes "nllb"`},
		"unknown trained":         {tokenizerFile, `{"trained_languages": ["xx"]}`, `"xx" has no language token`},
		"negative made-up words":  {tokenizerFile, `{"num_madeup_words": -1}`, "num_madeup_words -1"},
		"broken configuration":    {tokenizerFile, `{"num_madeup_words": "8"}`, "tokenizer_config.json"},
		"small vocab_size":        {modelFile, `{"vocab_size": 107}`, "vocab_size 107 is too small for 8 entries of vocab.json and 100 language tokens"},
		"monstrous vocab_size":    {modelFile, `{"vocab_size": 1000000000}`, "vocab_size 1000000000"},
		"added language in vocab": {addedFile, `{"__eo__": 5}`, `"__eo__" has the number 5`},
		"added language on other": {addedFile, `{"__eo__": 9}`, `"__eo__" has the number 9`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Load(checkpoint(t, map[string]string{c.file: c.content}))
			require.ErrorContains(t, err, c.want)
			require.Equal(t, c.content == "", errors.Is(err, os.ErrNotExist))
		})
	}
}

func TestEscapesInVocabulary(t *testing.T) {
	v, err := parseVocabulary(`{"\u2581\u00e4" :1 ,` + "\r\n\t" + `"\ud83d\ude00\ud83d\n\u0000\/\"": 0}` + "\n")
	require.NoError(t, err)
	require.Equal(t, []string{"😀\ufffd\n\x00/\"", "▁ä"}, []string{v.entry(0), v.entry(1)})
}

// SMaLL-100's token before the text is the target's, and its decoder takes none.
func TestTargetInTheEncoder(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		first bool
	}{
		"M2M-100":                {map[string]string{tokenizerFile: `{"tokenizer_class": "M2M100Tokenizer"}`, modelFile: `{"_name_or_path": "facebook/m2m100_418M"}`}, false},
		"nothing said":           {nil, false},
		"class of the tokenizer": {map[string]string{tokenizerFile: `{"tokenizer_class": "SMALL100Tokenizer"}`}, true},
		"as published":           {map[string]string{modelFile: `{"_name_or_path": "/checkpoints/alirezamsh/fairseq/hf_small100"}`}, true},
		"trained from it":        {map[string]string{modelFile: `{"_name_or_path": "alirezamsh/small100"}`}, true},
	} {
		t.Run(name, func(t *testing.T) {
			tk, err := Load(checkpoint(t, c.files))
			require.NoError(t, err)
			de, _ := tk.LanguageID("de")
			id, ok := tk.DecoderLanguage("de")
			require.True(t, ok)
			if c.first {
				require.Equal(t, "de", tk.SourceLanguage("en", "de"))
				require.Equal(t, NoLanguage, id)
			} else {
				require.Equal(t, "en", tk.SourceLanguage("en", "de"))
				require.Equal(t, de, id)
			}
			_, ok = tk.DecoderLanguage("tlh")
			require.False(t, ok)
		})
	}
}
