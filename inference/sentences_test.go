package inference

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// mixed has what sentences may need besides the model.
const mixed = `The house is big. It has 12 rooms and 3 doors.
See https://example.org/a?b=c for more.

The house is big.
THE TRAIN LEAVES AT NINE.
𓀀𓀁 𓀂𓀃.
My sister bought the tickets
yesterday, because there are never enough.
12:30
No. Yes. No.
He said: "We walk from the harbour to the old lighthouse and have lunch there before the others arrive."
`

func batchLane(context.Context) (bool, error) { return false, nil }

// withoutTimes leaves what two runs have in common: no times, and not what the
// second guesses since there was a first.
func withoutTimes(r Result) Result {
	s := &r.Stats
	for _, d := range []*time.Duration{&s.Tokenise, &s.Encode, &s.FirstToken, &s.TokenMedian, &s.TokenP95, &s.Total} {
		*d = 0
	}
	s.Drafted, s.Accepted = 0, 0
	return r
}

func TestSentencesTogetherComeOutTheSame(t *testing.T) {
	tr := open(t, Options{})
	r := Request{Text: mixed, From: "en", To: "de", Explain: true, Before: batchLane}
	alone, err := tr.Translate(t.Context(), r)
	require.NoError(t, err)
	require.NotEmpty(t, alone.Notes)
	require.Greater(t, alone.Stats.Sentences, 8)
	require.Positive(t, alone.Stats.Protected)
	for _, n := range []int{1, 3, 100} {
		var parts string
		var last int
		r.Together = func() int { return n }
		r.Progress = func(p Progress) {
			require.GreaterOrEqual(t, p.Done, last)
			last, parts = p.Done, parts+p.Text
		}
		together, err := tr.Translate(t.Context(), r)
		require.NoError(t, err)
		require.Positive(t, together.Stats.FirstToken)
		require.Equal(t, withoutTimes(alone), withoutTimes(together), "%d together", n)
		require.Equal(t, together.Text, parts)
	}
}

func TestNoMoreSentencesAreOnTheirWayThanAllowed(t *testing.T) {
	tr := open(t, Options{})
	var begun, inside atomic.Int32
	done := 0
	most := 0
	r := Request{
		Text: "One house. Two houses. Three houses. Four houses. Five houses. Six houses. Seven houses.", From: "en", To: "pt",
		Together: func() int {
			if done < 3 {
				return 1
			}
			return 2
		},
		Before: func(context.Context) (bool, error) {
			require.Equal(t, int32(1), inside.Add(1), "one goroutine at a time")
			defer inside.Add(-1)
			begun.Add(1)
			return false, nil
		},
		Progress: func(p Progress) {
			most = max(most, int(begun.Load())-done)
			if p.Done <= 3 {
				require.LessOrEqual(t, int(begun.Load()), p.Done)
			}
			done = p.Done
		},
	}
	_, err := tr.Translate(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, int32(7), begun.Load())
	require.LessOrEqual(t, most, 2)
}

func TestTogetherTheFirstErrorOfTheTextEndsIt(t *testing.T) {
	tr := open(t, Options{})
	errEnough := errors.New("enough")
	asked := 0
	_, err := tr.Translate(t.Context(), Request{
		Text: "One house. Two houses. Three houses. Four houses.", From: "en", To: "de", Together: func() int { return 8 },
		Before: func(context.Context) (bool, error) {
			if asked++; asked > 2 {
				return false, errEnough
			}
			return false, nil
		},
	})
	require.ErrorIs(t, err, errEnough)

	ctx, cancel := context.WithCancel(t.Context())
	_, err = tr.Translate(ctx, Request{
		Text: mixed, From: "en", To: "de", Together: func() int { return 8 },
		Before: func(context.Context) (bool, error) {
			cancel()
			return false, nil
		},
	})
	require.ErrorIs(t, err, context.Canceled)
}

// shared is a Memory that several goroutines may ask, and that panics where it
// is told to.
type shared struct {
	mu     sync.Mutex
	known  notes
	panics string
}

func (s *shared) Recall(sentence string) (string, bool) {
	if sentence == s.panics {
		panic("asked for " + sentence)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known.Recall(sentence)
}

func (s *shared) Remember(sentence, translation string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known.Remember(sentence, translation)
}

func TestAPanicComesToWhoeverTranslates(t *testing.T) {
	tr := open(t, Options{})
	r := Request{
		Text: "One house. Two houses. Three houses.", From: "en", To: "de", Together: func() int { return 8 }, Before: batchLane,
		Memory: &shared{known: notes{}, panics: "Two houses."},
	}
	require.PanicsWithValue(t, "asked for Two houses.", func() { _, _ = tr.Translate(t.Context(), r) })
	r.Memory = &shared{known: notes{}}
	_, err := tr.Translate(t.Context(), r)
	require.NoError(t, err)
	again, err := tr.Translate(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, 3, again.Stats.Remembered)
}
