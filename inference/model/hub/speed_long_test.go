//go:build long

package hub

import (
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestSpeedBesideCurl measures how much longer a pull takes than curl, which has
// neither a checksum to make nor the disk to wait for at its end. They take turns on
// the same server, which is as fast as a line of a gigabit, or as it can be.
func TestSpeedBesideCurl(t *testing.T) {
	curl, err := exec.LookPath("curl")
	if err != nil {
		t.Skip("curl is not installed")
	}
	const gigabit = 125e6 // bytes a second
	for name, speed := range map[string]float64{"gigabit": gigabit, "no limit": 0} {
		t.Run(name, func(t *testing.T) {
			h := newLocalHub(t)
			weights := make([]byte, 512<<20)
			_, _ = rand.NewChaCha8([32]byte{2}).Read(weights)
			h.files["model.safetensors"] = weights
			h.listOnce()
			if speed > 0 {
				h.always("model.safetensors", func(w http.ResponseWriter, _ *http.Request) { sendSlowly(w, weights, speed) })
			}
			var ratios []float64
			for range 5 {
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
			t.Logf("a pull takes %.2f times as long as curl (from %.2f to %.2f)", ratios[2], ratios[0], ratios[4])
		})
	}
}

// listOnce keeps the hub's list: its checksums of large files take a second.
func (h *localHub) listOnce() {
	response, err := http.Get(h.URL + "/api/models/some/model/revision/main?blobs=true")
	require.NoError(h.t, err)
	defer response.Body.Close()
	list, err := io.ReadAll(response.Body)
	require.NoError(h.t, err)
	h.always("list", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(list) })
}

// sendSlowly sends so many bytes a second.
func sendSlowly(w http.ResponseWriter, data []byte, speed float64) {
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	begun := time.Now()
	for sent := 0; sent < len(data); {
		n, err := w.Write(data[sent:min(sent+1<<20, len(data))])
		if err != nil {
			return // whoever asked has gone
		}
		sent += n
		time.Sleep(time.Until(begun.Add(time.Duration(float64(sent) / speed * float64(time.Second)))))
	}
}
