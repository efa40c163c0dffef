package language

import (
	"strings"
	"testing"
	"time"
)

// TestTable prints the row of docs/quality.md: how often the language of the
// beginning of a sentence of news is right.
func TestTable(t *testing.T) {
	for _, among := range [][]string{six, all} {
		for _, n := range []int{1, 2, 5, 20} {
			right, total := 0, 0
			begun := time.Now()
			for _, code := range six {
				for i, line := range corpus(t, "pud", code) {
					words := strings.Fields(line)
					if i%20 != 0 || len(words) < n {
						continue
					}
					total++
					if Detect(strings.Join(words[:n], " "), among).Language == code {
						right++
					}
				}
			}
			t.Logf("among %d, %d words: %.1f%% of %d, %v each", len(among), n, 100*float64(right)/float64(total), total, (time.Since(begun) / time.Duration(total)).Round(time.Microsecond))
			if n == 20 && 100*right < 97*total {
				t.Errorf("%d of %d are right", right, total)
			}
		}
	}
}
