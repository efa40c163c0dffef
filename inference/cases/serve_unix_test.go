//go:build unix

package cases

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/inference"
	"dragoman/inference/ladder"
)

func TestTheDeviceTakesOver(t *testing.T) {
	b := newBench(t).open()
	b.translates() // the processor serves at once
	b.serves()
	require.Positive(t, b.translates().BucketTokens)
	d := b.Devices()
	require.Equal(t, "Intel(R) AI Boost", d.EncoderName)
	require.Equal(t, "CPU", d.Decoder)
	require.Empty(t, d.Falls)
	b.close()

	// The second start compiles nothing, not even in another process.
	b.device.Play(t, "compile=abort")
	b.open().serves()
	require.Positive(t, b.translates().BucketTokens)
	b.until("nothing is opened", func(d inference.Devices) bool { return d.Opening == inference.Opening{} })
}

// What a device does wrong while it serves: the text is the processor's, the
// next is tried there at once, and the reason is known.
func TestFaultInService(t *testing.T) {
	for fault, want := range map[string]ladder.Kind{
		"lost": ladder.Lost, "unknown": ladder.Inference, "oom": ladder.Memory,
		"nan": ladder.NotFinite, "inf": ladder.NotFinite, "zero": ladder.Empty,
	} {
		t.Run(fault, func(t *testing.T) {
			b := warmBench(t).open()
			b.serves()
			b.device.Play(t, "infer="+fault, "infer.from=2") // the text's second sentence
			require.Positive(t, b.translates().BucketTokens, "the device encoded the first sentence")
			why := b.falls(want)
			require.Equal(t, "1782", why.Driver)
			require.Contains(t, why.Error(), "NPU (Intel(R) AI Boost, driver 1782)")
			require.Zero(t, b.translates().BucketTokens)
			next := b.Devices().Falls[0].Next
			require.WithinDuration(t, time.Now().Add(ladder.Pauses[0]), next, patience)
		})
	}
}

// A text waits for a device that hangs as long as its limit says, others go on.
func TestHangInService(t *testing.T) {
	b := warmBench(t).open()
	b.serves()
	b.device.Play(t, "infer=hang", "infer.count=1")
	b.translates()
	b.falls(ladder.Hung)
	b.translates()
	b.device.Play(t)
	b.close() // what hung has ended
}

// A device that is gone after sleep is not asked for any text; when it is back
// it serves again.
func TestGoneAfterSleep(t *testing.T) {
	b := warmBench(t).open()
	b.serves()
	b.device.Play(t, "device=gone")
	require.NoError(t, b.Resume())
	b.translates()
	b.falls(ladder.Absent)
	b.translates()
}

func TestOpenedAnewAfterSleep(t *testing.T) {
	b := warmBench(t).open()
	b.serves()
	require.NoError(t, b.Resume())
	b.translates()
	b.serves()
	require.Positive(t, b.translates().BucketTokens)
}

// One that stays dead after it was lost is not tried again and again.
func TestDeadAfterItWasLost(t *testing.T) {
	b := warmBench(t).open()
	b.serves()
	b.device.Play(t, "device=lost")
	b.translates()
	b.falls(ladder.Lost)
	require.NoError(t, b.Resume())
	b.until("it was tried", func(d inference.Devices) bool { return len(d.Falls) > 0 && d.Falls[0].Reason.Kind == ladder.Lost })
	why := b.falls(ladder.Lost)
	require.Contains(t, why.Error(), "reload the driver")
	b.translates()
}

// An NPU takes no dynamic shapes: sentences go into the smallest bucket that
// holds them, and those that fit none are cut.
func TestSentencesOfAllLengths(t *testing.T) {
	b := warmBench(t).open()
	b.serves()
	for _, n := range []int{1, 12, 40, 90, 200} {
		r, err := b.Translate(t.Context(), inference.Request{Text: "The house is " + strings.Repeat("very ", n) + "big.", From: "en", To: "de"})
		require.NoError(t, err)
		require.NotEmpty(t, r.Text)
		require.Positive(t, r.Stats.BucketTokens)
	}
	require.Equal(t, "NPU", b.Devices().Encoder)
}

func TestStoreInTheWay(t *testing.T) {
	t.Run("no folder", func(t *testing.T) {
		b := newBench(t)
		makeFile(t, filepath.Join(b.options.Cache.Dir, "blobs"))
		b.open()
		b.translates()
		b.serves() // through a folder that ends with the program
		require.Positive(t, b.translates().BucketTokens)
	})
	t.Run("no room", func(t *testing.T) {
		b := newBench(t)
		b.options.Cache.QuotaBytes = 1 << 20
		b.open()
		b.translates()
		b.falls(ladder.Store)
		b.translates()
		b.close()
		left, err := filepath.Glob(filepath.Join(b.options.Cache.Dir, "blobs", "tmp", "*"))
		require.NoError(t, err)
		require.Empty(t, left)
	})
}

// A program that ends without giving anything back has still ended well.
func TestAbandonedIsNoUncleanEnd(t *testing.T) {
	b := warmBench(t).open()
	b.serves()
	tr := b.Translator
	b.Translator = nil
	notes := func() []string {
		found, err := filepath.Glob(filepath.Join(b.options.Cache.Dir, "devices", "in-use-*"))
		require.NoError(t, err)
		return found
	}
	require.NotEmpty(t, notes())
	require.NoError(t, tr.Abandon())
	require.Empty(t, notes())
}

// A driver that was updated while the computer slept is noticed: what was compiled
// for the old one is compiled anew while the processor serves.
func TestDriverUpdatedInSleep(t *testing.T) {
	b := warmBench(t).open()
	b.serves()
	b.device.Play(t, "driver=1900", "compile.ms=200")
	require.NoError(t, b.Resume())
	b.translates()
	b.until("graphs are compiled anew", func(d inference.Devices) bool { return d.Opening.Of == 3 && d.Encoder == "CPU" })
	b.serves()
	require.Positive(t, b.translates().BucketTokens)
	b.device.Play(t, "driver=1900", "infer=lost")
	b.translates()
	require.Equal(t, "1900", b.falls(ladder.Lost).Driver)
}
