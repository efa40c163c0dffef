package power

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestForTokensWithoutAMeter(t *testing.T) {
	_, err := ForTokens(t.Context(), Sysfs(t.TempDir()), func(context.Context) (int, error) { return 0, errors.New("nothing is to be run") })
	require.Error(t, err)
	require.NotContains(t, err.Error(), "nothing is to be run")
}
