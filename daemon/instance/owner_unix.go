//go:build unix

package instance

import (
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// otherOwner is the user to whom a file belongs, "" if that is this one or cannot
// be told.
func otherOwner(path string) string {
	info, err := os.Lstat(path)
	if err != nil {
		return ""
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int(stat.Uid) == os.Geteuid() {
		return ""
	}
	return nameOf(int(stat.Uid))
}

// self is this user's name.
func self() string { return nameOf(os.Geteuid()) }

func nameOf(uid int) string {
	number := strconv.Itoa(uid)
	if u, err := user.LookupId(number); err == nil {
		return u.Username
	}
	return number
}
