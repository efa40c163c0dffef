package align

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNewText(t *testing.T) {
	for text, c := range map[string]struct {
		from  []int32
		words []string
		of    []int
	}{
		"":             {[]int32{0}, nil, nil},
		"a house, red": {[]int32{0, 1, 4, 7, 8, 12}, []string{"a", "house", "red"}, []int{0, 1, 1, -1, 2}},
		"l'eau":        {[]int32{0, 2, 5}, []string{"l", "eau"}, []int{0, 1}},
		"家は大きい":        {[]int32{0, 3, 6, 15}, []string{"家", "は", "大きい"}, []int{0, 1, 2}},
		"... (":        {[]int32{0, 3, 5}, nil, []int{-1, -1}},
	} {
		got := NewText(text, c.from)
		var words []string
		for _, w := range got.Words {
			words = append(words, text[w.Start:w.End])
		}
		require.Equal(t, c.words, words, text)
		require.Equal(t, c.of, got.of, text)
	}
}

// TestChoose: of looks that say nothing and one that is right the latter is chosen.
func TestChoose(t *testing.T) {
	known := Known{From: "en", To: "de", Source: "red car", Target: "Auto rot", Words: "red=rot car=Auto"}
	l := &Looks{
		Source: NewText(known.Source, []int32{0, 3, 7}), Target: NewText(known.Target, []int32{0, 4, 8}),
		There: map[int]Weights{}, Back: map[int]Weights{},
	}
	// Of language, first word, second word, end, by what predicts the first word, the
	// second, and what follows.
	even := Weights{.25, .25, .25, .25, .25, .25, .25, .25, .25, .25, .25, .25}
	crossed := Weights{.25, .25, .25, .25, .1, .1, .5, .3, .1, .5, .1, .3}
	l.There[0], l.Back[0] = even, even
	l.There[1], l.Back[1] = crossed, crossed
	all := Ways(2)
	require.Equal(t, []int{0, 1}, Layers(all))
	best, right := Choose(all, []Known{known}, []*Looks{l})
	require.Equal(t, []Way{{1, true}}, best)
	require.InDelta(t, 25.0/26, right, 1e-6)
	links := l.Links(l.Matrix(best))
	require.Len(t, links, 4)
	require.Equal(t, Span{4, 7}, links[1].Source)
	require.Equal(t, Span{0, 4}, links[1].Target)
	require.InDelta(t, 25.0/26, links[1].Weight, 1e-6)

	l.There[0] = make(Weights, 12) // of a look that saw nothing
	require.Empty(t, l.Links(l.Matrix([]Way{{0, false}})))
}
