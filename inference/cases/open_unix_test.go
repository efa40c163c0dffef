//go:build unix

package cases

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/inference"
	"dragoman/inference/device"
	"dragoman/inference/ladder"
	"dragoman/inference/probe"
)

func makeFile(t *testing.T, path string) {
	t.Helper()
	require.NoError(t, os.RemoveAll(path))
	require.NoError(t, os.WriteFile(path, nil, 0o600))
}

// What goes wrong while a device is tried goes wrong in another process.
func TestFaultWhileOpening(t *testing.T) {
	for name, c := range map[string]struct {
		play []string
		want ladder.Kind
		says string
	}{
		"driver and compiler of different ages": {[]string{"compile=version", "driver=1500"}, ladder.Mismatch, "driver 1500"},
		"compile fails":                         {[]string{"compile=unknown"}, ladder.Compile, "ZE_RESULT_ERROR_UNKNOWN"},
		"compiler crashes":                      {[]string{"compile=segv", "compile.from=2"}, ladder.Crashed, "it compiled graph 2 of 3"},
		"compiler gives up":                     {[]string{"compile=abort"}, ladder.Crashed, "a newer driver may help"},
		"no memory":                             {[]string{"compile=oom"}, ladder.Memory, "OUT_OF_DEVICE_MEMORY"},
		"plugin crashes":                        {[]string{"list=abort"}, ladder.Crashed, "it looked for the device"},
		"no device":                             {[]string{"device=gone"}, ladder.Absent, "lists only CPU"},
		"driver not initialised":                {[]string{"device=lost"}, ladder.Lost, "DEVICE_LOST"},
		"first inference fails":                 {[]string{"infer=unknown"}, ladder.Inference, "ZE_RESULT_ERROR_UNKNOWN"},
		"first inference is NaN":                {[]string{"infer=nan"}, ladder.NotFinite, "no numbers"},
		"first inference is empty":              {[]string{"infer=zero"}, ladder.Empty, "empty results"},
		"wrong numbers in some lanes":           {[]string{"infer=lanes"}, ladder.Wrong, "cosine"},
		"blob refused":                          {[]string{"import=refuse"}, ladder.Mismatch, "Metadata version"},
		"blob garbage":                          {[]string{"import=garbage"}, ladder.Wrong, "cosine"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.device.Play(t, c.play...)
			b.open()
			why := b.falls(c.want)
			require.Contains(t, why.Error(), c.says)
			b.translates()
		})
	}
}

// A process that does not end, or takes all memory, is ended.
func TestLimitsWhileOpening(t *testing.T) {
	for name, c := range map[string]struct {
		play   string
		limits probe.Limits
		want   ladder.Kind
	}{
		"compile never ends":       {"compile=hang", probe.Limits{Start: time.Minute, Compile: 3 * time.Second, Infer: time.Minute}, ladder.Slow},
		"inference never ends":     {"infer=hang", probe.Limits{Start: time.Minute, Compile: 30 * time.Second, Infer: time.Second}, ladder.Slow},
		"compile takes all memory": {"compile=grow", probe.Limits{Start: time.Minute, Compile: time.Minute, Infer: time.Minute, Memory: 700 << 20}, ladder.Memory},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.options.Acceleration.Limits = c.limits
			b.device.Play(t, c.play)
			b.open()
			b.translates() // meanwhile
			b.falls(c.want)
			b.translates()
		})
	}
}

func TestSlowCompileIsShown(t *testing.T) {
	b := newBench(t)
	b.device.Play(t, "compile.ms=700")
	b.open()
	seen := map[int]bool{}
	b.until("graphs are compiled", func(d inference.Devices) bool {
		if o := d.Opening; o.Of == 3 {
			require.Equal(t, "NPU", o.Device)
			require.Equal(t, "CPU", d.Encoder, "which serves meanwhile")
			seen[o.Graph] = true
		}
		return d.Encoder == "NPU"
	})
	require.NotEmpty(t, seen)
	require.Positive(t, b.translates().BucketTokens)
	b.close()
	b.device.Play(t, "driver=1900") // everything is compiled anew, and the last time is known
	b.open()
	b.until("the last time is told", func(d inference.Devices) bool { return d.Opening.Last > 2*time.Second })
	b.serves()
	b.translates()
}

