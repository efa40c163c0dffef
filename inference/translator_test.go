package inference

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/m2m100/tokenizer"
	"dragoman/inference/openvino/ovtest"
)

// cacheDir is the cache of all tests of this process.
var cacheDir string

// TestMain makes one cache for all tests, so that the model is prepared once.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "dragoman-inference-")
	if err != nil {
		panic(err)
	}
	cacheDir = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

func open(t *testing.T, o Options) *Translator {
	t.Helper()
	o.Runtime = ovtest.Library(t)
	o.ModelDir = filepath.Join(ovtest.Root(), "assets", "starter")
	if o.Cache.Dir == "" {
		o.Cache.Dir = cacheDir
	}
	tr, err := Open(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, tr.Close()) })
	return tr
}

// TestAbandonedIsNotCollected would end the process: the runtime's memory is
// pinned.
func TestAbandonedIsNotCollected(t *testing.T) {
	func() {
		tr, err := Open(t.Context(), Options{
			Runtime: ovtest.Library(t), ModelDir: filepath.Join(ovtest.Root(), "assets", "starter"), Cache: Cache{Dir: cacheDir},
		})
		require.NoError(t, err)
		require.NotEmpty(t, translate(t, tr, "en", "de", "The house is big.").Text)
		require.NoError(t, tr.Abandon())
	}()
	runtime.GC()
	runtime.GC() // what the first found is finalised by now
	var held int
	abandoned.Range(func(any, any) bool { held++; return true })
	require.Equal(t, 1, held)
}

func translate(t *testing.T, tr *Translator, from, to, text string) Result {
	t.Helper()
	r, err := tr.Translate(t.Context(), Request{Text: text, From: from, To: to})
	require.NoError(t, err)
	return r
}

func TestSentence(t *testing.T) {
	tr := open(t, Options{})
	r := translate(t, tr, "en", "de", "Where is the nearest train station?")
	require.Contains(t, r.Text, "Bahnhof")
	s := r.Stats
	require.Equal(t, 1, s.Sentences)
	require.Equal(t, 10, s.TokensIn)
	require.Positive(t, s.TokensOut)
	require.Positive(t, s.Tokenise)
	require.Positive(t, s.Encode)
	require.GreaterOrEqual(t, s.FirstToken, s.Encode)
	require.GreaterOrEqual(t, s.Total, s.FirstToken)
	require.GreaterOrEqual(t, s.TokenP95, s.TokenMedian)
	require.Zero(t, s.BucketTokens)
}

func TestStructureStays(t *testing.T) {
	tr := open(t, Options{})
	text := "\ufeff  Good morning!\r\n\r\n\tThe house is big.  The dog is small. \r\n\r\n\r\n- milk\n- bread\n12:30\n"
	got := translate(t, tr, "en", "es", text).Text
	// What stands between the sentences, in order, must be there in order.
	rest := got
	for _, kept := range []string{"\ufeff  ", "\r\n\r\n\t", "  ", " \r\n\r\n\r\n- ", "\n- ", "\n12:30\n"} {
		_, after, found := strings.Cut(rest, kept)
		require.True(t, found, "%q is not kept in %q", kept, got)
		rest = after
	}
	require.Empty(t, rest)
	require.Equal(t, strings.Count(text, "\n"), strings.Count(got, "\n"))
	require.Equal(t, strings.Count(text, "\r"), strings.Count(got, "\r"))
}

func TestNothingToTranslateNeedsNoModel(t *testing.T) {
	tr := open(t, Options{})
	for _, text := range []string{"", " \n\t\n", "12,5 %", "…!?", "🙂👍🏽", "https://example.org/a?b=c.d", "\r\n"} {
		r := translate(t, tr, "en", "fr", text)
		require.Equal(t, text, r.Text)
		require.Zero(t, r.Stats.Sentences)
	}
	same := translate(t, tr, "en", "en", "Good morning!")
	require.Equal(t, "Good morning!", same.Text)
	require.Zero(t, same.Stats.Sentences)
}

