package autostart

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/windows/registry"
)

func TestEnableAndDisable(t *testing.T) {
	before, err := Read()
	require.NoError(t, err)
	if before.Program != "" {
		t.Skip("dragoman starts with this account's sessions: its registration is left alone")
	}
	const program = `C:\Program Files\dragoman\dragoman-tray.exe`
	require.NoError(t, Enable(program))
	t.Cleanup(func() { require.NoError(t, Disable()) })
	s, err := Read()
	require.NoError(t, err)
	require.Equal(t, Status{Enabled: true, Program: program}, s)

	key, _, err := registry.CreateKey(registry.CURRENT_USER, approvedKey, registry.SET_VALUE)
	require.NoError(t, err)
	require.NoError(t, key.SetBinaryValue(name, []byte{3, 0, 0, 0}))
	require.NoError(t, key.Close())
	s, err = Read()
	require.NoError(t, err)
	require.False(t, s.Enabled, "switched off in the Task Manager")
	require.NoError(t, Enable(program))
	s, err = Read()
	require.NoError(t, err)
	require.True(t, s.Enabled)

	require.NoError(t, Disable())
	s, err = Read()
	require.NoError(t, err)
	require.Equal(t, Status{}, s)
}
