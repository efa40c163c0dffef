package m2m100

import (
	"bufio"
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/inference/m2m100/draft"
	"dragoman/inference/m2m100/tokenizer"
	"dragoman/inference/openvino/ovtest"
)

// guessing opens the starter with the processor's own decoder.
func guessing(t *testing.T) (*Engine, *tokenizer.Tokenizer) {
	t.Helper()
	o := starterOptions(t, "int8", CPU)
	if !o.recipe().Host {
		t.Skip("this processor has no AVX2")
	}
	e := openEngine(t, o)
	words, err := tokenizer.Load(starterDir())
	require.NoError(t, err)
	return e, words
}

// free has guesses seem to cost nothing for the next sentence, so that all are
// checked.
func free(e *Engine) {
	for range 16 {
		e.costs.Took(4, 1)
		e.costs.Took(8, 1)
		e.costs.Took(1, time.Millisecond)
	}
}

// guessed generates with what is told, by an empty memory.
func guessed(t *testing.T, e *Engine, words *tokenizer.Tokenizer, lane Lane, source []int32, target int32, told []int32) Generation {
	t.Helper()
	free(e)
	s := draft.NewMemory(words.Begins).Sentence(draft.NewWatch(), source, target, told)
	g, err := e.GenerateDrafted(t.Context(), lane, source, target, s)
	require.NoError(t, err)
	require.Len(t, g.Steps, len(g.Tokens)+1)
	require.LessOrEqual(t, g.Accepted, g.Drafted)
	return g
}

// wrongIn has one token in so many replaced by any.
func wrongIn(r *rand.Rand, tokens []int32, every int) []int32 {
	tokens = slices.Clone(tokens)
	for i := range tokens {
		if r.IntN(every) == 0 {
			tokens[i] = 4 + r.Int32N(20000)
		}
	}
	return tokens
}

