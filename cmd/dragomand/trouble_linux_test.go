package main

import (
	"bytes"
	"database/sql"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
	_ "modernc.org/sqlite"

	"dragoman/daemon/api"
)

const nobody = 65534

// Where nothing can be remembered there is no service, and one line says why.
func TestStateFolderThatCannotBeUsed(t *testing.T) {
	refused := func(h *home, p *process, what string) {
		t.Helper()
		require.Equal(t, exitFailed, p.wait())
		require.Equal(t, 1, strings.Count(p.stderr.String(), "\n"), "%s", &p.stderr)
		require.Contains(t, p.stderr.String(), h.env["DRAGOMAN_STATE"])
		require.Contains(t, p.stderr.String(), what)
		t.Log(p.stderr.String())
	}
	t.Run("another user's", func(t *testing.T) {
		if os.Geteuid() != 0 {
			t.Skip("only root can be another user")
		}
		public, err := os.MkdirTemp("", "dragoman-public-")
		require.NoError(t, err)
		t.Cleanup(func() { os.RemoveAll(public) })
		require.NoError(t, os.Chmod(public, 0o755))
		binary, err := os.ReadFile(shared.daemon)
		require.NoError(t, err)
		program := filepath.Join(public, "dragomand")
		require.NoError(t, os.WriteFile(program, binary, 0o755))
		h := &home{t: t, dir: public, env: map[string]string{
			"HOME": public, "DRAGOMAN_RUNTIME": filepath.Join(public, "run"), "DRAGOMAN_STATE": filepath.Join(public, "state"),
		}}
		try := func() *process {
			p := h.prepare(program)
			p.cmd.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
			return p.start()
		}
		refused(h, try(), "make the state folder")
		require.NoError(t, os.Mkdir(h.path("state"), 0o755))
		refused(h, try(), "DRAGOMAN_STATE")
		// Files that an administrator's daemon has left in a user's folder.
		require.NoError(t, os.Chown(h.path("state"), nobody, nobody))
		h.write("state/dragomand.lock", "")
		require.NoError(t, os.Chmod(h.path("state/dragomand.lock"), 0o600))
		refused(h, try(), "the file belongs to root, whose dragomand works here or did once")
		require.NoError(t, os.Remove(h.path("state/dragomand.lock")))
		h.write("state/state.db", "")
		require.NoError(t, os.Chmod(h.path("state/state.db"), 0o600))
		refused(h, try(), "state.db")
		require.Equal(t, []string{"dragomand.lock", "log/", "log/dragomand.log", "state.db"}, tree(t, h.path("state")))
	})
	t.Run("file in its place", func(t *testing.T) {
		h := newHome(t, "")
		h.write("state", "a file")
		refused(h, h.launch(), "make the state folder")
		require.Equal(t, "a file", h.read("state"))
	})
	t.Run("read-only", func(t *testing.T) {
		h := newHome(t, "")
		h.disk("state", 1000)
		h.remount("state", unix.MS_RDONLY)
		refused(h, h.launch(), "read-only")
	})
	t.Run("full", func(t *testing.T) {
		h := newHome(t, "")
		h.disk("state", 1000)
		filler := h.fill("state")
		refused(h, h.launch(), "space")
		require.NoError(t, os.Remove(filler))
		h.launch().answering().stop()
	})
}

// The disk of the state folder fills up while files are translated.
func TestStateFolderFillsUp(t *testing.T) {
	t.Parallel()
	h := newHome(t, "")
	h.disk("state", 12_000) // the log of the database takes up to 4 MiB
	d := h.dropping("out")
	d.drop(200) // more than are translated until it is full
	d.done(3)
	filler := d.fillState()
	for i := range 3 {
		d.answers(i)
	}
	told := d.notices()
	require.Contains(t, strings.Join(told, "\n"), "disk is full: make room on it")
	require.LessOrEqual(t, len(told), 2, "%q", told)
	require.Contains(t, d.succeeds("status"), "disk is full")
	d.eventually("the folder has failed", func() bool { return strings.Contains(d.succeeds("folders", "list"), "failed") })
	d.succeeds("jobs")
	d.succeeds("history")
	require.NoError(t, os.Remove(filler))
	d.mended()
	d.answers(3)
	require.Contains(t, d.succeeds("history", "3"), "number 3")
	require.LessOrEqual(t, len(d.notices()), 4, "%q", d.notices())
	d.again()
}

// A kill while nothing can be written must not lose anything either.
func TestKilledWhileTheStateFolderIsFull(t *testing.T) {
	if testing.Short() {
		t.Skip("long: the ledger's own tests kill it too")
	}
	h := newHome(t, "")
	h.disk("state", 12_000) // the log of the database takes up to 4 MiB
	d := h.dropping("out")
	d.drop(20)
	d.done(3)
	filler := d.fillState()
	d.kill()
	require.NoError(t, os.Remove(filler))
	d.process = d.launch().warm()
	d.done(len(d.inputs))
	d.whole()
	require.Empty(t, d.notices())
	d.again()
}

