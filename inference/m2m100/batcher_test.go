package m2m100

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/inference/m2m100/host"
	"dragoman/inference/openvino"
)

// asked is a sentence for the batch lane.
type asked struct {
	ctx    context.Context // the test's where nil
	source []int32
	target int32
	exact  int // tokens, where the end token is held back
}

// answered is what became of it.
type answered struct {
	Generation
	err error
}

// askTogether asks for all sentences in the batch lane before the first one of
// them has begun. ended, where not nil, is told of each one's end.
func askTogether(t *testing.T, e *Engine, all []asked, ended func(int)) []answered {
	t.Helper()
	hold, err := e.turns.take(t.Context(), Interactive)
	require.NoError(t, err)
	out := make([]answered, len(all))
	var wg sync.WaitGroup
	for i, a := range all {
		if a.ctx == nil {
			a.ctx = t.Context()
		}
		wg.Go(func() {
			o := &out[i]
			if a.exact > 0 {
				o.Generation, o.err = e.GenerateExactlyTogether(a.ctx, a.source, a.target, a.exact)
			} else {
				o.Generation, o.err = e.Generate(a.ctx, Batch, a.source, a.target)
			}
			if ended != nil {
				ended(i)
			}
		})
	}
	for waiting := 0; waiting < len(all); runtime.Gosched() {
		e.batcher.mu.Lock()
		waiting = len(e.batcher.waiting)
		e.batcher.mu.Unlock()
	}
	hold.end()
	wg.Wait()
	return out
}

// rowsOfSteps has the decoder note how many rows each step has, and fail where
// fails says so. forget undoes it.
func rowsOfSteps(e *Engine, fails func(rows int) error) (steps *[]int, forget func()) {
	steps = new([]int)
	crew := e.batcher.crew.size
	e.batcher.crew.size = 0 // whose steps are others
	note := func(rows int) error {
		*steps = append(*steps, rows)
		if fails == nil {
			return nil
		}
		return fails(rows)
	}
	switch d := e.decoder.steps.(type) {
	case *hostDecoder:
		d.step = func(all ...*host.Sequence) error {
			if err := note(len(all)); err != nil {
				return err
			}
			return d.model.Step(all...)
		}
		forget = func() { d.step, e.batcher.crew.size = d.model.Step, crew }
	case *graphDecoder:
		d.infer = func(q *openvino.InferRequest) error {
			beams, err := q.Tensor(decoderBeams)
			if err != nil {
				return err
			}
			defer beams.Close()
			shape, err := beams.Shape()
			if err != nil {
				return err
			}
			if err := note(int(shape[0])); err != nil {
				return err
			}
			return q.Infer()
		}
		forget = func() { d.infer = (*openvino.InferRequest).Infer }
	}
	return steps, forget
}

// onBothDecoders runs a test with the processor's own decoder and the runtime's.
func onBothDecoders(t *testing.T, run func(t *testing.T, e *Engine)) {
	for _, d := range []Decoder{AnyDecoder, GraphDecoder} {
		t.Run("decoder "+string(d), func(t *testing.T) {
			run(t, openEngine(t, starterOptions(t, "int8", CPU).decodedBy(d)))
		})
	}
}

func referencesAsked(t *testing.T, n int) (all []asked) {
	for _, r := range readReferences(t)[:n] {
		all = append(all, asked{source: r.Source, target: r.Target[0]})
	}
	return all
}

func requireSameAsAlone(t *testing.T, e *Engine, all []asked, out []answered) {
	t.Helper()
	for i, a := range all {
		require.NoError(t, out[i].err, "sentence %d", i)
		require.Equal(t, generate(t, e, a.source, a.target), out[i].Tokens, "sentence %d", i)
		require.Len(t, out[i].Steps, len(out[i].Tokens)+1)
	}
}

// TestSameTokensInAnyBatch translates sentences of all language pairs one by
// one, all at once, and a few at a time.
func TestSameTokensInAnyBatch(t *testing.T) {
	all := referencesAsked(t, 200)
	if testing.Short() {
		all = all[:40]
	}
	for _, c := range []struct {
		placement Placement
		decoder   Decoder
	}{{CPU, AnyDecoder}, {CPU, GraphDecoder}, {CPUStatic, AnyDecoder}} {
		t.Run(string(c.placement)+" "+string(c.decoder), func(t *testing.T) {
			e := openEngine(t, starterOptions(t, "int8", c.placement).decodedBy(c.decoder))
			requireSameAsAlone(t, e, all, askTogether(t, e, all, nil))
			for _, few := range slices.Collect(slices.Chunk(all[:20], 3)) {
				requireSameAsAlone(t, e, few, askTogether(t, e, few, nil))
			}
		})
	}
}

