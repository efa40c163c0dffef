package main

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/installer/autostart"
)

func TestTheLoginByCommand(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_DIRS", t.TempDir())
	for command, starts := range map[string]bool{"install": true, "uninstall": false} {
		root := newRoot()
		root.SetArgs([]string{command})
		root.SetOut(io.Discard)
		require.NoError(t, root.Execute())
		now, err := autostart.Read()
		require.NoError(t, err)
		require.Equal(t, starts, now.Enabled, command)
		root.SetArgs([]string{command, "more"})
		require.ErrorAs(t, root.Execute(), new(usageError))
	}
}