func TestUnknownLanguage(t *testing.T) {
	tr := open(t, Options{})
	require.Equal(t, []string{"de", "en", "es", "fr", "it", "pt"}, tr.Languages())
	for _, pair := range [][2]string{{"xx", "en"}, {"en", "zh"}, {"", "en"}} {
		_, err := tr.Translate(t.Context(), Request{Text: "x", From: pair[0], To: pair[1]})
		require.ErrorIs(t, err, tokenizer.ErrUnknownLanguage)
		require.ErrorContains(t, err, "dragoman languages")
	}
}

func TestRepeatedSentencesAreTranslatedOnce(t *testing.T) {
	tr := open(t, Options{})
	r := translate(t, tr, "en", "it", strings.Repeat("The house is big.\n", 5))
	require.Equal(t, 1, r.Stats.Sentences)
	lines := strings.Split(strings.TrimSuffix(r.Text, "\n"), "\n")
	require.Len(t, lines, 5)
	for _, line := range lines {
		require.Equal(t, lines[0], line)
	}
}

func TestLongSentenceIsCut(t *testing.T) {
	tr := open(t, Options{})
	text := strings.Repeat("the house is big and the dog is small ", 60) + "."
	r := translate(t, tr, "en", "es", text)
	require.Greater(t, r.Stats.Sentences, 1)
	require.GreaterOrEqual(t, strings.Count(r.Text, "perro"), 30, "every part was translated")
	require.True(t, strings.HasSuffix(r.Text, "."))
}

// TestShortTextsEnd holds the cases of loops that people complain of: single
// words, doubled words, and a sentence that begins with a foreign word.
func TestShortTextsEnd(t *testing.T) {
	tr := open(t, Options{})
	for _, c := range []struct{ from, to, text string }{
		{"en", "es", "slowly"}, {"en", "es", "cheese"}, {"en", "es", "green"},
		{"es", "en", "despacio"}, {"es", "en", "queso"}, {"es", "en", "verde"},
		{"pt", "en", "logo logo"}, {"de", "en", "Como, das ist ein sehr schöner See in Italien."},
		{"en", "de", "ha ha ha ha ha ha ha ha ha ha"},
	} {
		r := translate(t, tr, c.from, c.to, c.text)
		require.NotEmpty(t, r.Text)
		require.Less(t, len([]rune(r.Text)), 3*len([]rune(c.text))+20, "%s to %s: %q", c.from, c.to, r.Text)
		require.Zero(t, r.Stats.Cut, "%q became %q", c.text, r.Text)
	}
}

func TestWordsThatTheModelDoesNotKnowAreKept(t *testing.T) {
	tr := open(t, Options{})
	for _, text := range []string{"日本語", "مرحبا بالعالم", "שלום לכולם.", strings.Repeat("漢字", 5000)} {
		r := translate(t, tr, "en", "es", text)
		require.Equal(t, text, r.Text)
		require.Equal(t, 1, r.Stats.Kept)
		require.Zero(t, r.Stats.Sentences)
	}
	mixed := translate(t, tr, "en", "es", "The house is big.\n日本語。\nThe dog is small.")
	require.Contains(t, mixed.Text, "casa")
	require.Contains(t, mixed.Text, "\n日本語。\n")
	require.Contains(t, mixed.Text, "perro")
	require.Equal(t, 2, mixed.Stats.Sentences)
	named := translate(t, tr, "en", "es", "My friend 太郎 lives in a big house.")
	require.Contains(t, named.Text, "casa", "one unknown word does not keep a sentence")
}

func TestStaticGraphsTranslateLikeDynamicOnes(t *testing.T) {
	dynamic, static := open(t, Options{Recipe: "f32"}), open(t, Options{Recipe: "f32", Encoder: "CPU-static"})
	text := "Good morning! The meeting starts at ten o'clock, and everybody should bring a pen and some paper. Thank you."
	a, b := translate(t, dynamic, "en", "fr", text), translate(t, static, "en", "fr", text)
	require.Equal(t, a.Text, b.Text)
	require.Positive(t, b.Stats.BucketTokens)
	require.Equal(t, b.Stats.BucketTokens-b.Stats.TokensIn, b.Stats.PaddingTokens)
	require.InDelta(t, float64(b.Stats.PaddingTokens)/float64(b.Stats.BucketTokens), b.Stats.PaddingShare(), 1e-9)
}

