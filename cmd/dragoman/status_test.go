package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

func TestStatusSaysWhatEncodes(t *testing.T) {
	now := time.Date(2026, 11, 28, 9, 30, 0, 0, time.Local)
	m := api.Model{Name: "starter", Encoder: "NPU", EncoderName: "Intel(R) AI Boost", Decoder: "CPU"}
	status := func() string { return statusText(api.Snapshot{State: api.StateReady, Model: m}, now) }
	require.Contains(t, status(), "encoder on NPU (Intel(R) AI Boost), decoder on CPU;")
	require.NotContains(t, status(), "devices")
	m.Encoder = "CPU"
	m.Fallback, m.FallbackSince, m.FallbackUntil = "the NPU stopped answering", now.Add(-time.Hour), now.Add(time.Minute)
	require.Contains(t, status(), "devices          the NPU stopped answering, since 2026-11-28 08:30:00, tried again at 09:31:00\n")
	m.FallbackUntil = time.Time{}
	require.NotContains(t, status(), "tried again")
	m.Opening = &api.Opening{Device: "NPU", Graph: 2, Of: 3, Began: now.Add(-34 * time.Second), LastUS: 80_000_000}
	require.Contains(t, status(), "preparing the NPU, graph 2 of 3, for 34 seconds (the last time it took 1 minute 20 seconds); the CPU encodes meanwhile\n")
}

func TestStatusSaysWhatDecodes(t *testing.T) {
	m := api.Model{Name: "starter", Encoder: "CPU", Decoder: "GPU", DecoderSpeed: "a token takes it 2.50 ms, the processor 8.00 ms"}
	status := func() string { return statusText(api.Snapshot{State: api.StateReady, Model: m}, time.Now()) }
	require.Contains(t, status(), "devices          decoder on GPU: a token takes it 2.50 ms, the processor 8.00 ms\n")
	m.Decoder, m.DecoderFallback = "CPU", "the GPU was measured and the processor does better"
	require.Contains(t, status(), "devices          decoder: the GPU was measured and the processor does better\n")
	m.Fallback = "the NPU stopped answering"
	require.Contains(t, status(), "NPU stopped answering")
}

func TestStatusSaysWhatRuns(t *testing.T) {
	root, err := filepath.Abs("inbox")
	require.NoError(t, err)
	now := time.Date(2026, 11, 28, 9, 30, 0, 0, time.Local)
	s := api.Snapshot{
		State: api.StateReady, Queue: api.Queue{Running: 3}, Started: now,
		Folders: []api.Folder{{ID: 1, Settings: api.FolderSettings{Path: root, From: "en", To: []string{"es"}}}},
		Running: []api.Job{
			{ID: api.FirstText + 12, Kind: api.JobText, Chars: 300, To: "de"},
			{ID: api.FirstText + 13, Kind: api.JobText, Private: true},
			{ID: 7, Kind: api.JobFile, Folder: 1, Path: "sub/long.txt", To: "es", Done: 12, Total: 100},
		},
		Notices: []api.Notice{{Time: now, Level: "warning", Message: "the disk is full"}},
	}
	text := statusText(s, now)
	for _, want := range []string{
		"now              t12: text of 300 characters into de\n",
		"                 t13: private text\n",
		"                 7: " + filepath.Join(root, "sub", "long.txt") + " into es, 12 of 100 sentences\n",
		"\n2026-11-28 09:30:00  warning: the disk is full\n",
	} {
		require.Contains(t, text, want)
	}
	for i := range 20 {
		s.Running = append(s.Running, s.Running[0])
		s.Notices = append(s.Notices, api.Notice{Time: now, Level: "info", Message: fmt.Sprint("file ", i)})
	}
	text = statusText(s, now)
	require.LessOrEqual(t, strings.Count(text, "\n"), 24, "one screen:\n%s", text)
	require.Contains(t, text, "and 18 more\n")
	require.Contains(t, text, "and 16 older notices")
	require.NotContains(t, statusText(api.Snapshot{State: api.StateReady}, now), "now ")
}
