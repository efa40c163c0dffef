package segment

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// glossary stands in for a model: it knows whole lines, and counts how often it
// was asked.
type glossary struct {
	known map[string]string
	asked []string
}

func (g *glossary) translate(_ context.Context, text string) (string, error) {
	g.asked = append(g.asked, text)
	out := strings.Split(text, "\n")
	for i, line := range out {
		if known, ok := g.known[line]; ok {
			out[i] = known
		}
	}
	return strings.Join(out, "\n"), nil
}

func outs(s *Segment) (all []string) {
	for _, slot := range s.Slots {
		all = append(all, slot.Out)
	}
	return all
}

func slots(texts ...string) []Slot {
	var all []Slot
	for _, text := range texts {
		s := Slot{Text: text}
		switch {
		case strings.HasPrefix(text, "*"):
			s.Text, s.Style = text[1:], 1
		case strings.HasPrefix(text, "/"):
			s.Text, s.Style = text[1:], 2
		case strings.HasPrefix(text, "="):
			s.Text, s.Fixed = text[1:], true
		case strings.HasPrefix(text, "+"):
			s.Text, s.Joined = text[1:], true
		}
		all = append(all, s)
	}
	return all
}

func TestTranslateSharesOutAmongSlots(t *testing.T) {
	known := map[string]string{
		"I have a red car":                     "Tengo un coche rojo",
		"red":                                  "Rojo.",
		"car":                                  "coche",
		"I have a ":                            "Tengo un ",
		"I have a":                             "Tengo un",
		"Press Ctrl+S to save":                 "Pulse Ctrl+S para guardar",
		"See the note here for more about it.": "Vea la nota aquí para saber más.",
		"The manual":                           "El manual",
		"Hello {name}, welcome":                "Hola nombre, bienvenido",
		"Hello":                                "Hola",
		"welcome":                              "bienvenido",
		"one two three four":                   "uno dos tres cuatro",
		"Note that it rains":                   "Beachten Sie den Regen",
		"Note":                                 "Hinweis",
		"that it rains":                        "dass es regnet",
	}
	for name, c := range map[string]struct {
		slots, want []string
		asked       int
	}{
		"one":                 {[]string{"The manual"}, []string{"El manual"}, 1},
		"verbatim":            {[]string{"Press ", "*Ctrl+S", " to save"}, []string{"Pulse ", "Ctrl+S", " para guardar"}, 1},
		"code":                {[]string{"Press ", "=Ctrl+S", " to save"}, []string{"Pulse ", "Ctrl+S", " para guardar"}, 1},
		"own translation":     {[]string{"I have a ", "*red", " car"}, []string{"Tengo un coche ", "rojo", ""}, 2},
		"order changes":       {[]string{"I have a ", "*red", " ", "/car"}, []string{"Tengo un ", "Rojo", " ", "coche"}, 3},
		"not found":           {[]string{"*Note", " that it rains"}, []string{"Hinweis", " dass es regnet"}, 3},
		"marks between":       {[]string{"one two ", "three four"}, []string{"uno dos ", "tres cuatro"}, 1},
		"joined":              {[]string{"one ", "+two ", "+three four"}, []string{"uno dos tres cuatro", "", ""}, 1},
		"placeholder lost":    {[]string{"Hello {name}, welcome"}, []string{"Hola {name}, bienvenido"}, 2},
		"nothing to do":       {[]string{"123 ", "*4"}, []string{"123 ", "4"}, 0},
		"all in one style":    {[]string{"*The manual"}, []string{"El manual"}, 1},
		"blank between marks": {[]string{" ", "The manual", " "}, []string{"", "El manual", ""}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			g := &glossary{known: known}
			g.known[" The manual "] = "El manual"
			s := &Segment{Slots: slots(c.slots...), Protect: regexp.MustCompile(`\{\w+\}`)}
			require.NoError(t, Translate(t.Context(), []*Segment{s}, g.translate))
			require.Equal(t, c.want, outs(s))
			require.Len(t, g.asked, c.asked, "%q", g.asked)
		})
	}
}

