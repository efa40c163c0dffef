package daemon

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHintsAreTheLastLanguages(t *testing.T) {
	var h hints
	require.Empty(t, h.likely())
	for _, code := range []string{"en", "de", "en", "it", "es"} {
		h.saw(code)
	}
	require.Equal(t, []string{"es", "it", "en"}, h.likely())
	h.likely()[0] = "xx"
	require.Equal(t, []string{"es", "it", "en"}, h.likely())
}
