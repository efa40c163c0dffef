package service

import (
	"strconv"
	"strings"
	"time"
)

// shown are the properties that parseShow reads, see systemctl(1), show.
const shown = "LoadState,ActiveState,SubState,Result,MainPID,NRestarts,StatusText,ExecMainCode,ExecMainStatus," +
	"UnitFileState,FragmentPath,DropInPaths,NeedDaemonReload,ActiveEnterTimestampMonotonic"

// parseShow reads what `systemctl show` printed. uptime is the time since the
// machine started, on the clock that systemd's monotonic times are of, at now.
func parseShow(output string, now time.Time, uptime time.Duration) Status {
	p := map[string]string{}
	for line := range strings.Lines(output) {
		key, value, _ := strings.Cut(strings.TrimRight(line, "\n"), "=")
		p[key] = value
	}
	s := Status{
		State: stateOf(p), Unit: p["FragmentPath"], Text: p["StatusText"],
		Enabled:  strings.HasPrefix(p["UnitFileState"], "enabled"),
		Outdated: p["NeedDaemonReload"] == "yes",
		DropIns:  strings.Fields(p["DropInPaths"]),
	}
	s.PID, _ = strconv.Atoi(p["MainPID"])        // 0 where it is left out
	s.Restarts, _ = strconv.Atoi(p["NRestarts"]) // systemd before 235 has none
	if micros, err := strconv.ParseInt(p["ActiveEnterTimestampMonotonic"], 10, 64); err == nil && micros > 0 && s.PID != 0 {
		s.Since = now.Add(time.Duration(micros)*time.Microsecond - uptime).Truncate(time.Second)
	}
	if s.State == Failed || s.State == Restarting {
		s.Reason = reasonOf(p)
	}
	if s.PID == 0 {
		s.Text = "" // of a process that is gone
	}
	return s
}

func stateOf(p map[string]string) State {
	switch p["ActiveState"] {
	case "active":
		return Running
	case "reloading", "refreshing":
		return Reloading
	case "deactivating":
		return Stopping
	case "failed":
		return Failed
	case "activating":
		if strings.HasPrefix(p["SubState"], "auto-restart") {
			return Restarting
		}
		return Starting
	}
	if p["LoadState"] == "loaded" {
		return Stopped
	}
	return NotInstalled
}

// reasonOf says how the main process ended. The codes are those of waitid(2):
// 1 is an exit, 2 a kill, 3 a kill with a core file.
func reasonOf(p map[string]string) string {
	reason := p["Result"]
	switch status := p["ExecMainStatus"]; p["ExecMainCode"] {
	case "1":
		reason += ", exit status " + status
	case "2", "3":
		reason += ", signal " + status
	}
	return reason
}
