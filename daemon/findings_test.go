package daemon

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/language"
)

func TestALanguageIsDetectedOnce(t *testing.T) {
	var f findings
	asked := 0
	detect := func(text string, among []string) language.Finding {
		asked++
		return language.Finding{Language: among[0]}
	}
	for range 3 {
		require.Equal(t, "en", f.of("text", []string{"en", "de"}, detect).Language)
	}
	require.Equal(t, 1, asked)
	require.Equal(t, "de", f.of("text", []string{"de"}, detect).Language, "another model")
	require.Equal(t, 2, asked)
	for i := range findingsKept {
		f.of(fmt.Sprint(i), []string{"en"}, detect)
	}
	require.Len(t, f.last, findingsKept)
	f.of("text", []string{"en", "de"}, detect)
	require.Equal(t, 3+findingsKept, asked, "it was forgotten")
}