func TestProgressTellsTheTranslationPartByPart(t *testing.T) {
	tr := open(t, Options{})
	for _, text := range []string{"\tOne house.\nTwo houses.\nThree houses. \n", "12:30\n", ""} {
		var seen []int
		var parts strings.Builder
		r, err := tr.Translate(t.Context(), Request{
			Text: text, From: "en", To: "pt",
			Progress: func(p Progress) {
				seen = append(seen, p.Done)
				require.Equal(t, strings.Count(text, "house"), p.Total)
				parts.WriteString(p.Text)
			},
		})
		require.NoError(t, err)
		require.Equal(t, r.Text, parts.String())
		if strings.Contains(text, "house") {
			require.Equal(t, []int{1, 2, 3, 3}, seen)
		}
	}
}

// notes is a Memory.
type notes map[string]string

func (n notes) Recall(sentence string) (string, bool) {
	translation, found := n[sentence]
	return translation, found
}

func (n notes) Remember(sentence, translation string) { n[sentence] = translation }

func TestMemorySparesTheModel(t *testing.T) {
	tr := open(t, Options{})
	memory := notes{"One house.": "from memory"}
	request := Request{Text: "One house. Two houses. \U00013000\U00013001.", From: "en", To: "pt", Memory: memory}
	first, err := tr.Translate(t.Context(), request)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(first.Text, "from memory "), first.Text)
	require.Equal(t, 1, first.Stats.Remembered)
	require.Equal(t, 1, first.Stats.Sentences)
	require.Equal(t, 1, first.Stats.Kept)
	require.Len(t, memory, 2, "a sentence that stays as it is needs no memory")

	again, err := tr.Translate(t.Context(), request)
	require.NoError(t, err)
	require.Equal(t, first.Text, again.Text)
	require.Equal(t, 2, again.Stats.Remembered)
	require.Zero(t, again.Stats.Sentences)
}

func TestBeforeEachSentence(t *testing.T) {
	tr := open(t, Options{})
	errEnough := errors.New("enough")
	asked := 0
	_, err := tr.Translate(t.Context(), Request{
		Text: "One house. 12:30. One house. Two houses. Three houses.", From: "en", To: "de", Memory: notes{"Two houses.": "Zwei."},
		Before: func(context.Context) (bool, error) {
			if asked++; asked == 2 {
				return false, errEnough
			}
			return false, nil
		},
	})
	require.ErrorIs(t, err, errEnough)
	require.ErrorContains(t, err, "sentence 4 of 4", "what is known already is not asked for")
}

func TestCancelBetweenSentences(t *testing.T) {
	tr := open(t, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	_, err := tr.Translate(ctx, Request{
		Text: strings.Repeat("One house is here. Another one is there. ", 50), From: "en", To: "de",
		Progress: func(Progress) { cancel() },
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Contains(t, translate(t, tr, "en", "de", "The house is big.").Text, "Haus", "the translator works on")
}

func TestUnwritableCacheDoesNotStopTranslating(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	file := filepath.Join(t.TempDir(), "a file where the cache should be")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	var log bytes.Buffer
	defer slog.SetDefault(slog.Default())
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	tr := open(t, Options{Cache: Cache{Dir: file}})
	require.Contains(t, translate(t, tr, "en", "es", "The house is big.").Text, "casa")
	require.Equal(t, 1, strings.Count(log.String(), "\n"), "said once: %s", log.String())
	require.DirExists(t, tr.scratch)
	require.NoError(t, tr.removeScratch())
	require.NoDirExists(t, tr.scratch)
}

func TestOpenRefuses(t *testing.T) {
	library, starter := ovtest.Library(t), filepath.Join(ovtest.Root(), "assets", "starter")
	for want, o := range map[string]Options{
		"weight format": {Runtime: library, ModelDir: starter, Recipe: "int2"},
		"device":        {Runtime: library, ModelDir: starter, Encoder: "TOASTER"},
		"no such":       {Runtime: library, ModelDir: filepath.Join(t.TempDir(), "missing")},
	} {
		o.Cache.Dir = cacheDir
		_, err := Open(t.Context(), o)
		require.ErrorContains(t, err, want)
	}
}
