package ipc

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/internal/transcript"
)

// stranger is a user id that owns nothing ("nobody" on most systems).
const stranger = 65534

// childEnv makes the test binary act as another process of another user:
// "knock ADDRESS" or "listen ADDRESS".
const childEnv = "DRAGOMAN_IPC_TEST_CHILD"

func TestMain(m *testing.M) {
	act, address, _ := strings.Cut(os.Getenv(childEnv), " ")
	switch act {
	case "knock":
		childKnocks(Address(address))
	case "listen":
		childListens(Address(address))
	default:
		os.Exit(m.Run())
	}
}

// childKnocks prints what came of two connections in a row.
func childKnocks(a Address) {
	for range 2 {
		c, err := Dial(context.Background(), a)
		if err != nil {
			fmt.Println("no connection:", err)
			continue
		}
		_, _ = c.Write([]byte("x"))
		if n, _ := io.ReadFull(c, make([]byte, 1)); n == 1 {
			fmt.Println("answered")
		} else {
			fmt.Println("refused")
		}
		_ = c.Close()
	}
}

// childListens until its standard input ends.
func childListens(a Address) {
	l, err := Listen(Options{Address: a})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("listening")
	_, _ = io.Copy(io.Discard, os.Stdin)
	_ = l.Close()
}

// asStranger prepares a process of another user.
func asStranger(t *testing.T, gid uint32, groups []uint32, act string, a Address) *exec.Cmd {
	t.Helper()
	// Its own link, since the folder of the binary may be closed to that user.
	cmd := exec.Command("/proc/self/exe")
	// The race detector would let the process sleep for a second at its end.
	cmd.Env = []string{childEnv + "=" + act + " " + string(a), "GORACE=atexit_sleep_ms=0"}
	cmd.Dir = "/"
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: stranger, Gid: gid, Groups: groups}}
	return cmd
}

func needRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can start a process of another user")
	}
}

// reachable returns the address of a socket in a folder that other users can
// get to.
func reachable(t *testing.T) Address {
	t.Helper()
	a := testAddress(t)
	for up := filepath.Dir(filepath.Dir(string(a))); up != filepath.Clean(os.TempDir()); up = filepath.Dir(up) {
		require.NoError(t, os.Chmod(up, 0o755))
	}
	return a
}

func TestTheModesKeepOtherUsersOut(t *testing.T) {
	needRoot(t)
	a := reachable(t)
	serve(t, Options{Address: a})
	out, err := asStranger(t, stranger, nil, "knock", a).Output()
	require.NoError(t, err)
	require.Contains(t, string(out), "no connection")
	require.Contains(t, string(out), "permission denied")
	require.Contains(t, string(out), "another user")
}

func TestTheUserIDKeepsOtherUsersOut(t *testing.T) {
	needRoot(t)
	a := reachable(t)
	var log transcript.Transcript
	peers := serve(t, Options{Address: a, Log: slog.New(slog.NewTextHandler(&log, nil))})
	// Modes as if someone had loosened them: the id alone must do.
	require.NoError(t, os.Chmod(filepath.Dir(string(a)), 0o755))
	require.NoError(t, os.Chmod(string(a), 0o666))
	out, err := asStranger(t, stranger, nil, "knock", a).Output()
	require.NoError(t, err)
	require.Equal(t, "refused\nrefused\n", string(out))
	require.Equal(t, 1, strings.Count(log.String(), "peer.user=65534"), "once a user: %s", &log)
	open(t, a)
	require.Equal(t, "0", (<-peers).User, "the first that was let in")
}

