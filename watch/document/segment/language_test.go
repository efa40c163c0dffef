package segment

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSameLanguage(t *testing.T) {
	for _, same := range [][2]string{{"en", "en"}, {"en-GB", "en"}, {"de_AT", "de"}, {"DE", "de"}, {"sr@latin", "sr"}, {"iw", "he"}, {"nb", "no"}, {"zh_Hans_CN", "zh"}, {"*all*", "*ALL*"}} {
		require.True(t, SameLanguage(same[0], same[1]), same)
	}
	for _, others := range [][2]string{{"est", "es"}, {"et", "es"}, {"", "he"}, {"und", "en"}, {"de", "en"}, {"*all*", "en"}} {
		require.False(t, SameLanguage(others[0], others[1]), others)
	}
}
