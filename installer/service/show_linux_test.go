package service

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestParseShow(t *testing.T) {
	now := time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
	for _, test := range []struct {
		name, output string
		want         Status
	}{
		{"unknown", "LoadState=not-found\nActiveState=inactive\nSubState=dead\nMainPID=0\n", Status{State: NotInstalled}},
		{
			"running",
			"Result=success\nNRestarts=2\nMainPID=77\nStatusText=ready: starter = small\nLoadState=loaded\nActiveState=active\nSubState=running\n" +
				"UnitFileState=enabled\nFragmentPath=/u/dragoman.service\nDropInPaths=/u/a.conf /u/b.conf\nNeedDaemonReload=no\nActiveEnterTimestampMonotonic=40000000\n",
			Status{
				State: Running, PID: 77, Restarts: 2, Text: "ready: starter = small", Enabled: true, Unit: "/u/dragoman.service",
				DropIns: []string{"/u/a.conf", "/u/b.conf"}, Since: now.Add(-time.Minute),
			},
		},
		{
			"stopped, with what it last said",
			"LoadState=loaded\nActiveState=inactive\nSubState=dead\nMainPID=0\nStatusText=old\nUnitFileState=disabled\nActiveEnterTimestampMonotonic=5\nResult=success\n",
			Status{State: Stopped},
		},
		{
			"crashed, to be restarted",
			"LoadState=loaded\nActiveState=activating\nSubState=auto-restart\nMainPID=0\nResult=signal\nExecMainCode=2\nExecMainStatus=9\nNRestarts=1\n",
			Status{State: Restarting, Restarts: 1, Reason: "signal, signal 9"},
		},
		{
			"failed",
			"LoadState=loaded\nActiveState=failed\nSubState=failed\nMainPID=0\nResult=exit-code\nExecMainCode=1\nExecMainStatus=64\nNeedDaemonReload=yes\n",
			Status{State: Failed, Reason: "exit-code, exit status 64", Outdated: true},
		},
		{"starting", "LoadState=loaded\nActiveState=activating\nSubState=start\nMainPID=5\n", Status{State: Starting, PID: 5}},
		{"reloading", "LoadState=loaded\nActiveState=reloading\nMainPID=5\n", Status{State: Reloading, PID: 5}},
		{"stopping", "LoadState=loaded\nActiveState=deactivating\nMainPID=5\n", Status{State: Stopping, PID: 5}},
		{"nothing", "", Status{State: NotInstalled}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := parseShow(test.output, now, 100*time.Second)
			if len(got.DropIns) == 0 {
				got.DropIns = nil
			}
			require.Equal(t, test.want, got)
		})
	}
}
