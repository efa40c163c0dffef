package span

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWords(t *testing.T) {
	for text, want := range map[string][]string{
		"":                     nil,
		" - ":                  nil,
		"a":                    {"a"},
		"Don't stop, 2 times!": {"Don", "t", "stop", "2", "times"},
		"e\u0301te\u0301 fini": {"e\u0301te\u0301", "fini"},
	} {
		var got []string
		for start, end := range Words(text) {
			got = append(got, text[start:end])
		}
		require.Equal(t, want, got, text)
	}
	for start, end := range Words("one two") {
		require.Equal(t, [2]int{0, 3}, [2]int{start, end})
		break
	}
}
