package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// onSmallDisk opens a store on a disk of so many MB.
func onSmallDisk(t *testing.T, size int) (s *Store, disk string) {
	t.Helper()
	disk = t.TempDir()
	if err := unix.Mount("tmpfs", disk, "tmpfs", 0, fmt.Sprintf("size=%dm", size)); err != nil {
		t.Skipf("mounting a small disk needs root: %v", err)
	}
	t.Cleanup(func() { require.NoError(t, unix.Unmount(disk, 0)) })
	return openAt(t, filepath.Join(disk, "state.db")), disk
}

// fill adds texts until the disk is full.
func fill(t *testing.T, s *Store) (added int) {
	t.Helper()
	for {
		_, err := s.AddHistory(t.Context(), HistoryEntry{Source: strings.Repeat(fmt.Sprintf("%07d ", added), 1000)})
		if err != nil {
			require.ErrorIs(t, err, ErrFull)
			return added
		}
		added++
	}
}

// TestDeletingMakesRoomOnADiskThatTheDatabaseFilled fills a small disk with
// nothing but the database.
func TestDeletingMakesRoomOnADiskThatTheDatabaseFilled(t *testing.T) {
	for name, free := range map[string]func(t *testing.T, s *Store, entries int64){
		"erased": func(t *testing.T, s *Store, entries int64) {
			erased, err := s.EraseHistory(t.Context(), time.Time{})
			require.NoError(t, err)
			require.Equal(t, entries, erased)
		},
		"bound": func(t *testing.T, s *Store, _ int64) {
			require.NoError(t, s.BoundHistory(t.Context(), 3, 0))
			require.Len(t, search(t, s, HistoryQuery{}), 3)
		},
		"expired": func(t *testing.T, s *Store, entries int64) {
			start := time.Now()
			expired := int64(0)
			for day := 1; expired == 0 && day < 30; day++ { // a clock has to be believed
				s.now = func() time.Time { return start.Add(time.Duration(day) * 24 * time.Hour) }
				var err error
				expired, err = s.ExpireHistory(t.Context(), 20*24*time.Hour)
				require.NoError(t, err)
			}
			require.Equal(t, entries, expired)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := onSmallDisk(t, 2)
			folder := newFolder(t, s, "/in")
			require.Equal(t, int64(roomBytes), size(s.roomFile()))
			require.False(t, s.Full())
			entries := fill(t, s)
			require.Greater(t, entries, 50, "the log left most of the disk to the file")
			require.True(t, s.Full())
			require.False(t, s.HasRoom(t.Context()))
			require.ErrorIs(t, s.Accept(t.Context(), manyFiles(folder, 3000)), ErrFull)

			free(t, s, int64(entries))
			require.NoError(t, s.Accept(t.Context(), manyFiles(folder, 20)))
			require.Eventually(t, func() bool { return s.HasRoom(t.Context()) }, 10*time.Second, 10*time.Millisecond)
			require.False(t, s.Full())
			require.Equal(t, int64(roomBytes), size(s.roomFile()), "kept again")
			path := s.path
			require.NoError(t, s.Close())
			s = openAt(t, path)
			require.Empty(t, s.SetAside())
			counts, err := s.Counts(t.Context())
			require.NoError(t, err)
			require.Equal(t, Counts{Pending: 20}, counts[folder])
			checkIndex(t, s)
		})
	}
}

// TestRoomIsKeptWithoutWriting looks at what the disk counts as used.
func TestRoomIsKeptWithoutWriting(t *testing.T) {
	s, _ := onSmallDisk(t, 2)
	info, err := os.Stat(s.roomFile())
	require.NoError(t, err)
	require.Equal(t, int64(roomBytes), info.Size())
	require.GreaterOrEqual(t, info.Sys().(*syscall.Stat_t).Blocks*512, int64(roomBytes), "no sparse file")
	content, err := os.ReadFile(s.roomFile())
	require.NoError(t, err)
	require.Equal(t, make([]byte, roomBytes), content, "nothing was written")
}

// fillWithOthers takes all that is left of a disk.
func fillWithOthers(t *testing.T, disk string) (ballast string) {
	t.Helper()
	f, err := os.Create(filepath.Join(disk, "ballast"))
	require.NoError(t, err)
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.NoError(t, f.Close())
	return f.Name()
}

func TestAFullDiskIsOverWhenOthersMadeRoom(t *testing.T) {
	s, disk := onSmallDisk(t, 2)
	folder := newFolder(t, s, "/in")
	ballast := fillWithOthers(t, disk)
	require.ErrorIs(t, s.Accept(t.Context(), manyFiles(folder, 3000)), ErrFull)
	require.True(t, s.Full())
	require.False(t, s.HasRoom(t.Context()))
	require.NoFileExists(t, s.roomFile()+".tmp")
	require.NoError(t, os.Remove(ballast))
	require.True(t, s.HasRoom(t.Context()))
	require.NoFileExists(t, s.roomFile()+".tmp")
	require.NoError(t, s.Accept(t.Context(), manyFiles(folder, 1000)))
	counts, err := s.Counts(t.Context())
	require.NoError(t, err)
	require.Equal(t, Counts{Pending: 1000}, counts[folder])
}