// However the translator answers, protected text and the number of slots stay.
func FuzzTranslate(f *testing.F) {
	f.Add("a |*b| c {x}|=code| d", "D C {x} b code")
	f.Add("*a|/b|*c", "c b a")
	f.Add("日本|*語|です", "語です日本")
	f.Add("*\xff|x", "\xff")
	f.Fuzz(func(t *testing.T, source, answer string) {
		s := &Segment{Slots: slots(strings.Split(source, "|")...), Protect: regexp.MustCompile(`\{\w+\}`)}
		before := s.Protected()
		err := Translate(t.Context(), []*Segment{s}, func(_ context.Context, text string) (string, error) {
			if strings.Contains(text, "{") || len(s.Slots) > 1 && text == s.Source() {
				return answer, nil
			}
			return text, nil
		})
		require.NoError(t, err)
		requireKept(t, s, before)
	})
}

// requireKept: what is protected is there as often as before.
func requireKept(t *testing.T, s *Segment, before []string) {
	t.Helper()
	for i := range s.Slots {
		if s.Slots[i].Fixed {
			s.Slots[i].Out = s.Slots[i].Text
		}
	}
	after := &Segment{Slots: append([]Slot(nil), s.Slots...), Protect: s.Protect}
	for i := range after.Slots {
		after.Slots[i].Text = after.Slots[i].Out
	}
	require.Subset(t, count(after.Protected()), count(before), "within one slot, as before")
	all := s.Protect.FindAllString(s.Source(), -1) // with those that have markup in them
	require.ElementsMatch(t, all, s.Protect.FindAllString(after.Source(), -1))
}

// count numbers equal strings, so that each is another.
func count(all []string) (numbered []string) {
	seen := map[string]int{}
	for _, s := range all {
		seen[s]++
		numbered = append(numbered, fmt.Sprint(seen[s], " ", s))
	}
	return numbered
}

// Texts of two models are not mixed: where another takes over, all are asked for anew.
func TestTranslateWithOneModel(t *testing.T) {
	s := &Segment{Slots: slots("I have ", "*a red", " car")}
	var model OneModel
	asked := 0
	err := Translate(t.Context(), []*Segment{s}, func(_ context.Context, text string) (string, error) {
		asked++
		name := "old"
		if asked > 1 {
			name = "new"
		}
		return strings.NewReplacer("I have", "tengo "+name, "a red", "rojo "+name, "car", "coche "+name).Replace(text), model.Check(name)
	})
	require.NoError(t, err)
	require.Greater(t, asked, 2)
	require.Equal(t, "new", model.Name)
	all := strings.Join(outs(s), "|")
	require.Contains(t, all, "new")
	require.NotContains(t, all, "old")

	failed := errors.New("failed")
	require.ErrorIs(t, Translate(t.Context(), []*Segment{s}, func(context.Context, string) (string, error) { return "", failed }), failed)
}

func TestTranslateManyKeepsThemApart(t *testing.T) {
	var all []*Segment
	for _, text := range []string{"a", "b\nc", "", "d"} {
		all = append(all, &Segment{Slots: slots(text)})
	}
	upper := func(_ context.Context, text string) (string, error) { return strings.ToUpper(text), nil }
	require.NoError(t, Translate(t.Context(), all, upper))
	require.Equal(t, "A", all[0].Target())
	require.Equal(t, "B\nC", all[1].Target())
	require.Equal(t, "", all[2].Target())
	require.Equal(t, "D", all[3].Target())

	calls := 0
	broken := func(_ context.Context, text string) (string, error) { // a line too many
		if calls++; calls == 1 {
			return text + "\n", nil
		}
		return strings.ToUpper(text), nil
	}
	require.NoError(t, Translate(t.Context(), all, broken))
	require.Equal(t, "B\nC", all[1].Target())

	failed := errors.New("failed")
	require.ErrorIs(t, Translate(t.Context(), all, func(context.Context, string) (string, error) { return "", failed }), failed)
}

func TestSpliceRefusesOverlaps(t *testing.T) {
	got, err := Splice("abc", []Edit{{2, 3, "C"}, {0, 0, "<"}, {0, 1, "A"}, {3, 3, ">"}})
	require.NoError(t, err)
	require.Equal(t, "<AbC>", got)
	for _, edits := range [][]Edit{{{0, 2, ""}, {1, 3, ""}}, {{2, 1, ""}}, {{0, 4, ""}}} {
		_, err := Splice("abc", edits)
		require.Error(t, err)
	}
}
