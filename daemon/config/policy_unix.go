//go:build unix

package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// policyFile is where the policy is. Only what links the program can name
// another place (-ldflags "-X dragoman/daemon/config.policyFile=..."), as systems
// without /etc need it and tests do.
var policyFile = "/etc/dragoman/policy.toml"

// readPolicy returns the policy, nil where there is none.
func readPolicy() (*policy, error) {
	info, err := os.Stat(policyFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &PolicyError{err.Error()}
	}
	if err := trusted(info); err != nil {
		return nil, &PolicyError{policyFile + " " + err.Error()}
	}
	text, err := os.ReadFile(policyFile)
	if err != nil {
		return nil, &PolicyError{err.Error()}
	}
	return parsePolicy(policyFile, text)
}

// parsePolicy reads a policy from TOML: the tables of the settings, and a reason.
func parsePolicy(place string, text []byte) (*policy, error) {
	p := &policy{place: place, fixed: map[string]fixedValue{}}
	err := eachSetting(place, text, func(at *ContentError, k Key, v any) error { return p.fix(k, v, at.place()) },
		func(name string, v any) (bool, string) {
			if name != reasonName {
				return false, ""
			}
			reason, ok := v.(string)
			if !ok || strings.ContainsFunc(reason, func(r rune) bool { return r < ' ' || r == 0x7F }) {
				return true, "is no text on one line: write what users are told, in quotes"
			}
			p.reason = reason
			return true, ""
		})
	if err != nil {
		return nil, &PolicyError{err.Error()}
	}
	return p, nil
}

// trusted refuses a policy that others than its owner could have written: it can
// name a library that every user's dragoman loads.
func trusted(info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return errors.New("is no file: put the policy there")
	}
	if info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("can be changed by others than its owner (mode %04o): chmod 644", info.Mode().Perm())
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if ok && owner.Uid != 0 && int(owner.Uid) != os.Geteuid() {
		return fmt.Errorf("belongs to user %d: chown root", owner.Uid)
	}
	return nil
}

func stampOfPolicy() policyStamp {
	info, err := os.Stat(policyFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return policyStamp{}
	case err != nil:
		return policyStamp{id: err.Error()}
	}
	var inode uint64
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		inode = stat.Ino
	}
	return policyStamp{fmt.Sprint(inode, info.Mode(), info.Size(), info.ModTime().UnixNano()), info.ModTime()}
}
