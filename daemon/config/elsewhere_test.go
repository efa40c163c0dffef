package config

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestElsewhere(t *testing.T) {
	home := t.TempDir()
	in := func(parts ...string) string { return filepath.Join(append([]string{home}, parts...)...) }
	p := Paths{
		ConfigFile: in(".config", "dragoman", "config.toml"), DataDir: in(".local", "share", "dragoman"),
		StateDir: in(".local", "state", "dragoman"), CacheDir: in(".cache", "dragoman"),
	}
	failed := func(path string, err error) error {
		return fmt.Errorf("do it: %w", &fs.PathError{Op: "mkdir", Path: path, Err: err})
	}
	for _, test := range []struct {
		err  error
		want string
	}{
		{failed(in(".config"), syscall.EROFS), "set DRAGOMAN_CONFIG (a file) to a place that can be written"},
		{failed(in(".local"), syscall.EROFS), "set DRAGOMAN_DATA and DRAGOMAN_STATE to a place that can be written"},
		{failed(in(".cache", "dragoman", "blobs"), fs.ErrPermission), "set DRAGOMAN_CACHE to a place that can be written"},
		{failed(in("Documents", "a.txt"), syscall.EROFS), ""},
		{failed(in(".local"), syscall.ENOSPC), ""},
		{fmt.Errorf("%w: choose another by DRAGOMAN_DATA", failed(in(".local", "share"), syscall.EROFS)), ""},
		{syscall.EROFS, ""},
		{fmt.Errorf("lock it: %w", syscall.ENOLCK), "the file system, which may be a network's, takes no locks: set DRAGOMAN_CONFIG (a file), DRAGOMAN_DATA, DRAGOMAN_STATE, DRAGOMAN_CACHE to places on a disk of this machine"},
		{fmt.Errorf("lock it: %w; DRAGOMAN_STATE names another", syscall.ENOLCK), ""},
	} {
		require.Equal(t, test.want, p.Elsewhere(test.err), "%v", test.err)
	}
}
