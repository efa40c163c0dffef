//go:build long

package document

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/watch/document/segment"
)

// Five real documents or more of each format: the identity gives the same bytes, and what
// is written of a translation is read again with the same segments.
func TestRealDocuments(t *testing.T) {
	for _, format := range listed(t) {
		t.Run(format, func(t *testing.T) {
			all := realDocuments(t, format)
			require.GreaterOrEqual(t, len(all), 5)
			for _, d := range all {
				t.Run(d.name(), func(t *testing.T) {
					if format != "pdf" {
						roundTrip(t, "a."+format, d.raw)
						return
					}
					read, err := Parse("a.pdf", d.raw)
					require.NoError(t, err)
					require.NotEmpty(t, read.Segments())
					require.NoError(t, read.Translate(t.Context(), pseudo))
					there, err := read.Bytes(segment.Options{To: "de"})
					require.NoError(t, err)
					require.Contains(t, string(there), "é")
				})
			}
		})
	}
}
