package service

import (
	"os"
	"path"
	"strings"
)

// Restart says, for people, with which command this process is restarted; "" where
// it runs in the foreground, or under a manager or unit that is not ours.
func Restart(RunOptions) string {
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return ""
	}
	return restartOf(string(groups))
}

// restartOf takes the control groups of a process, see cgroups(7): the last part of
// a path is the unit that systemd runs it in.
func restartOf(groups string) string {
	for line := range strings.Lines(groups) {
		group := strings.TrimSpace(line[strings.LastIndex(line, ":")+1:])
		if path.Base(group) != Name+".service" {
			continue
		}
		scope := System
		if strings.Contains(group, "/user@") {
			scope = User
		}
		return "`dragoman service restart" + scope.flag() + "`"
	}
	return ""
}
