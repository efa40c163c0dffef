package service

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// booted is ErrNoManager unless systemd runs this machine, as sd_booted(3) finds
// out.
func booted(platform string) error {
	if info, err := os.Stat("/run/systemd/system"); err != nil || !info.IsDir() {
		return noManager("this machine was not started by systemd, the only service manager that dragoman knows on Linux")
	}
	if platform != "linux-systemd" {
		return noManager("systemd was not found to be this machine's service manager (" + platform + ")")
	}
	return nil
}

func noManager(why string) error { return scopedError{ErrNoManager, why + ": " + withoutManager} }

// checkSession makes sure that systemd's manager of this user can be asked.
func checkSession(runtimeDir string, uid int) error {
	own := "/run/user/" + strconv.Itoa(uid)
	if runtimeDir == "" {
		hint := "log in as this user, for example with `machinectl shell " + nameOf(uid) + "@`"
		if _, err := os.Stat(filepath.Join(own, "systemd")); err == nil {
			hint = "run `export XDG_RUNTIME_DIR=" + own + "` first"
		}
		return fmt.Errorf("XDG_RUNTIME_DIR is not set, so this is no session of %s (a shell of sudo or su is none): %s, or use --system for a service of the whole machine", nameOf(uid), hint)
	}
	info, err := os.Stat(runtimeDir)
	if err != nil {
		return fmt.Errorf("the session's folder (XDG_RUNTIME_DIR) is not there: %w: log in again", err)
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && int(stat.Uid) != uid {
		return fmt.Errorf("XDG_RUNTIME_DIR=%s belongs to user %s, but this runs as %s: leave out sudo, or use --system for a service of the whole machine",
			runtimeDir, nameOf(int(stat.Uid)), nameOf(uid))
	}
	if _, err := os.Stat(filepath.Join(runtimeDir, "systemd")); err != nil {
		return noManager(fmt.Sprintf("systemd does not manage services of %s (%s/systemd is missing)", nameOf(uid), runtimeDir))
	}
	return nil
}

// checkUnitPath makes sure that the user's manager looks where the unit goes.
func (m *Manager) checkUnitPath(ctx context.Context) error {
	out, err := m.output(ctx, "show", "--property=UnitPath")
	if err != nil {
		return fmt.Errorf("ask systemd for its folders: %w", err)
	}
	paths := strings.Fields(strings.TrimPrefix(strings.TrimSpace(out), "UnitPath="))
	for _, path := range paths {
		if path == m.unitDir {
			return nil
		}
	}
	if len(paths) == 0 || strings.ContainsAny(m.unitDir, " \t\\") {
		return nil // not told, or not comparable
	}
	return fmt.Errorf("systemd does not look for units in %s: its XDG_CONFIG_HOME or HOME is another than here", m.unitDir)
}

// lingering says whether the user's manager starts with the machine. Where
// there is no logind it does not.
func lingering(ctx context.Context) bool {
	uid := strconv.Itoa(os.Getuid())
	if out, err := output(ctx, "loginctl", "show-user", uid, "--property=Linger"); err == nil {
		return strings.TrimSpace(out) == "Linger=yes"
	}
	return false
}
