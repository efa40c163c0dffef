//go:build long

package inference

import "testing"

func TestTenThousandSentencesKeepTheirSpans(t *testing.T) {
	keepSpans(t, 334) // for each of 30 pairs
}