func TestMembersOfTheGroupAreLetIn(t *testing.T) {
	needRoot(t)
	group, err := user.LookupGroup("daemon")
	if err != nil {
		t.Skip("this system has no group daemon:", err)
	}
	n, err := strconv.Atoi(group.Gid)
	require.NoError(t, err)
	gid := uint32(n)
	many := make([]uint32, 100) // more than the first guess at their number
	for i := range many {
		many[i] = uint32(5000 + i)
	}
	many[99] = gid
	for name, test := range map[string]struct {
		gid    uint32
		groups []uint32
		loose  bool // modes that let everybody through to the check
		want   string
	}{
		"primary":         {gid: gid, want: "answered"},
		"supplementary":   {gid: stranger, groups: []uint32{7, gid}, want: "answered"},
		"one of many":     {gid: stranger, groups: many, want: "answered"},
		"no member":       {gid: stranger, groups: []uint32{7}, want: "no connection"},
		"no member, open": {gid: stranger, groups: []uint32{7}, loose: true, want: "refused"},
		"member, open":    {gid: stranger, groups: []uint32{gid}, loose: true, want: "answered"},
		"no groups, open": {gid: stranger, loose: true, want: "refused"},
	} {
		t.Run(name, func(t *testing.T) {
			a := reachable(t)
			serve(t, Options{Address: a, AllowGroup: "daemon"})
			require.Equal(t, fs.FileMode(0o660), mode(t, string(a)))
			require.Equal(t, fs.FileMode(0o750), mode(t, filepath.Dir(string(a))))
			if test.loose {
				require.NoError(t, os.Chmod(filepath.Dir(string(a)), 0o755))
				require.NoError(t, os.Chmod(string(a), 0o666))
			}
			out, err := asStranger(t, test.gid, test.groups, "knock", a).Output()
			require.NoError(t, err)
			for line := range strings.Lines(string(out)) {
				require.Contains(t, line, test.want)
			}
			require.Equal(t, 2, strings.Count(string(out), "\n"))
		})
	}
}

func TestAFolderThatIsClosedToTheGroupIsNamed(t *testing.T) {
	needRoot(t)
	if _, err := user.LookupGroup("daemon"); err != nil {
		t.Skip("this system has no group daemon:", err)
	}
	a := testAddress(t)
	require.NoError(t, os.Mkdir(filepath.Dir(string(a)), 0o700))
	_, err := Listen(Options{Address: a, AllowGroup: "daemon"})
	require.ErrorContains(t, err, "chgrp")
	require.ErrorContains(t, err, filepath.Dir(string(a)))
}

func TestAFolderOfAnotherUserIsRefused(t *testing.T) {
	needRoot(t)
	a := testAddress(t)
	folder := filepath.Dir(string(a))
	require.NoError(t, os.Mkdir(folder, 0o700))
	require.NoError(t, os.Chown(folder, stranger, stranger))
	_, err := Listen(Options{Address: a})
	require.ErrorContains(t, err, folder+" belongs to user 65534")
}

func TestAServerOfAnotherUserIsRefused(t *testing.T) {
	needRoot(t)
	for name, test := range map[string]struct {
		parent fs.FileMode // of the folder above the stranger's
		ours   bool        // whether the client takes it for its service
	}{
		"in a folder that root gave it":    {0o755, true},
		"in a folder that anyone can make": {0o777 | fs.ModeSticky, false},
	} {
		t.Run(name, func(t *testing.T) {
			a := reachable(t)
			folder := filepath.Dir(string(a))
			require.NoError(t, os.Mkdir(folder, 0o700))
			require.NoError(t, os.Chown(folder, stranger, stranger))
			require.NoError(t, os.Chmod(filepath.Dir(folder), test.parent))

			child := asStranger(t, stranger, nil, "listen", a)
			stdin, err := child.StdinPipe()
			require.NoError(t, err)
			stdout, err := child.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, child.Start())
			t.Cleanup(func() {
				_ = stdin.Close()
				require.NoError(t, child.Wait())
			})
			line, err := bufio.NewReader(stdout).ReadString('\n')
			require.NoError(t, err)
			require.Equal(t, "listening\n", line)

			c, err := Dial(t.Context(), a)
			if test.ours {
				require.NoError(t, err)
				require.NoError(t, c.Close())
				return
			}
			require.ErrorContains(t, err, "user 65534")
			_, err = DialAny(t.Context(), Default(filepath.Join(t.TempDir(), "none")), a)
			require.ErrorContains(t, err, "user 65534", "it says more than that nobody listens elsewhere")
		})
	}
}
