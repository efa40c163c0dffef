//go:build unix

package ovruntime

import (
	"testing"
	"unsafe"

	"dragoman/inference/openvino/locate"

	"github.com/ebitengine/purego"
	"github.com/stretchr/testify/require"
)

// buildOf loads the C library of c and returns its build number.
func buildOf(t *testing.T, c locate.Candidate) string {
	t.Helper()
	for _, path := range c.Preload {
		_, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
		require.NoError(t, err)
	}
	library, err := purego.Dlopen(c.Library, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	require.NoError(t, err)
	// ov_version_t, in the C API's ov_core.h.
	var version struct{ build, description *byte }
	var get func(unsafe.Pointer) int32
	purego.RegisterLibFunc(&get, library, "ov_get_openvino_version")
	require.Zero(t, get(unsafe.Pointer(&version)))
	return unsafeString(version.build)
}

func unsafeString(p *byte) string {
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}
