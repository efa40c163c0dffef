package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference"
	"dragoman/inference/check"
)

// TestLowQualityIsSaidInOneLine has two doubtful sentences of three.
func TestLowQualityIsSaidInOneLine(t *testing.T) {
	r := translated{from: "en"}
	r.Stats.Doubtful = 2
	r.Doubts = []inference.Doubt{
		{Kind: check.Repetition, Sentence: 1, Source: "Slowly.", Target: "lento lento lento"},
		{Kind: check.Numbers, Sentence: 2, Source: "It is 42.", Target: "Son 24."},
	}
	var out strings.Builder
	tellDoubts(&out, "a.txt", r)
	require.Equal(t, "dragoman: a.txt: low quality: sentence 2 (words repeat), and 1 more: compare it with the source, or see --json\n", out.String())

	data, err := json.Marshal(jsonResult(input{}, "", languageFlags{to: "es"}, r))
	require.NoError(t, err)
	require.Contains(t, string(data), `"doubts":[{"kind":"repetition","why":"words repeat","sentence":1,"source":"Slowly.","text":"lento lento lento"}`)

	out.Reset()
	tellDoubts(&out, "a.txt", translated{})
	require.Empty(t, out.String())
}