// Room that the log takes again with the next writes is none: the disk stays full,
// rather than be full and not full by turns.
func TestAFullDiskIsNotOverWithTheRoomOfTheLog(t *testing.T) {
	s, disk := onSmallDisk(t, 3)
	folder := newFolder(t, s, "/in")
	ballast := fillWithOthers(t, disk)
	require.ErrorIs(t, s.Accept(t.Context(), manyFiles(folder, 3000)), ErrFull)
	require.NoError(t, os.Truncate(ballast, size(ballast)-roomBytes-roomBytes/4))
	require.False(t, s.HasRoom(t.Context()))
	require.True(t, s.Full())
	require.Equal(t, int64(roomBytes), size(s.roomFile()), "still kept")
	require.NoError(t, os.Truncate(ballast, size(ballast)-roomBytes))
	require.True(t, s.HasRoom(t.Context()))
	require.NoError(t, s.Accept(t.Context(), manyFiles(folder, 1000)))
	require.True(t, s.HasRoom(t.Context()), "not full again at once")
	require.False(t, s.Full())
}

// TestErasingALargeHistoryOnAFullDisk erases far more than the room that is kept.
func TestErasingALargeHistoryOnAFullDisk(t *testing.T) {
	s, _ := onSmallDisk(t, 6)
	folder := newFolder(t, s, "/in")
	add(t, s, mark, mark)
	entries := int64(fill(t, s)) + 1
	require.Greater(t, entries*8000, int64(6*roomBytes))
	erased, err := s.EraseHistory(t.Context(), time.Time{})
	require.NoError(t, err)
	require.Equal(t, entries, erased)
	require.Zero(t, traces(t, s))
	require.Less(t, size(s.path), int64(roomBytes), "the room was given back")
	require.Eventually(t, func() bool { return s.HasRoom(t.Context()) }, 10*time.Second, 10*time.Millisecond)
	works(t, s, folder)
	checkConnection(t, s)
}

// TestExpiringALargeHistoryOnAFullDisk does the same by age: row by row, with each
// row's words of the index, and all but the newest.
func TestExpiringALargeHistoryOnAFullDisk(t *testing.T) {
	s, _ := onSmallDisk(t, 6)
	folder := newFolder(t, s, "/in")
	now := time.Now()
	s.now = func() time.Time { return now }
	_, err := s.ExpireHistory(t.Context(), 30*24*time.Hour)
	require.NoError(t, err)
	entries := int64(fill(t, s))
	require.Greater(t, entries*8000, int64(6*roomBytes))
	for range 40 { // day by day, as the daemon's clock goes
		now = now.Add(24 * time.Hour)
		expired, err := s.ExpireHistory(t.Context(), 30*24*time.Hour)
		require.NoError(t, err)
		entries -= expired
	}
	require.Zero(t, entries)
	require.Less(t, size(s.path), int64(roomBytes), "the room was given back")
	require.Eventually(t, func() bool { return s.HasRoom(t.Context()) }, 10*time.Second, 10*time.Millisecond)
	works(t, s, folder)
	checkConnection(t, s)
}

// TestErasingGoesOnAfterAKill ends between the deletion and the overwriting.
func TestErasingGoesOnAfterAKill(t *testing.T) {
	s, _ := onSmallDisk(t, 6)
	folder := newFolder(t, s, "/in")
	add(t, s, mark, mark)
	fill(t, s)
	s.leaveRoom()
	require.NoError(t, s.writer.outside(t.Context(), func(c *conn) error { return unseen(t.Context(), c, eraseAll) }))
	require.Positive(t, traces(t, s), "not overwritten yet")
	path := s.path
	require.NoError(t, s.Close())
	s = openAt(t, path)
	s.tasks.Wait()
	require.Zero(t, traces(t, s))
	require.Less(t, size(s.path), int64(roomBytes))
	works(t, s, folder)
	checkConnection(t, s)
}

// checkConnection fails unless the writer overwrites what it deletes.
func checkConnection(t *testing.T, s *Store) {
	t.Helper()
	var secure int
	require.NoError(t, s.writer.outside(t.Context(), func(c *conn) error { return c.row("PRAGMA secure_delete", nil, &secure) }))
	require.Equal(t, 1, secure)
	require.NotContains(t, strings.Join(tables(t, s), "\n"), "sweep")
}
