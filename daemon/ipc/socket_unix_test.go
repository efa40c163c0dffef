//go:build unix

package ipc

import (
	"context"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func testAddress(t testing.TB) Address { return Default(filepath.Join(t.TempDir(), "run")) }

func self(testing.TB) string { return strconv.Itoa(os.Geteuid()) }

func skipUnderWine(testing.TB, string) {}

func mode(t testing.TB, path string) fs.FileMode {
	t.Helper()
	info, err := os.Lstat(path)
	require.NoError(t, err)
	return info.Mode().Perm()
}

// withUmask sets the umask of the process, which no other test may touch.
func withUmask(t testing.TB, mask int) {
	old := syscall.Umask(mask)
	t.Cleanup(func() { syscall.Umask(old) })
}

func TestOnlyWeMayOpenFolderAndSocket(t *testing.T) {
	for _, umask := range []int{0, 0o022, 0o277} {
		a := testAddress(t)
		withUmask(t, umask)
		serve(t, Options{Address: a})
		require.Equal(t, fs.FileMode(0o600), mode(t, string(a)), "umask %04o", umask)
		require.Equal(t, fs.FileMode(0o700), mode(t, filepath.Dir(string(a))), "umask %04o", umask)
	}
}

func TestASocketIsClosedToOthersFromItsFirstMoment(t *testing.T) {
	withUmask(t, 0)
	path := filepath.Join(t.TempDir(), "s")
	config := net.ListenConfig{Control: closeToOthers}
	l, err := config.Listen(context.Background(), "unix", path)
	require.NoError(t, err)
	defer l.Close()
	require.Equal(t, fs.FileMode(0o600), mode(t, path))
}

func TestTheSocketOfAKilledDaemonIsReplaced(t *testing.T) {
	a := testAddress(t)
	require.NoError(t, os.Mkdir(filepath.Dir(string(a)), 0o700))
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: string(a), Net: "unix"})
	require.NoError(t, err)
	dead.SetUnlinkOnClose(false) // what a kill leaves behind
	require.NoError(t, dead.Close())
	_, err = Dial(t.Context(), a)
	require.ErrorIs(t, err, syscall.ECONNREFUSED)

	serve(t, Options{Address: a})
	open(t, a)
}

func TestListenRefusesPlacesThatAreNotSafe(t *testing.T) {
	for name, test := range map[string]struct {
		address func(folder string) string // below a folder of the test
		prepare func(t *testing.T, folder string)
		want    []string
	}{
		"a folder where all may write": {
			prepare: func(t *testing.T, folder string) { require.NoError(t, os.Chmod(folder, 0o777)) },
			want:    []string{"FOLDER", "mode 0777", "DRAGOMAN_RUNTIME"},
		},
		"a folder where the group may write": {
			prepare: func(t *testing.T, folder string) { require.NoError(t, os.Chmod(folder, 0o770)) },
			want:    []string{"FOLDER", "mode 0770"},
		},
		"a file in the place of the folder": {
			prepare: func(t *testing.T, folder string) {
				require.NoError(t, os.Remove(folder))
				require.NoError(t, os.WriteFile(folder, nil, 0o600))
			},
			want: []string{"FOLDER"},
		},
		"a file in the place of the socket": {
			prepare: func(t *testing.T, folder string) {
				require.NoError(t, os.WriteFile(filepath.Join(folder, socketName), nil, 0o600))
			},
			want: []string{"FOLDER", "is no socket"},
		},
		"a path that does not fit": {
			address: func(folder string) string {
				return filepath.Join(folder, strings.Repeat("n", longestPath), socketName)
			},
			want: []string{"107", "DRAGOMAN_RUNTIME"},
		},
		"a relative path": {
			address: func(string) string { return "run/api.sock" },
			want:    []string{"absolute"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			folder := filepath.Join(t.TempDir(), "run")
			require.NoError(t, os.Mkdir(folder, 0o700))
			if test.prepare != nil {
				test.prepare(t, folder)
			}
			a := Default(folder)
			if test.address != nil {
				a = Address(test.address(folder))
			}
			_, err := Listen(Options{Address: a})
			require.Error(t, err)
			for _, part := range test.want {
				require.ErrorContains(t, err, strings.ReplaceAll(part, "FOLDER", folder))
			}
			_, err = Dial(t.Context(), a)
			require.Error(t, err)
		})
	}
}

func TestTheLongestPathFits(t *testing.T) {
	folder, err := os.MkdirTemp("", "")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	room := longestPath - len(folder) - len("/") - len("/"+socketName)
	a := Default(filepath.Join(folder, strings.Repeat("n", room)))
	require.Len(t, string(a), longestPath)
	serve(t, Options{Address: a})
	open(t, a)
}

func TestAnUnknownGroupIsNamed(t *testing.T) {
	_, err := Listen(Options{Address: testAddress(t), AllowGroup: "no-such-group"})
	require.ErrorContains(t, err, "groupadd --system no-such-group")
}
