//go:build unix

package cases

import (
	"context"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/inference"
	"dragoman/inference/device"
	"dragoman/inference/ladder"
	"dragoman/inference/openvino/ovtest"
	"dragoman/inference/probe"
)

// probeVariable has this test binary be the process that tries a device.
const probeVariable = "DRAGOMAN_TEST_PROBE"

// sharedCache is the cache of tests that need none of their own, so that the
// model is prepared once.
var sharedCache string

func TestMain(m *testing.M) {
	if os.Getenv(probeVariable) != "" {
		os.Exit(probe.Main(os.Stdin, os.Stdout))
	}
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
	dir, err := os.MkdirTemp("", "dragoman-cases-")
	if err != nil {
		panic(err)
	}
	sharedCache = dir
	code := m.Run()
	ovtest.RemoveShim()
	os.RemoveAll(dir)
	os.Exit(code)
}

// patience is how long a test waits for what must come; the machine may be busy.
const patience = 100 * time.Second

// text and its translation on the processor, which every case must give.
const text = "Where is the nearest train station? The house is big."

// bench is a translator whose encoder may run on the device with faults.
type bench struct {
	*inference.Translator
	t       testing.TB
	device  *ovtest.Device
	options inference.Options
	changed chan struct{}
}

// newBench opens nothing yet. The cache has the model's graphs and nothing else.
func newBench(t testing.TB) *bench {
	t.Helper()
	b := &bench{t: t, device: ovtest.Shim(t), changed: make(chan struct{}, 1)}
	b.options = inference.Options{
		Runtime: b.device.Candidate, ModelDir: filepath.Join(ovtest.Root(), "assets", "starter"),
		Cache: inference.Cache{Dir: t.TempDir()}, Encoder: "NPU", Decoder: "CPU",
		Acceleration: inference.Acceleration{
			Probe: func(ctx context.Context) (*exec.Cmd, error) {
				cmd := exec.CommandContext(ctx, os.Args[0])
				cmd.Env = append(os.Environ(), probeVariable+"=1")
				return cmd, nil
			},
			Changed: func() {
				select {
				case b.changed <- struct{}{}:
				default:
				}
			},
		},
	}
	cold := filepath.Join(sharedCache, "cold")
	if _, err := os.Stat(cold); err != nil {
		o := b.options
		o.Cache.Dir, o.Encoder = cold, "CPU"
		tr, err := inference.Open(t.Context(), o)
		require.NoError(t, err)
		r, err := tr.Translate(t.Context(), inference.Request{Text: text, From: "en", To: "de"})
		require.NoError(t, err)
		onProcessor = r.Text
		require.NoError(t, tr.Close())
	}
	lend(t, cold, b.options.Cache.Dir)
	return b
}

// warmBench is newBench with a device that has served before.
func warmBench(t testing.TB) *bench {
	t.Helper()
	b := newBench(t)
	warm := filepath.Join(sharedCache, "warm")
	if _, err := os.Stat(warm); err != nil {
		b.open().serves()
		b.close()
		lend(t, b.options.Cache.Dir, warm)
	}
	lend(t, warm, b.options.Cache.Dir)
	return b
}

// lend gives a cache the files of another, which are never written again.
func lend(t testing.TB, from, to string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(from, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, name)
		if entry.IsDir() {
			return os.MkdirAll(target, 0o700)
		}
		if _, err := os.Lstat(target); err == nil {
			return nil
		}
		return os.Link(path, target)
	}))
}

// open opens the translator for the rest of the test.
func (b *bench) open() *bench {
	b.t.Helper()
	tr, err := inference.Open(b.t.Context(), b.options)
	require.NoError(b.t, err)
	b.Translator = tr
	b.t.Cleanup(b.close)
	return b
}

// close ends the translator, so that another start can be played.
func (b *bench) close() {
	if b.Translator != nil {
		tr := b.Translator
		b.Translator = nil
		require.NoError(b.t, tr.Close())
	}
}

// until waits for a state of the devices.
func (b *bench) until(what string, right func(inference.Devices) bool) inference.Devices {
	b.t.Helper()
	timeout := time.After(patience)
	for {
		if d := b.Devices(); right(d) {
			return d
		}
		select {
		case <-b.changed:
		case <-timeout:
			b.t.Fatalf("%s: it did not come so, it is %s", what, describe(b.Devices()))
		}
	}
}

func describe(d inference.Devices) string {
	s := "encoder on " + d.Encoder
	for _, f := range append(d.Falls, d.DecoderFalls...) {
		s += "; " + string(f.Reason.Kind) + ": " + f.Reason.Error()
	}
	if d.Opening.Device != "" {
		s += "; opening " + d.Opening.Device
	}
	return s
}

// serves waits until the NPU encodes.
func (b *bench) serves() {
	b.t.Helper()
	b.until("the NPU serves", func(d inference.Devices) bool { return d.Encoder == "NPU" })
}

// falls waits until the NPU does not serve for a reason, and returns it.
func (b *bench) falls(kinds ...ladder.Kind) *ladder.Reason {
	b.t.Helper()
	d := b.until("the NPU falls", func(d inference.Devices) bool {
		if d.Encoder != "CPU" || len(d.Falls) != 1 || d.Opening.Device != "" {
			return false
		}
		for _, kind := range kinds {
			if d.Falls[0].Reason.Kind == kind {
				return true
			}
		}
		return false
	})
	return d.Falls[0].Reason
}

// onProcessor is the text's translation there.
var onProcessor string

// translates checks that the text comes out as on the processor, now.
func (b *bench) translates() inference.Stats {
	b.t.Helper()
	r, err := b.Translate(b.t.Context(), inference.Request{Text: text, From: "en", To: "de"})
	require.NoError(b.t, err)
	require.Equal(b.t, onProcessor, r.Text)
	return r.Stats
}

// shows is what the system may say of its devices.
func shows(devices []device.Device, findings ...device.Finding) func(context.Context) device.Machine {
	return func(context.Context) device.Machine {
		return device.Machine{Devices: devices, Findings: findings}
	}
}
