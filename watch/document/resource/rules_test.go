package resource

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/watch/document/segment"
	"dragoman/watch/document/segment/segmenttest"
)

func TestPaths(t *testing.T) {
	body := `{"id": "Some id", "items": [{"title": "one", "url": "two words"}, {"title": "three", "note": "x_1"}], "a.b": "four", "deep": {"er": {"title": "five"}}}`
	for rules, want := range map[string]string{
		"items.*.title":            `ONE THREE`,
		"items[1].title":           `THREE`,
		"$.items[*]":               `ONE TWO WORDS THREE X_1`,
		"**.title":                 `ONE THREE FIVE`,
		"**.title !deep":           `ONE THREE`,
		"**":                       `SOME ID ONE TWO WORDS THREE X_1 FOUR FIVE`,
		"!**.url":                  `SOME ID ONE THREE FOUR FIVE`,
		`a\.b`:                     `FOUR`,
		"!deep":                    `SOME ID ONE TWO WORDS THREE FOUR`,
		"deep !deep.er.** **.note": `X_1`,
		"id":                       `SOME ID`,
		"nothing":                  ``,
	} {
		t.Run(rules, func(t *testing.T) {
			paths, err := ParsePaths(strings.Fields(rules))
			require.NoError(t, err)
			p, err := ReadJSON(body, paths)
			require.NoError(t, err)
			var got []string
			for _, s := range p.Segments {
				got = append(got, strings.ToUpper(s.Source()))
			}
			require.Equal(t, want, strings.Join(got, " "))
		})
	}
	for _, rule := range []string{"[*].title", "$[*].title", "*.title", "[1].title"} {
		paths, err := ParsePaths([]string{rule})
		require.NoError(t, err, rule)
		p, err := ReadJSON(`[1, {"title": "one", "note": "two words"}]`, paths)
		require.NoError(t, err)
		require.Len(t, p.Segments, 1, rule)
	}
	paths, err := ParsePaths([]string{"$about"})
	require.NoError(t, err)
	p, err := ReadJSON(`{"$about": "one two", "about": "three four"}`, paths)
	require.NoError(t, err)
	require.Len(t, p.Segments, 1)
	require.Equal(t, "one two", p.Segments[0].Source())
	for rule, says := range map[string]string{"": "empty key", "a..b": "empty key", "a[x]": "bracket", "!": "empty key"} {
		_, err := ParsePaths([]string{rule})
		require.ErrorContains(t, err, says, rule)
	}
}

func TestColumns(t *testing.T) {
	body := "Key,Text,Notes,Code\nk one,\"t, one\",n one,c_1\nk two,t two,n two,c_2\n"
	upper := func(rules string) string {
		columns, err := ParseColumns(strings.Fields(rules))
		require.NoError(t, err)
		read := func(body string) (*segment.Part, error) { return ReadCSV(body, columns) }
		return segmenttest.Translated(t, read, body, segment.Options{}, strings.ToUpper)
	}
	for rules, want := range map[string]string{
		"2":          "Key,TEXT,Notes,Code\nk one,\"T, ONE\",n one,c_1\nk two,T TWO,n two,c_2\n",
		"text notes": "Key,Text,Notes,Code\nk one,\"T, ONE\",N ONE,c_1\nk two,T TWO,N TWO,c_2\n",
		"2-4":        "Key,TEXT,NOTES,CODE\nk one,\"T, ONE\",N ONE,C_1\nk two,T TWO,N TWO,C_2\n",
		"2-4 !Notes": "Key,Text,Notes,Code\nk one,\"T, ONE\",n one,C_1\nk two,T TWO,n two,C_2\n",
		"!1 !3":      "Key,TEXT,Notes,CODE\nk one,\"T, ONE\",n one,c_1\nk two,T TWO,n two,c_2\n",
		"9":          body,
	} {
		require.Equal(t, want, upper(rules), rules)
	}
	same, err := ParseColumns([]string{"Text"})
	require.NoError(t, err)
	p, err := ReadCSV("Text,Key,Text\none two,k one,three four\n", same)
	require.NoError(t, err)
	require.Len(t, p.Segments, 2, "both columns have the name")
	missing, err := ParseColumns([]string{"Title"})
	require.NoError(t, err)
	_, err = ReadCSV(body, missing)
	require.ErrorContains(t, err, `it has no column "Title"`)
	for rule, says := range map[string]string{"": "no name", "0": "counted from 1", "4-2": "counted from 1", "!": "no name"} {
		_, err := ParseColumns([]string{rule})
		require.ErrorContains(t, err, says, rule)
	}
}

// TestHostileNesting reads what took gigabytes or minutes for some hundred kilobytes.
func TestHostileNesting(t *testing.T) {
	key := strings.Repeat("kö", 10_000)
	size := func(p *segment.Part) (ids int) {
		for _, s := range p.Segments {
			ids += len(s.ID)
		}
		return ids
	}
	const values, most = 5_000, 5_000 * (longestID + 20)
	p, err := ReadJSON(`{"`+key+`":{"`+key+`":[`+strings.Repeat(`"two words",`, values)+`"a"]}}`, nil)
	require.NoError(t, err)
	require.Len(t, p.Segments, values+1)
	require.Less(t, size(p), most)
	p, err = ReadYAML(key + ":\n" + strings.Repeat("  title: two words\n", values))
	require.NoError(t, err)
	require.Len(t, p.Segments, values)
	require.Less(t, size(p), most)

	const deep = 4_000
	paths, err := ParsePaths([]string{"**.title", "!**.id.title"})
	require.NoError(t, err)
	object := `{"title": "two words", "id": {"title": "no words"}}`
	p, err = ReadJSON(strings.Repeat("[", deep)+strings.Repeat(object+",", values)+object+strings.Repeat("]", deep), paths)
	require.NoError(t, err)
	require.Len(t, p.Segments, values+1)
}
