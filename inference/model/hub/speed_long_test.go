//go:build long

package hub

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestSpeedBesideCurl measures how much longer a pull takes than curl, which has
// neither a checksum to make nor the disk to wait for at its end. They take turns on
// the same server.
func TestSpeedBesideCurl(t *testing.T) {
	curl, err := exec.LookPath("curl")
	if err != nil {
		t.Skip("curl is not installed")
	}
	h := newLocalHub(t)
	weights := make([]byte, 256<<20)
	_, _ = rand.NewChaCha8([32]byte{2}).Read(weights)
	h.files["model.safetensors"] = weights
	var ratios []float64
	for range 7 {
		o := h.options()
		o.Stall = time.Minute // this process is the hub, too, and may wait for the processor
		begun := time.Now()
		_, err := Pull(t.Context(), o)
		require.NoError(t, err)
		pull := time.Since(begun)
		h.requireWhole(o.Dir)

		to := filepath.Join(t.TempDir(), "file")
		begun = time.Now()
		out, err := exec.Command(curl, "-sSf", "-o", to, h.URL+"/some/model/resolve/"+h.commit+"/model.safetensors").CombinedOutput()
		require.NoError(t, err, "%s", out)
		ratios = append(ratios, pull.Seconds()/time.Since(begun).Seconds())
		info, err := os.Stat(to)
		require.NoError(t, err)
		require.EqualValues(t, len(weights), info.Size())
		require.NoError(t, os.RemoveAll(o.Dir))
	}
	slices.Sort(ratios)
	t.Logf("a pull takes %.2f times as long as curl (from %.2f to %.2f)", ratios[3], ratios[0], ratios[6])
}
