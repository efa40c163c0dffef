package main

import (
	"fmt"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"dragoman/daemon/api"
)

// disk mounts an empty file system of so many KiB at a path of the account's.
func (h *home) disk(rel string, kib int) {
	h.t.Helper()
	require.NoError(h.t, os.MkdirAll(h.path(rel), 0o700))
	if err := unix.Mount("tmpfs", h.path(rel), "tmpfs", 0, fmt.Sprintf("mode=700,size=%dk", kib)); err != nil {
		h.t.Skip("this user may not mount:", err)
	}
	h.t.Cleanup(func() { _ = unix.Unmount(h.path(rel), unix.MNT_DETACH) }) // where the test has not
}

// remount makes it read-only or not.
func (h *home) remount(rel string, flags uintptr) {
	h.t.Helper()
	require.NoError(h.t, unix.Mount("tmpfs", h.path(rel), "tmpfs", unix.MS_REMOUNT|flags, ""))
}

// fill takes all that is left of it. The filler is to be removed.
func (h *home) fill(rel string) (filler string) {
	h.t.Helper()
	filler = h.path(rel + "/filler")
	f, err := os.OpenFile(filler, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644) // what is full already stays so
	require.NoError(h.t, err)
	defer f.Close()
	for size := 64 << 10; size > 0; {
		n, err := f.Write(make([]byte, size))
		if err != nil {
			require.ErrorIs(h.t, err, syscall.ENOSPC)
			if size /= 2; n > 0 {
				continue
			}
		}
	}
	return filler
}

// dropping is a daemon with a drop folder.
type dropping struct {
	*home
	*process
	output string            // folder of outputs
	want   map[string]string // by name
	inputs map[string]string
}

func (h *home) dropping(output string) *dropping {
	d := &dropping{home: h, output: output, want: map[string]string{}, inputs: map[string]string{}}
	d.process = h.launch().warm()
	h.succeeds("folders", "add", "--from", "en", "--to", "de", "--output", h.path(output), "inbox")
	return d
}

// drop puts files in whose texts are all different.
func (d *dropping) drop(files int) {
	for range files {
		n := len(d.inputs)
		name, text := fmt.Sprintf("%d.txt", n), fmt.Sprintf("The house number %d is big.\n", n)
		d.want[fmt.Sprintf("%d.de.txt", n)] = undisturbed(d.home.t, "de", text)
		d.inputs[name] = text
		d.write("inbox/"+name, text)
	}
}

func (d *dropping) status() api.FolderStatus {
	d.home.t.Helper()
	folders, err := d.client().Folders(d.home.t.Context())
	require.NoError(d.home.t, err)
	require.Len(d.home.t, folders.Folders, 1)
	return folders.Folders[0].Status
}

// done waits until so many files are translated.
func (d *dropping) done(files int) {
	d.home.t.Helper()
	d.until(func(now api.Snapshot) bool {
		return len(now.Folders) == 1 && now.Folders[0].Status.Done >= int64(files)
	})
}

// failing waits for trouble of the folder and returns what is said about it.
func (d *dropping) failing() string {
	d.home.t.Helper()
	now := d.until(func(now api.Snapshot) bool { return now.Folders[0].Status.State == api.FolderFailed })
	return now.Folders[0].Status.Message
}

// fillState takes all that is left of the disk of the state folder, until nothing
// can be recorded any more. The log of the database has room for a few files more,
// and copying it wins some back.
func (d *dropping) fillState() (filler string) {
	t := d.home.t
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		filler = d.fill("state")
		d.drop(1)
		now, err := d.client().Status(t.Context())
		require.NoError(t, err)
		if now.Folders[0].Status.State == api.FolderFailed {
			require.Contains(t, now.Folders[0].Status.Message, "disk is full")
			return filler
		}
		require.True(t, time.Now().Before(deadline))
	}
}

// answers asks for a translation of its own, as a person does.
func (d *dropping) answers(number int) {
	d.home.t.Helper()
	text := fmt.Sprintf("The small house number %d is old.", number)
	require.Equal(d.home.t, undisturbed(d.home.t, "de", text)+"\n", d.succeeds("translate", "--from", "en", "--to", "de", text))
}

// mended looks for all outputs after the user was told that it was mended, which
// is not waited for: who mends something says so.
func (d *dropping) mended() {
	t := d.home.t
	t.Helper()
	d.succeeds("folders", "rescan", "inbox")
	d.done(len(d.inputs))
	d.whole()
}

// whole checks that everything is there once and nothing else.
func (d *dropping) whole() {
	t := d.home.t
	t.Helper()
	st := d.status()
	require.Equal(t, len(d.inputs), int(st.Done), "%+v", st)
	require.Zero(t, st.Failed)
	require.Zero(t, st.Waiting)
	require.Equal(t, api.FolderWatching, st.State)
	want := []string{".dragoman.de.lock"}
	for name, text := range d.want {
		want = append(want, name)
		require.Equal(t, text, d.read(d.output+"/"+name))
	}
	require.ElementsMatch(t, want, tree(t, d.path(d.output)))
	for name, text := range d.inputs {
		require.Equal(t, text, d.read("inbox/"+name))
	}
	jobs, err := d.client().Jobs(t.Context(), api.JobQuery{Limit: 1000})
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, j := range jobs.Jobs {
		if j.Kind == api.JobFile {
			require.Equal(t, api.JobDone, j.State)
			require.False(t, seen[j.Path])
			seen[j.Path] = true
		}
	}
	require.Len(t, seen, len(d.inputs))
}

// notices are what the user is told, oldest first.
func (d *dropping) notices() (told []string) {
	now, err := d.client().Status(d.home.t.Context())
	require.NoError(d.home.t, err)
	for _, n := range now.Notices {
		told = append(told, n.Level+": "+n.Message)
	}
	slices.Reverse(told)
	return told
}

// again stops the daemon and lets another find nothing left to do.
func (d *dropping) again() {
	d.stop()
	d.process = d.launch().warm()
	d.until(func(now api.Snapshot) bool { // it begins when the model is there
		return len(now.Folders) == 1 && now.Folders[0].Status.State == api.FolderWatching
	})
	d.done(len(d.inputs))
	d.whole()
	require.Empty(d.home.t, d.notices())
	d.stop()
}
