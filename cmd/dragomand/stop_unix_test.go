//go:build unix

package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

// The daemon exits with 0 only if it stops within service.StopGrace, so that
// the exit code says that it was in time.

func TestStopInTheMiddleOfWork(t *testing.T) {
	h := newHome(t, "memory.enabled = false\n")
	p := h.launch().warm()
	h.succeeds("folders", "add", "--from", "en", "--to", "de", "inbox")
	// One sentence as long as the model takes, which files wait for.
	long := h.prepare(shared.command, "translate", "--from", "en", "--to", "de", "--text", strings.Repeat("the big house and ", 400))
	long.start()
	h.catch(func(now api.Snapshot) bool { return now.Queue.Running == 1 })
	want := []string{".dragoman.de.lock"}
	for i := range 12 {
		h.write(fmt.Sprintf("inbox/%d.txt", i), fmt.Sprintf("The house number %d is big.\n", i%4))
		want = append(want, fmt.Sprintf("%d.de.txt", i))
	}
	h.catch(func(now api.Snapshot) bool { return now.Folders[0].Status.Waiting == 12 })
	jobs, err := h.client().Jobs(t.Context(), api.JobQuery{State: api.JobRunning})
	require.NoError(t, err)
	require.True(t, slices.ContainsFunc(jobs.Jobs, func(j api.Job) bool {
		return j.Origin == api.OriginCommand && j.Done == 0
	}), "it is within its first sentence: %+v", jobs.Jobs)
	p.stop()
	require.Empty(t, p.complaints())
	require.NotZero(t, long.wait(), "its translation did not come")
	require.Empty(t, long.stdout.String())
	require.Contains(t, long.stderr.String(), "stop")
	require.ElementsMatch(t, []string{"dragomand.lock", "log/", "log/dragomand.log", "state.db"}, tree(t, h.path("state")))
	require.Empty(t, tree(t, h.env["DRAGOMAN_RUNTIME"]))

	p = h.launch().answering()
	h.until(func(now api.Snapshot) bool { return len(now.Folders) == 1 && now.Folders[0].Status.Done == 12 })
	p.stop()
	require.ElementsMatch(t, want, tree(t, h.path("inbox/translated")))
	for i := range 12 {
		require.Equal(t, undisturbed(t, "de", h.read(fmt.Sprintf("inbox/%d.txt", i))), h.read(fmt.Sprintf("inbox/translated/%d.de.txt", i)))
	}
}

// stamps are parts of names that differ from one preparation to the next.
var stamps = regexp.MustCompile(`\.\d{15,}\.`)

func unstamped(names []string) []string {
	for i, name := range names {
		names[i] = stamps.ReplaceAllString(name, ".")
	}
	return names
}

// The first start prepares the model, which takes longer and writes a cache.
func TestStopAndKillWhileTheModelIsPrepared(t *testing.T) {
	h := newHome(t, "")
	h.launch().warm().stop()
	want := unstamped(tree(t, shared.cache))

	h.env["DRAGOMAN_CACHE"] = h.path("cache")
	tries := 0
	for i := 0; i < 6; {
		p := h.launch().answering()
		if i%2 == 1 { // some of the preparation's files are there
			h.eventually("a cache", func() bool { return len(glob(t, h.path("cache/*/*"))) > i/2 })
		}
		now, err := h.client().Status(t.Context())
		require.NoError(t, err)
		if now.State != api.StateWarming { // a third of a second is over before a busy machine has looked
			tries++
			require.Less(t, tries, 40, "it was never seen being prepared")
			p.stop()
			require.NoError(t, os.RemoveAll(h.path("cache")))
			continue
		}
		if i < 3 {
			p.stop()
			require.Empty(t, p.complaints())
		} else {
			p.kill()
		}
		i++
	}
	p := h.launch().warm()
	require.Equal(t, undisturbed(t, "de", "The house is big.")+"\n", h.succeeds("translate", "--to", "de", "The house is big."))
	p.stop()
	require.ElementsMatch(t, want, unstamped(tree(t, h.path("cache"))), "nothing unfinished is left")
	require.Empty(t, tree(t, h.path("tmp")))
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	require.NoError(t, err)
	return names
}

