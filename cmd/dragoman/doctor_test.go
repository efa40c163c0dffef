package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/openvino/locate"
	"dragoman/installer/ovruntime"
)

func TestNewerRuntimeIsNamed(t *testing.T) {
	old := newerRuntime(locate.ParseVersion("2025.4.0"))
	require.Len(t, old, 1)
	require.Equal(t, note, old[0].state)
	require.Contains(t, old[0].detail, ovruntime.PinnedVersion)
	require.Contains(t, old[0].advice, "dragoman runtime install")
	for _, same := range []string{ovruntime.PinnedVersion, "2099.1.0", "unknown"} {
		require.Empty(t, newerRuntime(locate.ParseVersion(same)), same)
	}
}
