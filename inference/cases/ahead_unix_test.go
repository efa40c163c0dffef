//go:build unix

package cases

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference"
	"dragoman/inference/openvino/ovtest"
)

// ahead compiles for NPUs of other machines, as an administrator does, and
// returns how many graphs were compiled and not found.
func (b *bench) ahead(platform string) (compiled int) {
	b.t.Helper()
	o := b.options
	o.Encoder, o.Acceleration = "", inference.Acceleration{}
	began := 0
	require.NoError(b.t, inference.CompileAhead(b.t.Context(), o, platform, func(inference.Ahead) { began++ }, func(a inference.Ahead) {
		require.Equal(b.t, began, a.Graph)
		require.Equal(b.t, 3, a.Of)
		require.Positive(b.t, a.Bytes)
		require.Equal(b.t, platform, a.Needs.Platform)
		if !a.Stored {
			compiled++
		}
	}))
	require.Equal(b.t, 3, began)
	return compiled
}

// What an administrator has compiled for a platform serves a machine with such
// an NPU, whatever its driver, without a compiler.
func TestCompiledAhead(t *testing.T) {
	b := newBench(t)
	require.Equal(t, 3, b.ahead("4000"))
	require.Zero(t, b.ahead("4000"))
	for _, driver := range []string{"driver=1900", "driver=2000"} {
		b.device.Play(t, "compile=abort", driver)
		b.open().serves()
		require.Positive(t, b.translates().BucketTokens)
		b.close()
	}
}

func TestCompiledAheadForOthers(t *testing.T) {
	b := newBench(t)
	b.device.Play(t, "architecture=3720")
	require.Equal(t, 3, b.ahead("3720"))
	b.device.Play(t, "compile=error")
	b.open()
	b.falls("compile")
	b.translates()
}

// What the device refuses is compiled there, and out of the way.
func TestCompiledAheadIsRefused(t *testing.T) {
	b := newBench(t)
	b.device.Play(t, "blob.architecture=3720") // by the end of what is compiled
	none := func(inference.Ahead) {}
	require.NoError(t, inference.CompileAhead(t.Context(), b.options, "4000", none, none))
	b.device.Play(t)
	b.open().serves()
	require.Positive(t, b.translates().BucketTokens)
	doubted, err := filepath.Glob(filepath.Join(b.options.Cache.Dir, "blobs", "quarantine", "*"))
	require.NoError(t, err)
	require.NotEmpty(t, doubted)
}

func TestAheadRefuses(t *testing.T) {
	none := func(inference.Ahead) {}
	o := inference.Options{Runtime: ovtest.Shim(t).Candidate, ModelDir: filepath.Join(ovtest.Root(), "assets", "starter"), Cache: inference.Cache{Dir: t.TempDir()}}
	require.ErrorContains(t, inference.CompileAhead(t.Context(), o, "4001", none, none), "use 3720, 4000, 5010 or 5020")
}