// The same for the disk of the outputs.
func TestOutputFolderFillsUp(t *testing.T) {
	t.Parallel()
	h := newHome(t, "")
	h.disk("out", 400)
	d := h.dropping("out")
	d.drop(15)
	d.done(3)
	filler := d.fill("out")
	d.drop(10)
	require.Contains(t, d.failing(), "free some space")
	d.answers(1)
	require.Len(t, d.notices(), 1)
	require.NoError(t, os.Remove(filler))
	d.mended()
	d.eventually("no notice of what is over", func() bool { return len(d.notices()) == 0 })
	d.again()
}

// The output folder becomes read-only, and goes.
func TestOutputFolderIsLost(t *testing.T) {
	t.Parallel()
	h := newHome(t, "")
	h.disk("out", 4000)
	d := h.dropping("out")
	d.drop(10)
	d.done(3)
	d.remount("out", unix.MS_RDONLY)
	d.drop(10)
	require.Contains(t, d.failing(), "make the folder writable")
	d.answers(1)
	require.Len(t, d.notices(), 1)
	d.remount("out", 0)
	d.mended()
	d.eventually("no notice of what is over", func() bool { return len(d.notices()) == 0 })

	// Outputs that are gone are made again when the folder is looked through.
	d.drop(10)
	d.done(22)
	require.NoError(t, unix.Unmount(d.path("out"), unix.MNT_DETACH))
	require.NoError(t, os.RemoveAll(d.path("out")))
	d.drop(5)
	d.done(35)
	d.succeeds("folders", "rescan", "inbox")
	d.eventually("all outputs", func() bool {
		names, err := os.ReadDir(d.path("out"))
		return err == nil && len(names) == 1+35
	})
	d.until(func(now api.Snapshot) bool {
		return now.Folders[0].Status.Waiting == 0 && now.Folders[0].Status.Done == 35
	})
	d.whole()
	require.Empty(t, d.notices())
	d.again()
}

// A damaged database is set aside.
func TestDatabaseIsGarbage(t *testing.T) {
	t.Parallel()
	h := newHome(t, "")
	d := h.dropping("out")
	d.drop(5)
	d.done(5)
	d.answers(1)
	d.stop()
	garbage := make([]byte, 100_000)
	for i := range garbage {
		garbage[i] = byte(rand.IntN(256))
	}
	require.NoError(t, os.WriteFile(d.path("state/state.db"), garbage, 0o600))

	d.process = d.launch().warm()
	told := d.notices()
	require.Len(t, told, 1)
	require.Contains(t, told[0], "warning: The database "+d.path("state/state.db")+" was damaged")
	require.Contains(t, d.succeeds("status"), "was damaged")
	aside := glob(t, d.path("state/state.db.corrupt-*"))
	require.Len(t, aside, 1)
	was, err := os.ReadFile(aside[0])
	require.NoError(t, err)
	require.True(t, bytes.Equal(garbage, was), "somebody may want to try and repair it")
	d.answers(2)
	require.Contains(t, d.succeeds("history", "number"), "number 2")
	// The folder is added again, and its old outputs are found to be right.
	d.succeeds("folders", "add", "--from", "en", "--to", "de", "--output", d.path("out"), "inbox")
	d.drop(5)
	d.done(10)
	d.whole()
	d.again()
}

// Another program locks the database: for less than is waited for, and for more.
func TestDatabaseIsLocked(t *testing.T) {
	t.Parallel()
	d := newHome(t, "").dropping("out")
	other, err := sql.Open("sqlite", "file:"+d.path("state/state.db"))
	require.NoError(t, err)
	defer other.Close()
	other.SetMaxOpenConns(1)
	lock := func() {
		d.home.t.Helper()
		_, err := other.Exec("BEGIN EXCLUSIVE")
		require.NoError(t, err)
	}
	d.drop(5)
	d.done(2)
	d.eventually("the lock", func() bool {
		_, err := other.Exec("BEGIN EXCLUSIVE")
		return err == nil
	})
	begun := time.Now()
	d.drop(10)
	d.answers(1)
	d.succeeds("status")
	time.Sleep(time.Second - time.Since(begun))
	require.Less(t, d.status().Done, int64(15), "it was locked")
	_, err = other.Exec("COMMIT")
	require.NoError(t, err)
	short := time.Since(begun) < 4*time.Second // less than is waited for, on this machine
	d.done(15)
	d.whole()
	if short {
		require.Empty(t, d.notices())
	}
	told := len(d.notices())
	require.Contains(t, d.succeeds("history", "number"), "number 1")

	lock()
	d.drop(10)
	require.Contains(t, d.failing(), "another program holds the database locked")
	d.answers(2)
	require.Len(t, d.notices(), max(1, told))
	d.stop() // does not wait for the other program
	d.process = d.launch()
	_, err = other.Exec("ROLLBACK")
	require.NoError(t, err)
	require.NoError(t, other.Close())
	d.warm()
	d.done(25)
	d.whole()
	require.Empty(t, d.notices())
	d.again()
}
