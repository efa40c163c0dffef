//go:build unix

package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/inference/openvino/ovtest"
)

// The service as a user sees it, on a device that plays an NPU: it is prepared
// while the processor translates, serves, is lost in the middle of work, and
// nobody misses a text.
func TestServiceOnAnNPU(t *testing.T) {
	t.Cleanup(ovtest.RemoveShim) // last of all
	device := ovtest.Shim(t)
	h := newHome(t, "[inference]\nencoder = \"NPU\"\n")
	h.env["DRAGOMAN_OPENVINO"], h.env["DRAGOMAN_CACHE"] = device.Library, h.path("cache")
	device.Play(t, "compile.ms=300")
	p := h.launch().answering()
	status := func() string { return h.succeeds("status") }
	model := func() api.Model {
		s, err := h.client().Status(t.Context())
		require.NoError(t, err)
		return s.Model
	}
	want := h.succeeds("translate", "--from", "en", "--to", "de", "The house is big.")
	require.NotEmpty(t, want)
	h.eventually("the NPU", func() bool { return model().Encoder == "NPU" })
	require.Contains(t, status(), "encoder on NPU (Intel(R) AI Boost), decoder on CPU")
	require.Equal(t, want, h.succeeds("translate", "--from", "en", "--to", "de", "The house is big."))

	device.Play(t, "device=lost")
	const another = "Where is the nearest train station?"
	require.Contains(t, h.succeeds("translate", "--from", "en", "--to", "de", another), "Bahnhof")
	h.eventually("the reason", func() bool { return strings.Contains(model().Fallback, "device lost") })
	require.Regexp(t, `devices +the NPU \(Intel\(R\) AI Boost, driver 1782\) stopped answering .*, since .*, tried again at `, status())
	require.Equal(t, "CPU", model().Encoder)
	p.stop()
	require.Zero(t, p.code)
	notes, err := os.ReadDir(h.path("cache/devices"))
	require.NoError(t, err)
	for _, n := range notes {
		require.NotContains(t, n.Name(), "in-use", "the device was given back")
	}
}
