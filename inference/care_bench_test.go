package inference

import (
	"strings"
	"testing"
)

// BenchmarkCare is what everything but the model costs for a sentence of 20
// words with four spans.
func BenchmarkCare(b *testing.B) {
	sentence := "The user {name} of https://example.org/a pressed <b>Save</b> in the big house because the meeting starts at 10:30 in 2026."
	answer := "Der Benutzer X1 von X2 drückte X3 Speichern X4 im großen Haus, weil die Besprechung um 10:30 im Jahr 2026 beginnt."
	c := fakeCare(func(string) string { return answer })
	c.unknown = func(word string) bool { return strings.ContainsRune(word, '日') }
	for b.Loop() {
		if _, doubts, err := c.translate(sentence); err != nil || len(doubts) > 0 {
			b.Fatal(doubts, err)
		}
	}
}
