package service

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"strings"

	"dragoman/assets"
)

// account is the user and group of the system service.
const account = "dragoman"

// What a system service keeps, named in the system unit.
var systemFolders = []string{"/var/lib/dragoman", "/var/cache/dragoman"}

func nameOf(uid int) string {
	if u, err := user.LookupId(strconv.Itoa(uid)); err == nil {
		return u.Username
	}
	return strconv.Itoa(uid)
}

// addAccount makes the account where it is missing.
func addAccount(ctx context.Context) error {
	if _, err := user.Lookup(account); err == nil {
		return nil
	}
	var errs []error
	if _, err := exec.LookPath("systemd-sysusers"); err == nil {
		_, err := output(ctx, "systemd-sysusers", "--inline", strings.TrimSpace(assets.Sysusers))
		errs = append(errs, err)
	}
	if _, err := user.Lookup(account); err == nil {
		return nil
	}
	_, err := output(ctx, "useradd", "--system", "--user-group", "--no-create-home",
		"--home-dir", systemFolders[0], "--shell", "/usr/sbin/nologin", account)
	if _, missing := user.Lookup(account); missing != nil {
		return fmt.Errorf("make the account %q: %w", account, errors.Join(append(errs, err)...))
	}
	return nil
}

// leftovers are what a system service keeps when it is uninstalled.
func (m *Manager) leftovers() []string {
	left := existing(systemFolders)
	if _, err := user.Lookup(account); err == nil {
		left = append(left, "the account "+account)
	}
	return left
}

// purge removes the account and the folders of a system service, or says that
// they are kept.
func (m *Manager) purge(ctx context.Context, really bool, result *Removed) error {
	if !really {
		result.Kept = m.leftovers()
		return nil
	}
	var errs []error
	for _, folder := range existing(systemFolders) {
		if err := os.RemoveAll(folder); err != nil {
			errs = append(errs, fmt.Errorf("purge: %w", err))
			continue
		}
		result.Gone = append(result.Gone, folder)
	}
	if _, err := user.Lookup(account); err == nil {
		if _, err := output(ctx, "userdel", account); err != nil {
			errs = append(errs, fmt.Errorf("remove the account: %w", err))
		} else {
			result.Gone = append(result.Gone, "the account "+account)
		}
	}
	return errors.Join(errs...)
}