func TestSentencesOfABatchGiveTheirPlacesUp(t *testing.T) {
	onBothDecoders(t, sentencesOfABatchGiveTheirPlacesUp)
}

func sentencesOfABatchGiveTheirPlacesUp(t *testing.T, e *Engine) {
	all := []asked{
		{source: longSource, target: spanish, exact: 9},
		{source: longSource, target: spanish, exact: 3},
		{source: shortSource, target: spanish, exact: 6},
		// Asked when it is taken, before it is encoded, and before each step.
		{source: shortSource, target: spanish, exact: 9, ctx: endsAtQuestion(t.Context(), 7)},
	}
	steps, forget := rowsOfSteps(e, nil)
	defer forget()
	out := askTogether(t, e, all, nil)
	require.Equal(t, []int{4, 4, 4, 3, 2, 2, 1, 1, 1}, *steps)
	require.ErrorIs(t, out[3].err, context.Canceled)
	require.Empty(t, out[3].Tokens)
	for i, n := range []int{9, 3, 6} {
		require.NoError(t, out[i].err)
		require.True(t, out[i].Cut)
		g, err := e.GenerateExactly(t.Context(), all[i].source, spanish, n)
		require.NoError(t, err)
		require.Equal(t, g.Tokens, out[i].Tokens)
	}
}

// TestCancelledSentencesAreNotEncoded cancels sentences after they were taken into a
// wave: of some, then of all.
func TestCancelledSentencesAreNotEncoded(t *testing.T) {
	onBothDecoders(t, func(t *testing.T, e *Engine) {
		all := []asked{
			{source: shortSource, target: spanish, ctx: endsAtQuestion(t.Context(), 2)},
			{source: longSource, target: spanish, exact: 4},
			{source: longSource, target: spanish, ctx: endsAtQuestion(t.Context(), 2)},
			{source: shortSource, target: spanish, exact: 5},
		}
		steps, forget := rowsOfSteps(e, nil)
		defer forget()
		out := askTogether(t, e, all, nil)
		require.Equal(t, []int{2, 2, 2, 2, 1}, *steps)
		for _, i := range []int{0, 2} {
			require.ErrorIs(t, out[i].err, context.Canceled)
			require.Zero(t, out[i].Encode)
		}
		for _, i := range []int{1, 3} {
			require.NoError(t, out[i].err)
			g, err := e.GenerateExactly(t.Context(), all[i].source, spanish, all[i].exact)
			require.NoError(t, err)
			require.Equal(t, g.Tokens, out[i].Tokens)
		}
		*steps = nil
		for i := range all {
			all[i].ctx, all[i].exact = endsAtQuestion(t.Context(), 2), 0
		}
		for _, o := range askTogether(t, e, all, nil) {
			require.ErrorIs(t, o.err, context.Canceled)
		}
		require.Empty(t, *steps)
	})
}

// TestASmallerBatchAfterAFailure has steps of more than two rows fail, as they
// do where there is no memory for them.
func TestASmallerBatchAfterAFailure(t *testing.T) {
	onBothDecoders(t, aSmallerBatchAfterAFailure)
}

func aSmallerBatchAfterAFailure(t *testing.T, e *Engine) {
	all := referencesAsked(t, 9)
	var told strings.Builder
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&told, nil)))
	defer slog.SetDefault(before)
	steps, forget := rowsOfSteps(e, func(rows int) error {
		if rows > 2 {
			return errors.New("no memory")
		}
		return nil
	})
	out := askTogether(t, e, all, nil)
	require.Equal(t, 9, (*steps)[0])
	require.Contains(t, *steps, 2)
	require.Equal(t, 1, strings.Count(told.String(), "no memory"), "the first failure alone is told")
	forget()
	requireSameAsAlone(t, e, all, out)
}

func TestSourcesAreEncodedTogetherByTheirTime(t *testing.T) {
	for token, tokens := range map[time.Duration]int{
		0:                       leastGroup, // not known
		time.Microsecond:        mostGroup,
		40 * time.Microsecond:   250, // 10 ms
		200 * time.Microsecond:  largeGroup,
		500 * time.Microsecond:  100, // 50 ms
		3000 * time.Microsecond: leastGroup,
	} {
		require.Equal(t, tokens, groupTokens(token), token)
	}
}

func TestFewSentencesJoinOnlyWhereAllThatWaitDo(t *testing.T) {
	for _, c := range []struct{ live, waiting, rows int }{
		{0, 1, 32},
		{24, 100, 8},
		{25, 100, 0}, // more places will be free soon
		{25, 7, 7},
		{25, 8, 0},
		{31, 1, 1},
		{32, 0, 0},
		{32, 1, 0},
	} {
		b := batcher{rows: waveRows, waiting: make([]*sentence, c.waiting)}
		w := &wave{}
		for range c.live {
			w.rows = append(w.rows, &sentence{source: make([]int32, 10)})
		}
		room := b.room([]*wave{w}, joinedTokens)
		require.Equal(t, c.rows, room.rows, c)
	}
}

