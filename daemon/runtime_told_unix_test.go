//go:build unix

package daemon_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/inference/openvino/ovtest"
)

// A runtime that was installed while the service runs is told until the service
// uses it.
func TestAnotherRuntimeIsTold(t *testing.T) {
	s := start(t, newPaths(t)).warm()
	told := func(now api.Snapshot) bool {
		for _, n := range now.Notices {
			if strings.HasPrefix(n.Message, "Another OpenVINO was installed") {
				require.Contains(t, n.Message, "start `dragomand` again")
				return true
			}
		}
		return false
	}
	library := ovtest.Library(t)
	other := t.TempDir()
	files, err := filepath.Glob(filepath.Join(library.Dir, "lib*.so*"))
	require.NoError(t, err)
	for _, file := range files {
		require.NoError(t, os.Symlink(file, filepath.Join(other, filepath.Base(file))))
	}
	t.Setenv("DRAGOMAN_OPENVINO", other)
	s.until(told)
	t.Setenv("DRAGOMAN_OPENVINO", library.Library)
	s.until(func(now api.Snapshot) bool { return !told(now) })
}
