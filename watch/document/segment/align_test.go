package segment

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// linked stands in for a model's alignment: words of a source and of a translation, in
// the order of the translation, where each stands for one.
func linked(p Pair, words string) (links []Link) {
	at := 0
	for pair := range strings.FieldsSeq(words) {
		source, target, _ := strings.Cut(pair, "=")
		s, t := strings.Index(p.Source, source), at+strings.Index(p.Target[at:], target)
		links = append(links, Link{Span{s, s + len(source)}, Span{t, t + len(target)}, 1})
		at = t + len(target)
	}
	return links
}

func TestAlignedSpans(t *testing.T) {
	for name, c := range map[string]struct {
		slots []string
		out   string
		links string
		want  []string // nil where the segment is translated in runs
	}{
		"another place": {[]string{"I have a ", "*red", " car"}, "Tengo un coche rojo", "car=coche red=rojo", []string{"Tengo un coche ", "rojo", ""}},
		"more words":    {[]string{"The old and big ", "*steam engine", " works."}, "Die alte große Dampfmaschine arbeitet.", "old=alte big=große steam=Dampfmaschine works=arbeitet", []string{"Die alte große ", "Dampfmaschine", " arbeitet."}},
		"marks":         {[]string{"He said ", "*\"stop it\"", "."}, "Er sagte „hör auf“.", "said=sagte stop=hör it=auf", []string{"Er sagte ", "„hör auf“", "."}},
		"white space":   {[]string{"a", "* red ", "car"}, "ein rotes Auto", "a=ein red=rotes car=Auto", []string{"ein", " rotes ", "Auto"}},
		"order changes": {[]string{"a ", "*red", " ", "/car"}, "un coche rojo", "car=coche red=rojo", nil},
		"no link":       {[]string{"a ", "*red", " car"}, "un coche rojo", "car=coche", nil},
		"others among":  {[]string{"they ", "*give up", " smoking"}, "sie geben das Rauchen auf", "give=geben smoking=Rauchen up=auf", nil},
		"mark":          {[]string{"It works", "=", " in the house"}, "Im Haus geht es", "house=Haus works=geht It=es", nil},
		"tags":          {[]string{"beliefs ", "=", "*who", "=", " oppose"}, "Glauben, die sich widersetzen", "beliefs=Glauben who=die oppose=widersetzen", []string{"Glauben, ", "", "die", "", " sich widersetzen"}},
		"note":          {[]string{"The ", "*red", " car", "=", " is new"}, "Das rote Auto ist neu", "red=rote car=Auto is=ist new=neu", []string{"Das ", "rote", " Auto", "", " ist neu"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Segment{Slots: slots(c.slots...)}
			asked, runs := 0, false
			err := TranslateAligned(t.Context(), []*Segment{s}, func(_ context.Context, text string) (string, error) {
				if text == s.Source() {
					return c.out, nil
				}
				runs = true
				return strings.ToUpper(text), nil
			}, func(_ context.Context, pairs []Pair) ([][]Link, error) {
				asked++
				require.Equal(t, []Pair{{s.Source(), c.out}}, pairs)
				return [][]Link{linked(pairs[0], c.links)}, nil
			})
			require.NoError(t, err)
			if c.want == nil {
				require.True(t, runs || asked == 0)
				return
			}
			require.Equal(t, 1, asked)
			require.False(t, runs, "nothing else is asked for")
			require.Equal(t, c.want, outs(s))
		})
	}
}

func TestAlignmentThatCannotBeHad(t *testing.T) {
	make := func() *Segment { return &Segment{Slots: slots("I have a ", "*red", " car")} }
	known := map[string]string{"I have a red car": "Tengo un coche rojo", "red": "Rojo."}
	g := &glossary{known: known}
	s := make()
	require.NoError(t, TranslateAligned(t.Context(), []*Segment{s}, g.translate, func(context.Context, []Pair) ([][]Link, error) {
		return nil, ErrNoAlignment
	}))
	require.Equal(t, []string{"Tengo un coche ", "rojo", ""}, outs(s), "as without")
	broken := errors.New("broken")
	require.ErrorIs(t, TranslateAligned(t.Context(), []*Segment{make()}, g.translate, func(context.Context, []Pair) ([][]Link, error) {
		return nil, broken
	}), broken)
	require.Error(t, TranslateAligned(t.Context(), []*Segment{make()}, g.translate, func(context.Context, []Pair) ([][]Link, error) {
		return nil, nil
	}))
}

// Whatever an alignment says, texts are shared out whole and what is protected stays.
func FuzzAligned(f *testing.F) {
	f.Add("a |*b| c {x}|=code|=| d", "D C {x} b code", []byte{0, 1, 3, 4, 9, 2, 3, 5, 6, 9})
	f.Add("日本|*語|です", "語です日本", []byte{6, 9, 0, 3, 9})
	f.Fuzz(func(t *testing.T, source, answer string, places []byte) {
		s := &Segment{Slots: slots(strings.Split(source, "|")...), Protect: regexp.MustCompile(`\{\w+\}`)}
		before := s.Protected()
		err := TranslateAligned(t.Context(), []*Segment{s}, func(_ context.Context, text string) (string, error) {
			if len(s.Slots) > 1 && text == s.Source() {
				return answer, nil
			}
			return text, nil
		}, func(_ context.Context, pairs []Pair) ([][]Link, error) {
			var links []Link
			for p := places; len(p) >= 5; p = p[5:] {
				links = append(links, Link{Span{int(p[0]), int(p[1])}, Span{int(p[2]), int(p[3])}, float64(p[4]) / 9})
			}
			return [][]Link{links}, nil
		})
		require.NoError(t, err)
		requireKept(t, s, before)
	})
}
