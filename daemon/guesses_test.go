package daemon_test

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

// right is how many tokens were guessed rightly since the start.
func right(t *testing.T, s *service) (n int64) {
	t.Helper()
	status, err := s.Status(t.Context())
	require.NoError(t, err)
	require.NotNil(t, status.Telemetry)
	for _, c := range status.Telemetry.Counts {
		if c.Name == "tokens_guessed_right" {
			n += c.Value
		}
	}
	return n
}

const (
	plan   = "The committee will meet again on Monday to discuss the new budget for the schools of the city."
	edited = "The committee will meet again on Friday to discuss the new budget for the schools of the city."
)

func gains(t *testing.T, s *service, r api.TranslateRequest) int64 {
	t.Helper()
	before := right(t, s)
	_, err := s.Translate(t.Context(), r)
	require.NoError(t, err)
	return right(t, s) - before
}

func spanish(text string) api.TranslateRequest {
	return api.TranslateRequest{Texts: []string{text}, From: "en", To: "es"}
}

// TestAnEditedTextGainsUntilItIsErased: what is erased, and what is private, makes
// nothing faster.
func TestAnEditedTextGainsUntilItIsErased(t *testing.T) {
	s := start(t, newPaths(t)).warm()
	gains(t, s, spanish(plan))
	if gains(t, s, spanish(edited)) == 0 {
		t.Skip("nothing is guessed on this machine")
	}
	_, err := s.EraseHistory(t.Context(), time.Time{})
	require.NoError(t, err)
	require.Zero(t, gains(t, s, spanish(edited)))

	_, err = s.EraseHistory(t.Context(), time.Time{})
	require.NoError(t, err)
	private := spanish(plan)
	private.Private = true
	gains(t, s, private)
	require.Zero(t, gains(t, s, spanish(edited)))
}

func TestWithoutAMemoryNothingIsKeptForLater(t *testing.T) {
	paths := newPaths(t)
	require.NoError(t, os.WriteFile(paths.ConfigFile, []byte("[memory]\nenabled = false\n"), 0o600))
	s := start(t, paths).warm()
	gains(t, s, spanish(plan))
	require.Zero(t, gains(t, s, spanish(edited)))
}