// TestGuessesChangeNoToken guesses sentences of many pairs of languages rightly,
// wrongly, and both.
func TestGuessesChangeNoToken(t *testing.T) {
	e, words := guessing(t)
	var all []reference
	every := 4
	if testing.Short() {
		every = 16
	}
	for i, ref := range readReferences(t) {
		if i%every == 0 {
			all = append(all, ref)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	steps, forget := rowsOfSteps(e, nil)
	defer forget()
	var tokens, drafted, accepted int
	for i, ref := range all {
		want := generate(t, e, ref.Source, ref.Target[0])
		*steps = nil
		right := guessed(t, e, words, Interactive, ref.Source, ref.Target[0], want)
		require.Equal(t, want, right.Tokens, "sentence %d", i)
		require.Equal(t, right.Drafted, right.Accepted, "none was wrong but what was not the last")
		require.LessOrEqual(t, len(*steps), len(want)/2+3, "sentence %d of %d tokens", i, len(want))
		for _, told := range [][]int32{wrongIn(r, want, 5), wrongIn(r, want, 1), want[:len(want)/2]} {
			g := guessed(t, e, words, Interactive, ref.Source, ref.Target[0], told)
			require.Equal(t, want, g.Tokens, "sentence %d", i)
			tokens, drafted, accepted = tokens+len(want), drafted+g.Drafted, accepted+g.Accepted
		}
	}
	t.Logf("%d tokens: %d were guessed, %d rightly", tokens, drafted, accepted)
	require.Greater(t, drafted-accepted, tokens/10)
	require.Greater(t, accepted, tokens/10)
}

// TestGuessesOfABatchChangeNoToken does so for sentences that are few enough to be
// guessed, and for more of them.
func TestGuessesOfABatchChangeNoToken(t *testing.T) {
	e, words := guessing(t)
	r := rand.New(rand.NewPCG(3, 4))
	references := readReferences(t)
	var want [][]int32
	for _, ref := range references[:12] {
		want = append(want, generate(t, e, ref.Source, ref.Target[0]))
	}
	drafted := 0
	for _, many := range []int{1, 2, 3, 12} {
		for range 3 {
			var group sync.WaitGroup
			out := make([]Generation, many)
			free(e)
			for i := range many {
				told := wrongIn(r, want[i], 6)
				group.Go(func() {
					s := draft.NewMemory(words.Begins).Sentence(draft.NewWatch(), references[i].Source, references[i].Target[0], told)
					out[i], _ = e.GenerateDrafted(t.Context(), Batch, references[i].Source, references[i].Target[0], s)
				})
			}
			group.Wait()
			for i, g := range out {
				require.Equal(t, want[i], g.Tokens, "sentence %d of %d", i, many)
				require.Len(t, g.Steps, len(g.Tokens)+1)
				drafted += g.Drafted
			}
		}
	}
	require.Greater(t, drafted, 50)
}

// TestGuessesAreGuardedAsTokensAre holds the end token back, so that the model
// begins to repeat itself, and guesses that it does.
func TestGuessesAreGuardedAsTokensAre(t *testing.T) {
	e, words := guessing(t)
	n := lengths{least: 90, most: 90}
	want, err := e.generate(t.Context(), Interactive, shortSource, spanish, n, nil)
	require.NoError(t, err)
	require.NotZero(t, want.Guarded)
	phrase := want.Tokens[40:44]
	for _, told := range [][]int32{want.Tokens, slices.Repeat(phrase, 25), append(slices.Clone(want.Tokens[:50]), slices.Repeat(want.Tokens[46:50], 10)...)} {
		free(e)
		s := draft.NewMemory(words.Begins).Sentence(draft.NewWatch(), shortSource, spanish, told)
		g, err := e.generate(t.Context(), Interactive, shortSource, spanish, n, &guesses{s, &e.costs})
		require.NoError(t, err)
		require.NotZero(t, g.Drafted)
		require.Equal(t, want.Tokens, g.Tokens)
		require.Equal(t, want.Guarded, g.Guarded)
		require.True(t, g.Cut)
	}
}

// TestGuessesEndWithTheText cancels at each step, and has an urgent text come at
// each step.
func TestGuessesEndWithTheText(t *testing.T) {
	e, words := guessing(t)
	want, short := generate(t, e, longSource, spanish), generate(t, e, shortSource, spanish)
	told := wrongIn(rand.New(rand.NewPCG(5, 6)), want, 6)
	sentence := func() *draft.Sentence {
		free(e)
		return draft.NewMemory(words.Begins).Sentence(draft.NewWatch(), longSource, spanish, told)
	}
	for n := 1; ; n++ {
		ctx := endsAtQuestion(t.Context(), n)
		g, err := e.GenerateDrafted(ctx, Interactive, longSource, spanish, sentence())
		if err == nil {
			require.Equal(t, want, g.Tokens)
			require.Greater(t, n, 3)
			break
		}
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, n, ctx.asked, "nothing was computed after the end")
		require.Empty(t, g.Tokens)
		require.Equal(t, short, generate(t, e, shortSource, spanish))
	}
	came := 0
	for at := 1; ; at++ {
		var urgent []int32
		done := make(chan struct{})
		asks := 0
		_, forget := rowsOfSteps(e, func(int) error {
			if asks++; asks == at {
				came++
				go func() {
					defer close(done)
					g, _ := e.Generate(t.Context(), Interactive, shortSource, spanish)
					urgent = g.Tokens
				}()
				for e.turns.wanted.Load() == 0 {
					runtime.Gosched()
				}
			}
			return nil
		})
		g, err := e.GenerateDrafted(t.Context(), Batch, longSource, spanish, sentence())
		forget()
		require.NoError(t, err)
		require.Equal(t, want, g.Tokens)
		if asks < at {
			break
		}
		<-done
		require.Equal(t, short, urgent)
	}
	require.Greater(t, came, 3)
}

// TestNothingIsGuessedElsewhere: the runtime's decoder keeps what cannot be taken
// back.
func TestNothingIsGuessedElsewhere(t *testing.T) {
	e := openEngine(t, starterOptions(t, "int8", CPU).decodedBy(GraphDecoder))
	words, err := tokenizer.Load(starterDir())
	require.NoError(t, err)
	want := generate(t, e, longSource, spanish)
	for _, lane := range []Lane{Interactive, Batch} {
		g := guessed(t, e, words, lane, longSource, spanish, want)
		require.Equal(t, want, g.Tokens)
		require.Zero(t, g.Drafted)
	}
}

// TestGreedyOutputsHaveCandidatesOfTheirOwn: what a step has room for in a beam
// search is no token for anybody else.
func TestGreedyOutputsHaveCandidatesOfTheirOwn(t *testing.T) {
	e, words := guessing(t)
	guessed(t, e, words, Interactive, longSource, spanish, generate(t, e, longSource, spanish))
	lane := &e.decoder.steps.(*hostDecoder).lanes[Interactive]
	for guess := range lane.Drafted + 1 {
		_, tokens := lane.checked(guess)
		require.Len(t, tokens, candidates)
		require.NotContains(t, tokens, int32(math.MaxInt32))
	}
	_, tokens := lane.best()
	require.Len(t, tokens, candidates)
	require.NotContains(t, tokens, int32(math.MaxInt32))
}

// TestAnEditedTextHasTheSameTokens translates real sentences, then others that
// differ in one word of ten, with all that is remembered of the first.
func TestAnEditedTextHasTheSameTokens(t *testing.T) {
	e, words := guessing(t)
	f, err := os.Open(filepath.Join(ovtest.Root(), "..", "shared", "corpus", "test", "pud.en"))
	if err != nil {
		t.Skip("the test sets are not there: ", err)
	}
	defer f.Close()
	lines := 15
	if testing.Short() {
		lines = 5
	}
	var text []string
	for s := bufio.NewScanner(f); s.Scan() && len(text) < lines; {
		text = append(text, s.Text())
	}
	all := strings.Fields(strings.Join(text, " "))
	r := rand.New(rand.NewPCG(7, 8))
	memory, watch := draft.NewMemory(words.Begins), draft.NewWatch()
	var tokens, accepted int
	for i, line := range text {
		edited := strings.Fields(line)
		for range max(1, len(edited)/10) {
			edited[r.IntN(len(edited))] = all[r.IntN(len(all))]
		}
		for _, sentence := range []string{line, strings.Join(edited, " ")} {
			source, err := words.Encode("en", sentence)
			require.NoError(t, err)
			s := memory.Sentence(watch, source, spanish, nil)
			free(e) // what guesses are worth on a loaded machine is another question
			g, err := e.GenerateDrafted(t.Context(), Interactive, source, spanish, s)
			require.NoError(t, err)
			require.Equal(t, generate(t, e, source, spanish), g.Tokens, "line %d", i+1)
			s.Done(g.Tokens, false)
			tokens, accepted = tokens+len(g.Tokens), accepted+g.Accepted
		}
	}
	t.Logf("%d tokens, %d of them guessed", tokens, accepted)
	require.Greater(t, accepted, tokens/5)
}
