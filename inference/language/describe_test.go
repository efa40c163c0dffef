package language

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestProblem(t *testing.T) {
	err := Detect("Ik ben daar nog nooit geweest, want het is te ver.", six).Problem(six)
	require.ErrorIs(t, err, ErrForeign)
	require.ErrorContains(t, err, "Dutch (nl)")
	require.ErrorContains(t, err, "German (de), English (en), Spanish (es), French (fr), Italian (it), Portuguese (pt)")
	require.ErrorContains(t, err, "--from")
	require.NotContains(t, err.Error(), "nooit")
	require.ErrorContains(t, Detect("Привет, как дела?", six).Problem(six), "Russian (ru)")
	require.ErrorContains(t, Detect("བཀྲ་ཤིས་བདེ་ལེགས།", all).Problem(all), "100 languages, see `dragoman languages`")
	require.NoError(t, Detect("Good morning", six).Problem(six))
	require.NoError(t, Detect("12:30", six).Problem(six))
}

func TestWarning(t *testing.T) {
	require.Empty(t, Detect("Good morning", six).Warning())
	require.Contains(t, Detect("This is what she told me on the phone: Я никогда там не был.", six).Warning(), "Russian (ru)")
	require.Contains(t, Detect("This is a greeting from Tibet: བཀྲ་ཤིས་བདེ་ལེགས། བཀྲ་ཤིས་བདེ་ལེགས།", six).Warning(), "letters")
}

func TestHint(t *testing.T) {
	require.Empty(t, Detect("Where is the nearest train station?", six).Hint())
	require.Empty(t, Detect("Привет, как дела?", six).Hint())
	require.Equal(t, "taken as German (unsure, perhaps Dutch, which the model does not know, or English): say --from",
		Finding{Language: "de", Unsure: true, Foreign: Perhaps, Other: "nl", Alternatives: []Alternative{{"en", 0.3}, {"fr", 0.1}}}.Hint())
	require.Equal(t, "taken as German (unsure): say --from", Finding{Language: "de", Unsure: true}.Hint())
}