func TestABatchThatCannotRunFailsEachSentence(t *testing.T) {
	onBothDecoders(t, aBatchThatCannotRunFailsEachSentence)
}

func aBatchThatCannotRunFailsEachSentence(t *testing.T, e *Engine) {
	all := referencesAsked(t, 5)
	broken := errors.New("no device")
	_, forget := rowsOfSteps(e, func(int) error { return broken })
	for _, o := range askTogether(t, e, all, nil) {
		require.ErrorIs(t, o.err, broken)
		require.Empty(t, o.Tokens)
	}
	forget()
	requireSameAsAlone(t, e, all, askTogether(t, e, all, nil))
}

// TestAnEndlessSentenceHoldsNobodyUp gives more than a wave takes, with one
// sentence that goes on for longer than all the others together.
func TestAnEndlessSentenceHoldsNobodyUp(t *testing.T) {
	e := openStarter(t, "int8", CPU)
	all := []asked{{source: shortSource, target: spanish, exact: 60}}
	for range waveRows + 7 {
		all = append(all, asked{source: shortSource, target: spanish, exact: 4})
	}
	var mu sync.Mutex
	var order []int
	steps, forget := rowsOfSteps(e, nil)
	defer forget()
	for _, o := range askTogether(t, e, all, func(i int) {
		mu.Lock()
		defer mu.Unlock()
		order = append(order, i)
	}) {
		require.NoError(t, o.err)
	}
	require.Zero(t, order[len(order)-1], "the endless one ends last")
	require.Equal(t, waveRows, (*steps)[0])
	require.Contains(t, *steps, 9, "the others join it")
}

// TestUrgentTextsComeBetweenTheStepsOfABatch asks for one when each sentence of
// a batch has four tokens left.
func TestUrgentTextsComeBetweenTheStepsOfABatch(t *testing.T) {
	onBothDecoders(t, urgentTextsComeBetweenTheStepsOfABatch)
}

func urgentTextsComeBetweenTheStepsOfABatch(t *testing.T, e *Engine) {
	all := referencesAsked(t, 6)
	want := generate(t, e, shortSource, spanish)
	var urgent answered
	done := make(chan struct{})
	asks := 0
	seen, forget := rowsOfSteps(e, func(int) error {
		if asks++; asks == 4 {
			go func() {
				defer close(done)
				urgent.Generation, urgent.err = e.Generate(t.Context(), Interactive, shortSource, spanish)
			}()
			for e.turns.wanted.Load() == 0 {
				runtime.Gosched()
			}
		}
		return nil
	})
	out := askTogether(t, e, all, nil)
	<-done
	require.NoError(t, urgent.err)
	require.Equal(t, want, urgent.Tokens)
	steps := *seen
	at := slices.Index(steps, 1)
	require.Contains(t, []int{4, 5}, at, "at the next step, or the one after it where it was not in line yet: %v", steps)
	require.Len(t, slices.Collect(slices.Values(steps[at:at+len(want)])), len(want))
	for _, rows := range steps[at : at+len(want)] {
		require.Equal(t, 1, rows, "the batch waits meanwhile: %v", steps)
	}
	forget()
	requireSameAsAlone(t, e, all, out)
}

func TestAClosedEngineTakesNoMoreBatches(t *testing.T) {
	e, err := Open(t.Context(), starterOptions(t, "int8", CPU))
	require.NoError(t, err)
	all := referencesAsked(t, 3)
	for _, o := range askTogether(t, e, all, nil) {
		require.NoError(t, o.err)
	}
	require.NoError(t, e.Close())
	_, err = e.Generate(t.Context(), Batch, shortSource, spanish)
	require.ErrorIs(t, err, errClosed)
}

func TestAPanicOfABatchComesToWhoeverAsked(t *testing.T) {
	onBothDecoders(t, func(t *testing.T, e *Engine) {
		_, forget := rowsOfSteps(e, func(int) error { panic("broken") })
		require.PanicsWithValue(t, "broken", func() { _, _ = e.Generate(t.Context(), Batch, shortSource, spanish) })
		forget()
		steps := e.decoder.steps
		e.decoder.steps = brokenRows{steps}
		require.PanicsWithValue(t, "no rows", func() { _, _ = e.Generate(t.Context(), Batch, shortSource, spanish) })
		e.decoder.steps = steps
		all := referencesAsked(t, 3)
		requireSameAsAlone(t, e, all, askTogether(t, e, all, nil))
	})
}

// brokenRows cannot begin a wave.
type brokenRows struct{ stepper }

func (brokenRows) rows([]*sentence) rows { panic("no rows") }
