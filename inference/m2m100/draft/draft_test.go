package draft

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Words of more than one token have even ones behind the first.
func begins(token int32) bool { return token%2 == 1 }

const (
	english, end = 1001, 2
	spanish      = 1003
)

// source is one with its language and its end.
func source(words ...int32) []int32 {
	return append(append([]int32{english}, words...), end)
}

// costing are costs as they were measured: a step with four tokens takes so many
// times what one takes.
func costing(four float64) *Costs {
	c := &Costs{}
	for range 2 * enough {
		c.Took(4, time.Duration(four*1e6))
		c.Took(8, time.Duration(1.7*four*1e6))
		c.Took(1, time.Millisecond)
	}
	return c
}

// steps decodes an output as a decoder does, and returns the steps it takes and
// the tokens that were checked in vain.
func steps(s *Sentence, c *Costs, output []int32) (steps, wrong int) {
	for n := 0; n <= len(output); steps++ {
		without := 1
		if n == 0 {
			without = 2
		}
		guess := s.Next(c, output[:n], without, 100)
		right := 0
		for right < len(guess) && n+right < len(output) && guess[right] == output[n+right] {
			right++
		}
		wrong += len(guess) - right
		n += right + 1
	}
	return steps, wrong
}

func numbers(from, n int32) (all []int32) {
	for i := range n {
		all = append(all, from+2*i+1)
	}
	return all
}

func TestAnEditedSourceTakesFewerSteps(t *testing.T) {
	m := NewMemory(begins)
	old, out := source(numbers(10, 20)...), numbers(500, 24)
	first := m.Sentence(NewWatch(), old, spanish, nil)
	n, _ := steps(first, costing(2), out)
	require.Equal(t, 25, n, "nothing is known")
	first.Done(out, false)

	edited := slices.Clone(old)
	edited[7] = 901
	for name, changed := range map[string][]int32{
		"a word for another":          slices.Replace(slices.Clone(out), 9, 10, 903),
		"more tokens for one":         slices.Replace(slices.Clone(out), 9, 10, 903, 904, 906),
		"one word less":               slices.Delete(slices.Clone(out), 9, 10),
		"one word more":               slices.Insert(slices.Clone(out), 9, 905),
		"two words for two others":    slices.Replace(slices.Clone(out), 9, 11, 903, 904, 905, 906),
		"nothing changed in the end":  out,
		"another beginning":           slices.Replace(slices.Clone(out), 0, 1, 903),
		"words that are only omitted": out[:20],
	} {
		t.Run(name, func(t *testing.T) {
			s := m.Sentence(NewWatch(), edited, spanish, nil)
			n, wrong := steps(s, costing(1.1), changed)
			require.LessOrEqual(t, n, 12)
			require.LessOrEqual(t, wrong, 14)
			s.Done(changed, true)
		})
	}
}

func TestOnlyWhatIsAlikeIsFollowed(t *testing.T) {
	m := NewMemory(begins)
	old, out := source(numbers(10, 20)...), numbers(500, 24)
	m.Sentence(NewWatch(), old, spanish, nil).Done(out, false)
	require.Equal(t, out, m.like(old, spanish))
	require.Nil(t, m.like(old, spanish+2), "another language")
	german := slices.Clone(old)
	german[0]++
	require.Nil(t, m.like(german, spanish), "from another language")
	require.Nil(t, m.like(source(numbers(200, 20)...), spanish))
	half := append(slices.Clone(old[:10]), numbers(300, 30)...)
	require.Nil(t, m.like(half, spanish), "most is different")
	m.Sentence(NewWatch(), source(numbers(10, 19)...), spanish, nil).Done(numbers(700, 5), true)
	require.Equal(t, out, m.like(old, spanish), "what is to be forgotten is")
	m.Forget()
	require.Nil(t, m.like(old, spanish))
	require.Empty(t, m.after(nil, spanish, out[:5]))
}

func TestMemoryIsBounded(t *testing.T) {
	m := NewMemory(begins)
	r := rand.New(rand.NewPCG(1, 2))
	var sources, outputs [][]int32
	for range mostPairs + 500 {
		s, o := source(), []int32{}
		for range 5 + r.IntN(20) {
			s = slices.Insert(s, 1, 10+r.Int32N(900))
			o = append(o, 10+r.Int32N(900))
		}
		sources, outputs = append(sources, s), append(outputs, o)
		m.put(s, spanish, o)
	}
	require.Len(t, m.last, mostPairs)
	require.Len(t, m.outputs, mostOutputs)
	found := 0
	for i := range sources {
		if out := m.like(sources[i], spanish); slices.Equal(out, outputs[i]) {
			found++
			require.GreaterOrEqual(t, i, 500, "it was overwritten")
		}
	}
	require.Greater(t, found, mostPairs*9/10, "some of the marks of a few were taken by others")
	right := 0
	for _, o := range outputs[len(outputs)-500:] {
		guess := m.after(nil, spanish, o[:before])
		require.LessOrEqual(t, len(guess), Most)
		if len(guess) > 0 && slices.Equal(guess, o[before:min(before+len(guess), len(o))]) {
			right++
		}
	}
	require.Greater(t, right, 450)
}