// A device that computes wrongly is refused until its driver changes, without
// being asked again.
func TestWrongIsOnRecord(t *testing.T) {
	b := newBench(t)
	b.device.Play(t, "infer=lanes")
	b.open()
	b.falls(ladder.Wrong)
	b.close()
	b.device.Play(t, "compile=abort", "infer=abort")
	b.open()
	require.Contains(t, b.falls(ladder.Wrong).Error(), "until its driver, the runtime or the model changes")
	b.translates()
	b.close()
	b.device.Play(t, "driver=1900")
	b.open().serves()
	require.Positive(t, b.translates().BucketTokens)
}

// Graphs that are right when compiled and garbage when they come from the store
// are found by the check after the import, and compiled anew.
func TestGarbageFromTheStore(t *testing.T) {
	b := warmBench(t)
	b.device.Play(t, "import=garbage", "import.count=3")
	b.open().serves()
	require.Positive(t, b.translates().BucketTokens)
	doubted, err := filepath.Glob(filepath.Join(b.options.Cache.Dir, "blobs", "quarantine", "*"))
	require.NoError(t, err)
	require.NotEmpty(t, doubted)
}

// What the system knows of a device that cannot serve is the reason, and nothing
// is tried.
func TestTheSystemKnowsWhy(t *testing.T) {
	npu := device.Device{Kind: device.NPU, Name: "Intel(R) AI Boost"}
	for name, c := range map[string]struct {
		finding device.Finding
		devices []device.Device
		want    ladder.Kind
	}{
		"no permission": {device.Finding{Device: device.NPU, Problem: device.NoPermission, Blocks: true, Text: "no permission", Cure: "add the user to the group render"}, []device.Device{npu}, ladder.Unusable},
		"no node":       {device.Finding{Device: device.NPU, Problem: device.NoNode, Blocks: true, Text: "the driver could not start it", Cure: "see dmesg"}, []device.Device{npu}, ladder.Unusable},
		"no hardware":   {device.Finding{Device: device.NPU, Problem: device.NoHardware, Blocks: true, Text: "there is no NPU"}, nil, ladder.Absent},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.device.Play(t, "list=abort")
			b.options.Encoder = ""
			b.options.Acceleration.Survey = shows(c.devices, c.finding)
			b.open()
			d := b.until("both are ruled out", func(d inference.Devices) bool {
				return len(d.Falls) == 2 && d.Opening.Device == "" && d.Falls[0].Reason.Kind != ladder.Waiting && d.Falls[1].Reason.Kind != ladder.Waiting
			})
			require.Equal(t, c.want, d.Falls[0].Reason.Kind)
			require.Equal(t, c.finding.String(), d.Falls[0].Reason.Error())
			b.translates()
		})
	}
}

// A program that ends soon uses what is prepared and prepares nothing itself.
func TestWarmOnly(t *testing.T) {
	b := newBench(t)
	b.options.Encoder, b.options.Acceleration.WarmOnly = "", true
	b.options.Acceleration.Survey = shows([]device.Device{{Kind: device.NPU}})
	b.open()
	d := b.until("it is not prepared", func(d inference.Devices) bool {
		return len(d.Falls) == 2 && d.Falls[0].Reason.Kind == ladder.Unusable
	})
	require.Contains(t, d.Falls[0].Reason.Error(), "dragoman service start")
	b.close()
	warm := warmBench(t)
	warm.options.Encoder, warm.options.Acceleration = "", b.options.Acceleration
	warm.options.Acceleration.Changed = nil
	warm.open()
	require.Eventually(t, func() bool { return warm.Devices().Encoder == "NPU" }, patience, 10*time.Millisecond)
}