// A client that does not go on makes the stop last a second.
func TestSecondSignalEndsAtOnce(t *testing.T) {
	h := newHome(t, "")
	p := h.launch().warm()
	h.succeeds("folders", "add", "--from", "en", "--to", "de", "inbox")
	c, err := net.Dial("unix", filepath.Join(h.env["DRAGOMAN_RUNTIME"], "api.sock"))
	require.NoError(t, err)
	defer c.Close()
	_, err = c.Write([]byte("GET /v1/status HTTP/1.1\r\nHost:"))
	require.NoError(t, err)
	h.eventually("the end", func() bool { // more often than a busy machine may miss
		_ = p.cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-p.ended:
			return true
		default:
			return false
		}
	})
	require.Equal(t, -1, p.code)
	require.Contains(t, h.read("state/log/dragomand.log"), "Service is stopping")

	h.write("inbox/a.txt", "The house is big.\n")
	p = h.launch().answering()
	h.until(func(now api.Snapshot) bool { return len(now.Folders) == 1 && now.Folders[0].Status.Done == 1 })
	p.stop()
}

func TestHangupReloads(t *testing.T) {
	h := newHome(t, "")
	p := h.launch().warm()
	require.Regexp(t, `(?m)^history +on$`, h.succeeds("status"))
	h.configure("history.enabled = false\n")
	p.signal(syscall.SIGHUP)
	h.until(func(now api.Snapshot) bool { return !now.History })
	require.Regexp(t, `(?m)^history +off$`, h.succeeds("status"))

	h.configure("history.enabeld = true\n")
	p.signal(syscall.SIGHUP)
	now := h.until(func(now api.Snapshot) bool { return len(now.Notices) > 0 })
	require.Contains(t, now.Notices[0].Message, h.path("config.toml")+":2")
	require.False(t, now.History, "the old settings stay in force")
	p.stop()
}

func TestOneDaemonAUser(t *testing.T) {
	h := newHome(t, "")
	first := h.launch().answering()
	second := h.launch()
	require.Equal(t, exitFailed, second.wait())
	require.Contains(t, second.stderr.String(), fmt.Sprintf("another dragomand is running: process %d ", first.cmd.Process.Pid))
	require.Equal(t, 1, strings.Count(second.stderr.String(), "\n"))
	// With a runtime folder of its own it would share the database.
	elsewhere := *h
	elsewhere.env = map[string]string{}
	for name, value := range h.env {
		elsewhere.env[name] = value
	}
	elsewhere.env["DRAGOMAN_RUNTIME"] = h.path("run")
	require.Equal(t, exitFailed, elsewhere.launch().wait())
	// With a state folder of its own, as another HOME gives it, it would take the
	// socket.
	other := *h
	other.env = map[string]string{}
	for name, value := range h.env {
		other.env[name] = value
	}
	other.env["DRAGOMAN_STATE"] = h.path("other state")
	third := other.launch()
	require.Equal(t, exitFailed, third.wait())
	require.Contains(t, third.stderr.String(), fmt.Sprintf("another process listens there already: process %d of user %d", first.cmd.Process.Pid, os.Geteuid()))

	first.kill()
	for _, left := range []string{filepath.Join(h.env["DRAGOMAN_RUNTIME"], "api.sock"), h.path("state/dragomand.json"), h.path("state/dragomand.lock")} {
		_, err := os.Lstat(left)
		require.NoError(t, err, "there is something stale to be overcome")
	}
	third = h.launch().answering()
	now, err := h.client().Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, third.cmd.Process.Pid, now.PID)
	third.stop()

	// Of several that start at the same time one works.
	var all []*process
	for range 4 {
		all = append(all, h.launch())
	}
	h.eventually("all but one to end", func() bool {
		ended := 0
		for _, p := range all {
			select {
			case <-p.ended:
				ended++
			default:
			}
		}
		return ended == len(all)-1
	})
	for _, p := range all {
		select {
		case <-p.ended:
			require.Equal(t, exitFailed, p.code)
			require.Contains(t, p.stderr.String(), "another dragomand is running")
		default:
			p.answering().stop()
		}
	}
}