func TestNamesAreCopiedFromTheSource(t *testing.T) {
	m := NewMemory(begins)
	name := []int32{31, 42, 44, 46, 48, 52}
	s := m.Sentence(NewWatch(), source(append([]int32{11, 13}, name...)...), spanish, nil)
	output := append([]int32{503, 505}, name...)
	guess := s.Next(costing(1.1), output[:4], 1, 100)
	require.NotEmpty(t, guess)
	require.Equal(t, name[2:2+len(guess)], guess)
	require.Empty(t, s.Next(costing(1.1), append(output, 503), 1, 100), "it is not in the source")
}

func TestEarlierOutputsGoOnAlike(t *testing.T) {
	m := NewMemory(begins)
	out := numbers(500, 12)
	m.Sentence(NewWatch(), source(11, 13, 15), spanish, nil).Done(out, false)
	s := m.Sentence(NewWatch(), source(21, 23, 25, 27, 29), spanish, nil)
	guess := s.Next(costing(1.1), append([]int32{901}, out[3:6]...), 1, 100)
	require.NotEmpty(t, guess)
	require.Equal(t, out[6:6+len(guess)], guess)
	other := m.Sentence(NewWatch(), source(21, 23, 25, 27, 29), spanish+2, nil)
	require.Empty(t, other.Next(costing(1.1), append([]int32{901}, out[3:6]...), 1, 100), "of another language")
}

func TestATranslationThatIsTold(t *testing.T) {
	m := NewMemory(begins)
	out := numbers(500, 24)
	s := m.Sentence(NewWatch(), source(11, 13, 15), spanish, out)
	n, wrong := steps(s, costing(1.1), out)
	require.LessOrEqual(t, n, 8)
	require.Zero(t, wrong)
}

func TestAnOutputIsBegunAnew(t *testing.T) {
	m := NewMemory(begins)
	out := numbers(500, 24)
	s := m.Sentence(NewWatch(), source(11, 13, 15), spanish, out)
	s.Next(costing(1.1), append(slices.Clone(out[:9]), 901), 1, 100)
	again := s.Next(costing(1.1), nil, 2, 100)
	require.Equal(t, out[:len(again)], again)
	require.NotEmpty(t, again)
}

// TestGuessesThatAreWrongEnd tells the same wrong thing again and again.
func TestGuessesThatAreWrongEnd(t *testing.T) {
	for _, four := range []float64{1.1, 2, 4} {
		m, w, c := NewMemory(begins), NewWatch(), costing(four)
		r := rand.New(rand.NewPCG(3, 4))
		total, extra := 0, 0.0
		for range 200 {
			out := []int32{}
			for range 20 {
				out = append(out, 601+2*r.Int32N(90))
			}
			s := m.Sentence(w, source(11, 13, 15), spanish, numbers(500, 20))
			n, wrong := steps(s, c, out)
			total, extra = total+n, extra+float64(wrong)/3*(four-1)
			s.Done(out, true)
		}
		require.Equal(t, 200*21, total)
		require.Less(t, extra, 0.02*float64(total), "four cost %v", four)
	}
}

func TestHowMuchIsGuessedFollowsItsCost(t *testing.T) {
	sure, unsure := NewWatch(), NewWatch()
	sure.kinds[near], unsure.kinds[near] = share{19, 20}, share{6, 20}
	dear, cheap := costing(2), costing(1.1)
	require.Zero(t, unsure.pays(dear, near, 1, Most))
	require.NotZero(t, unsure.pays(cheap, near, 1, Most))
	require.GreaterOrEqual(t, sure.pays(dear, near, 1, Most), 3)
	require.LessOrEqual(t, sure.pays(dear, near, 1, 2), 2, "there is no room for more")
	require.Zero(t, sure.pays(cheap, near, 1, 0))
	require.Zero(t, sure.pays(costing(9), near, 1, Most))
}

// TestCostsAreMeasured runs steps on a made-up machine, with other programs that
// take time from some of them.
func TestCostsAreMeasured(t *testing.T) {
	c := &Costs{}
	w := NewWatch()
	r := rand.New(rand.NewPCG(5, 6))
	took := func(n int) {
		d := time.Duration(1e6 * (1 + 0.05*float64(n-1)))
		if r.IntN(3) > 0 {
			d += time.Duration(r.IntN(2e7))
		}
		c.Took(n, d)
	}
	tried := 0
	for range 400 {
		n := w.pays(c, earlier, 1, Most) // which is thought unlikely
		if n > 0 {
			tried++
		}
		took(1 + n)
	}
	require.GreaterOrEqual(t, tried, enough)
	costs, _ := c.now()
	require.InDelta(t, 1.15, costs[4], 0.1)
	require.Greater(t, tried, 300, "it is worth it on this machine")
}

// TestSingleStepsComeNowAndThen lets all guesses be right.
func TestSingleStepsComeNowAndThen(t *testing.T) {
	c, w := costing(1.1), NewWatch()
	w.kinds[near] = share{20, 20}
	single := 0
	for range 10 * stale {
		n := w.pays(c, near, 1, Most)
		if n == 0 {
			single++
		}
		c.Took(1+n, time.Millisecond)
	}
	require.InDelta(t, 10, single, 1)
}

func TestManyAtATime(t *testing.T) {
	m, w, c := NewMemory(begins), NewWatch(), costing(1.1)
	var wg sync.WaitGroup
	for i := range int32(8) {
		wg.Go(func() {
			for k := range int32(50) {
				out := numbers(500+100*i, 12)
				s := m.Sentence(w, source(numbers(10*i+k%5, 12)...), spanish, nil)
				steps(s, c, out)
				s.Done(out, false)
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, 400, m.pairs)
}
