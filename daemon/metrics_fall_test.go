package daemon

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

func TestADeviceThatIsNotThereHasNotFallen(t *testing.T) {
	require.Empty(t, fallOf(api.Model{Fallback: "there is no NPU", FallbackKind: api.FallbackAbsent}))
	require.Empty(t, fallOf(api.Model{Fallback: "it is being prepared", FallbackKind: "not-tried-yet"}))
	require.Equal(t, "it hangs", fallOf(api.Model{Fallback: "it hangs", FallbackKind: "hung"}))
}
