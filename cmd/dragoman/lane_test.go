package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

func TestLongTextsDoNotGoFirst(t *testing.T) {
	require.Equal(t, api.LaneInteractive, laneOf(urgentSize))
	require.Equal(t, api.LaneBatch, laneOf(urgentSize+1))
}
