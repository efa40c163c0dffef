//go:build unix && long

package cases

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/inference"
	"dragoman/inference/ladder"
	"dragoman/inference/openvino/ovtest"
)

// textsVariable is how many texts TestNoTextIsLost translates, 10000 by default.
const textsVariable = "DRAGOMAN_TEST_TEXTS"

// serviceFaults are those that can be seen on a text. Wrong numbers that look
// like right ones are found when a device is opened and by samples, not on each
// text.
var serviceFaults = []string{
	"infer=lost", "infer=unknown", "infer=oom", "infer=nan", "infer=inf", "infer=zero", "device=lost", "device=gone",
	"import=refuse", "import=garbage", "compile=unknown", "compile=segv", "compile=oom", "infer.ms=30",
}

// words of random texts.
var words = strings.Fields("the a house train station big small where is my very old friend and we go to school today " +
	"she reads this book in the garden he bought three red apples yesterday but it was not raining")

func randomText(r *rand.Rand) string {
	n := 1 + r.IntN(8)
	if r.IntN(30) == 0 {
		n = 30 + r.IntN(100)
	}
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(words[r.IntN(len(words))])
	}
	b.WriteString(".")
	return b.String()
}

// pair is a text and its translation on the processor.
type pair struct{ text, translation string }

// pool makes n random texts and translates them on the processor.
func (b *bench) pool(r *rand.Rand, n int) (all []pair) {
	b.t.Helper()
	o := b.options
	o.Encoder = "CPU"
	alone, err := inference.Open(b.t.Context(), o)
	require.NoError(b.t, err)
	for range n {
		text := randomText(r)
		got, err := alone.Translate(b.t.Context(), inference.Request{Text: text, From: "en", To: "de"})
		require.NoError(b.t, err)
		all = append(all, pair{text, got.Text})
	}
	require.NoError(b.t, alone.Close())
	return all
}

// Texts of random length, two at a time, while the device fails at random, is
// lost, comes back and is opened anew: each is translated as on the processor.
func TestNoTextIsLost(t *testing.T) {
	texts := 10_000
	if n, err := strconv.Atoi(os.Getenv(textsVariable)); err == nil {
		texts = n
	}
	pauses, gap := ladder.Pauses, ladder.WakeGap
	defer func() { ladder.Pauses, ladder.WakeGap = pauses, gap }()
	ladder.WakeGap = 0
	ladder.Pauses = slices.Repeat([]time.Duration{20 * time.Millisecond}, texts) // never off for good
	b := warmBench(t)
	defer b.close() // before the pauses come back
	b.options.Acceleration.Changed = nil
	b.open()
	const seed = 4
	r := rand.New(rand.NewPCG(seed, seed))
	pool := b.pool(r, 200)
	accelerated, opened, faults, driver, before := 0, 0, 0, 1782, ""
	memory, most := 0, 0
	for done := 0; done < texts; done += 2 {
		switch encoder := b.Devices().Encoder; {
		case encoder == "NPU" && r.IntN(10) == 0:
			fault := serviceFaults[r.IntN(len(serviceFaults))]
			b.device.Play(t, fault, fmt.Sprintf("infer.from=%d", 1+r.IntN(4)), fmt.Sprintf("driver=%d", driver))
			faults++
		case encoder != "NPU" && r.IntN(4) == 0:
			b.mend(&driver)
		}
		if encoder := b.Devices().Encoder; encoder != before {
			before = encoder
			if encoder == "NPU" {
				opened++
			}
		}
		var wait sync.WaitGroup
		for lane := range 2 {
			p := pool[r.IntN(len(pool))]
			wait.Go(func() {
				got, err := b.Translate(t.Context(), inference.Request{Text: p.text, From: "en", To: "de"})
				if err != nil || got.Text != p.translation {
					t.Errorf("text %d, %q: %q instead of %q, %v", done+lane, p.text, got.Text, p.translation, err)
				}
				if lane == 0 && got.Stats.BucketTokens > 0 {
					accelerated++
				}
			})
		}
		wait.Wait()
		if t.Failed() {
			break
		}
		if done%500 == 0 {
			t.Logf("%d texts, %d faults, opened %d times", done, faults, opened)
			if now := ovtest.MemoryKiB(t, "RssAnon"); done > texts/2 {
				most = max(most, now)
			} else {
				memory = max(memory, now)
			}
		}
	}
	t.Logf("%d texts, %d of one lane on the device, %d faults, opened %d times; memory at most %d MB in the first half, %d MB in the second",
		texts, accelerated, faults, opened, memory>>10, most>>10)
	require.Positive(t, accelerated)
	require.Positive(t, faults)
}

// mend ends the device's faults. One that was found to compute wrongly gets
// another driver, one that is off until the computer wakes up is woken.
func (b *bench) mend(driver *int) {
	b.t.Helper()
	d := b.Devices()
	if len(d.Falls) > 0 && d.Falls[0].Reason.Kind == ladder.Wrong {
		*driver++
	}
	b.device.Play(b.t, fmt.Sprintf("driver=%d", *driver))
	if len(d.Falls) > 0 && d.Falls[0].Next.IsZero() && d.Opening.Device == "" {
		require.NoError(b.t, b.Resume())
	}
}
