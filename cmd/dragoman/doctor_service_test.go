package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/installer/service"
)

func reportOf(findings ...finding) string {
	var out strings.Builder
	for _, f := range findings {
		printFinding(&out, f)
	}
	return out.String()
}

func TestDoctorOnWhatTheServiceSays(t *testing.T) {
	s := api.Snapshot{
		Version: version, PID: 42, State: api.StateReady, Model: api.Model{Name: "starter", Weights: "int8", Runtime: "2026.4"},
		Folders: []api.Folder{
			{ID: 1, Settings: api.FolderSettings{Path: "/a"}, Status: api.FolderStatus{State: api.FolderWatching}},
			{ID: 2, Settings: api.FolderSettings{Path: "/b"}, Status: api.FolderStatus{State: api.FolderMissing, Message: "make it"}},
			{ID: 3, Settings: api.FolderSettings{Path: "/c"}, Status: api.FolderStatus{State: api.FolderWatching, Failed: 2}},
		},
		Notices: []api.Notice{{Time: time.Date(2026, 2, 3, 4, 5, 6, 0, time.Local), Level: "warning", Message: "The disk is full\x1b"}},
	}
	report := reportOf(examineSnapshot(s)...)
	for _, line := range []string{
		"ok    service   answers: version " + version + ", process 42, ready\n",
		"ok    service   has the model starter, int8, on OpenVINO 2026.4\n",
		"note  folders   folder 2, /b: missing: make it\n",
		"note  folders   folder 3, /c: files that could not be translated: 2\n",
		"-> `dragoman jobs --state failed --folder 3` says why\n",
		"ok    folders   without trouble: 1 of 3\n",
		"note  notice    2026-02-03 04:05:06  The disk is full\ufffd\n",
	} {
		require.Contains(t, report, line)
	}
	s.Version, s.State, s.Message = "0.1", api.StateFault, "no runtime: install it"
	report = reportOf(examineSnapshot(s)...)
	require.Contains(t, report, "note  service   answers: version 0.1, process 42, fault; this program is version "+version+"\n                  -> run `dragoman service install`")
	require.Contains(t, report, "FAIL  service   it cannot translate: no runtime: install it\n")
}

func TestDoctorOnWhatTheManagerSays(t *testing.T) {
	for state, want := range map[service.State]string{
		service.NotInstalled: "note  service   not installed\n                  -> run `dragoman service install`, or `dragomand` in the foreground\n",
		service.Stopped:      "-> `dragoman service start --system`\n",
		service.Failed:       "-> look at `dragoman service logs --system`",
		service.Running:      "ok    service   installed for the machine, running; starts only when told to; /bin/dragomand\n",
	} {
		require.Contains(t, reportOf(managed(&serviceCommand{system: true}, service.Status{State: state, Executable: "/bin/dragomand"})), want)
	}
}

func TestDoctorAsksTheService(t *testing.T) {
	c := withService(t)
	out := c.succeeds("doctor")
	require.Regexp(t, `(?m)^note +service +answers: version test, process \d+, (ready|warming); this program is version `, out)
}

func TestDoctorOnAServiceInTheForeground(t *testing.T) {
	withoutServiceManager(t)
	c := withService(t)
	out := c.succeeds("doctor")
	require.Contains(t, out, "ok    service   not installed, runs in the foreground\n")
	require.NotContains(t, out, "run `dragomand`", "it does")
}
