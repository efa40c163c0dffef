package identity

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNotificationsHaveOurPicture(t *testing.T) {
	cache := filepath.Join(t.TempDir(), "new", "cache")
	o, err := Notifications(cache)
	require.NoError(t, err)
	check := func() {
		data, err := os.ReadFile(o.Icon)
		require.NoError(t, err)
		c, err := png.DecodeConfig(bytes.NewReader(data))
		require.NoError(t, err)
		require.Equal(t, picture, c.Width)
		entries, err := os.ReadDir(cache)
		require.NoError(t, err)
		require.Len(t, entries, 1, "nothing half written is left")
	}
	check()
	require.NoError(t, os.WriteFile(o.Icon, []byte("half"), 0o600))
	_, err = Notifications(cache)
	require.NoError(t, err)
	check()

	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	o, err = Notifications(file)
	require.Error(t, err)
	require.Empty(t, o.Icon)
	require.Equal(t, Name, o.App, "notifications without a picture")
}
