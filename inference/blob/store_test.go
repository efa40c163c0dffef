package blob

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func testKey(model string) Key {
	return Identity{Model: model}.Key()
}

func payload(size int, seed byte) []byte {
	b := make([]byte, size)
	for i := range b {
		b[i] = byte(i>>8) ^ byte(i) ^ seed
	}
	return b
}

// writer makes the function that Put takes.
func writer(data []byte) func(string) error {
	return func(path string) error { return os.WriteFile(path, data, 0o600) }
}

func put(t *testing.T, s *Store, key Key, data []byte) string {
	t.Helper()
	require.NoError(t, s.Put(key, writer(data)))
	entries := s.entriesOf(key)
	require.Len(t, entries, 1)
	return s.path(entries[0].name)
}

func requireBlob(t *testing.T, s *Store, key Key, data []byte) {
	t.Helper()
	b, err := s.Get(key)
	require.NoError(t, err)
	require.True(t, bytes.Equal(data, b.Bytes()))
	require.NoError(t, b.Close())
}

func requireMiss(t *testing.T, s *Store, key Key, reason string) {
	t.Helper()
	b, err := s.Get(key)
	require.Nil(t, b)
	require.ErrorIs(t, err, ErrMiss)
	require.ErrorContains(t, err, reason)
}

// requireNothingLeft checks that no unfinished file is in the store.
func requireNothingLeft(t *testing.T, s *Store) {
	t.Helper()
	files, err := os.ReadDir(s.path(tempFolder))
	require.NoError(t, err)
	require.Empty(t, files)
}

func TestPutAndGet(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "there", "yet")
	s := Open(dir, Options{})
	key, data := testKey("a"), payload(10000, 1)
	requireMiss(t, s, key, ErrMiss.Error())
	put(t, s, key, data)
	requireBlob(t, s, key, data)
	requireBlob(t, Open(dir, Options{}), key, data)
	requireNothingLeft(t, s)
	require.Equal(t, Stats{Entries: 1, Bytes: 10000 + footerSize, Hits: 1, Misses: 1}, s.Stats())
	require.Equal(t, Status{Dir: dir, Mode: ReadWrite}, s.Status())

	b, err := s.Get(key)
	require.NoError(t, err)
	require.Zero(t, reflect.ValueOf(b.Bytes()).Pointer()%4096, "the payload begins at a page")
	require.NoError(t, b.Close())
	require.NoError(t, b.Close())
}

func TestPutReplaces(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	key := testKey("a")
	put(t, s, key, payload(100, 1))
	inUse, err := s.Get(key)
	require.NoError(t, err)
	require.NoError(t, s.Put(key, writer(payload(200, 2))))
	require.Equal(t, payload(100, 1), inUse.Bytes(), "a blob in use stays as it was")
	requireBlob(t, s, key, payload(200, 2))
	require.NoError(t, inUse.Close())
	put(t, s, key, payload(300, 3))
	requireBlob(t, s, key, payload(300, 3))
}

func TestPutRefusesWhatIsNoBlob(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	key := testKey("a")
	broken := errors.New("export broke")
	require.ErrorIs(t, s.Put(key, func(path string) error {
		require.NoError(t, os.WriteFile(path, []byte("half"), 0o600))
		return broken
	}), broken)
	require.ErrorContains(t, s.Put(key, func(string) error { return nil }), "open what was written")
	require.ErrorContains(t, s.Put(key, writer(nil)), "empty")
	require.Error(t, s.Put(key, func(path string) error { return os.Mkdir(path, 0o700) }))
	requireNothingLeft(t, s)
	requireMiss(t, s, key, ErrMiss.Error())
	require.NotEmpty(t, s.Status().Problem)
	put(t, s, key, payload(10, 1))
	require.Empty(t, s.Status().Problem)
}

func TestDamageIsQuarantined(t *testing.T) {
	const size = 5000
	edit := func(change func([]byte) []byte) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(path, change(data), 0o600))
		}
	}
	flip := func(at int) func(*testing.T, string) {
		return edit(func(b []byte) []byte { b[at] ^= 1; return b })
	}
	for name, test := range map[string]struct {
		damage func(*testing.T, string)
		reason string
	}{
		"first byte":            {flip(0), "checksum"},
		"byte in the middle":    {flip(size / 2), "checksum"},
		"last byte":             {flip(size - 1), "checksum"},
		"magic":                 {flip(size), "no footer"},
		"version":               {flip(size + 8), "version"},
		"length":                {flip(size + 16), "footer at byte"},
		"key":                   {flip(size + 24), "footer at byte"},
		"checksum":              {flip(size + 60), "footer at byte"},
		"checksum of footer":    {flip(size + 90), "footer at byte"},
		"cut short by one":      {edit(func(b []byte) []byte { return b[:len(b)-1] }), "no footer"},
		"cut in the payload":    {edit(func(b []byte) []byte { return b[:size/2] }), "no footer"},
		"cut to nothing":        {edit(func([]byte) []byte { return nil }), "not a file of more"},
		"appended":              {edit(func(b []byte) []byte { return append(b, 0) }), "no footer"},
		"a page is gone":        {edit(func(b []byte) []byte { return b[4096:] }), "bytes instead of"},
		"zeros as after a fall": {edit(func(b []byte) []byte { return make([]byte, len(b)) }), "no footer"},
		"a folder": {func(t *testing.T, path string) {
			require.NoError(t, os.Remove(path))
			require.NoError(t, os.Mkdir(path, 0o700))
		}, "not a file"},
	} {
		t.Run(name, func(t *testing.T) {
			s := Open(t.TempDir(), Options{})
			key := testKey("a")
			test.damage(t, put(t, s, key, payload(size, 1)))
			requireMiss(t, s, key, test.reason)
			require.Contains(t, s.Status().Doubt, test.reason)
			require.Len(t, s.quarantined(), 1)
			requireMiss(t, s, key, ErrMiss.Error())
			require.Equal(t, Stats{Misses: 2, Quarantined: 1}, s.Stats())
			put(t, s, key, payload(size, 2))
			requireBlob(t, s, key, payload(size, 2))
		})
	}
}

func TestSwappedBlobsAreQuarantined(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	a, b := testKey("a"), testKey("b")
	pathA, pathB := put(t, s, a, payload(100, 1)), put(t, s, b, payload(100, 2))
	require.NoError(t, os.Rename(pathA, pathA+".x"))
	require.NoError(t, os.Rename(pathB, pathA))
	require.NoError(t, os.Rename(pathA+".x", pathB))
	requireMiss(t, s, a, b.String())
	requireMiss(t, s, b, a.String())
	require.Equal(t, Stats{Misses: 2, Quarantined: 2}, s.Stats())
}

func TestQuarantine(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	key := testKey("a")
	for i := range byte(5) {
		put(t, s, key, payload(100, i))
		s.Quarantine(key, "wrong result")
		requireMiss(t, s, key, ErrMiss.Error())
	}
	require.Len(t, s.quarantined(), quarantineKeep)
	require.Equal(t, 5, s.Stats().Quarantined)
	require.Contains(t, s.Status().Doubt, "wrong result")
}

func TestQuarantineOfABlobInUse(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	key := testKey("a")
	put(t, s, key, payload(100, 1))
	inUse, err := s.Get(key)
	require.NoError(t, err)
	s.Quarantine(key, "wrong result")
	requireMiss(t, s, key, ErrMiss.Error())
	requireMiss(t, Open(s.dir, Options{}), key, ErrMiss.Error())
	require.Equal(t, payload(100, 1), inUse.Bytes())
	require.NoError(t, s.Put(key, writer(payload(100, 2))))
	requireBlob(t, s, key, payload(100, 2))
	require.NoError(t, inUse.Close())
	require.Equal(t, 1, s.Stats().Quarantined)
}

// What happens where a file cannot be moved: here the quarantine folder is gone, on Windows the file is mapped.
func TestQuarantineWithoutMoving(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	key := testKey("a")
	path := put(t, s, key, payload(100, 1))
	require.NoError(t, os.Remove(s.path(quarantineFolder)))
	s.Quarantine(key, "wrong result")
	require.FileExists(t, path)
	requireMiss(t, s, key, ErrMiss.Error())
	put(t, s, key, payload(100, 2))
	requireBlob(t, s, key, payload(100, 2))
	require.NoFileExists(t, path)

	s.Quarantine(key, "wrong again")
	again := Open(s.dir, Options{})
	requireMiss(t, again, key, ErrMiss.Error())
	require.Zero(t, again.Stats().Entries)
}

func TestQuotaEvictsTheLeastRecentlyUsed(t *testing.T) {
	const size = 1000
	s := Open(t.TempDir(), Options{QuotaBytes: 3 * (size + footerSize)})
	start := time.Now().Add(-time.Hour)
	for i, model := range []string{"a", "b", "c"} {
		path := put(t, s, testKey(model), payload(size, 1))
		used := start.Add(time.Duration(i) * time.Minute)
		require.NoError(t, os.Chtimes(path, used, used))
	}
	requireBlob(t, s, testKey("a"), payload(size, 1))
	put(t, s, testKey("d"), payload(size, 2))
	requireMiss(t, s, testKey("b"), ErrMiss.Error())

	inUse, err := s.Get(testKey("c"))
	require.NoError(t, err)
	used := start
	require.NoError(t, os.Chtimes(s.path(s.entriesOf(testKey("c"))[0].name), used, used))
	require.NoError(t, Open(s.dir, Options{QuotaBytes: s.quota}).Put(testKey("e"), writer(payload(size, 3))))
	requireMiss(t, s, testKey("a"), ErrMiss.Error())
	require.Equal(t, payload(size, 1), inUse.Bytes())
	require.NoError(t, inUse.Close())
	for _, model := range []string{"c", "d", "e"} {
		b, err := s.Get(testKey(model))
		require.NoError(t, err)
		defer b.Close()
	}
	require.ErrorContains(t, s.Put(testKey("f"), writer(payload(size, 4))), "in use")
	require.ErrorContains(t, s.Put(testKey("f"), writer(payload(4*size, 4))), "more than the quota")
	requireNothingLeft(t, s)
	stats := s.Stats()
	require.Equal(t, 3, stats.Entries)
	require.Equal(t, s.quota, stats.Bytes)
}

func TestQuotaCountsTheQuarantine(t *testing.T) {
	s := Open(t.TempDir(), Options{QuotaBytes: 2 * (1000 + footerSize)})
	put(t, s, testKey("a"), payload(1000, 1))
	put(t, s, testKey("b"), payload(1000, 1))
	s.Quarantine(testKey("a"), "wrong result")
	put(t, s, testKey("c"), payload(1000, 1))
	require.Empty(t, s.quarantined())
	requireBlob(t, s, testKey("b"), payload(1000, 1))
}

func TestUnusableFolderIsSaidOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, []byte("x"), 0o600))
	before := slog.Default()
	defer slog.SetDefault(before)
	for _, dir := range []string{file, filepath.Join(file, "below")} {
		var log bytes.Buffer
		slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
		s := Open(dir, Options{QuotaBytes: 1})
		require.Equal(t, Unavailable, s.Status().Mode)
		require.NotEmpty(t, s.Status().Problem)
		requireWithoutStore(t, s)
		require.Equal(t, 1, strings.Count(log.String(), "\n"), log.String())
		require.Contains(t, log.String(), "mode=unavailable")
	}
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "x", string(data))
}

// requireWithoutStore checks that a caller gets on with a store that cannot be written and has no blob "a".
func requireWithoutStore(t *testing.T, s *Store) {
	t.Helper()
	problem := s.Status().Problem
	requireMiss(t, s, testKey("a"), ErrMiss.Error())
	require.ErrorIs(t, s.Put(testKey("a"), func(string) error {
		t.Error("write is called")
		return nil
	}), ErrUnavailable)
	unlock, err := s.Lock(context.Background(), testKey("a"))
	require.NoError(t, err)
	unlock()
	s.Quarantine(testKey("a"), "nothing there")
	require.Equal(t, problem, s.Status().Problem)
}

func TestForeignFilesAreLeftAlone(t *testing.T) {
	s := Open(t.TempDir(), Options{QuotaBytes: 200})
	for _, name := range []string{"notes.txt", "x.1.blob", strings.Repeat("z", 64) + ".1.blob", testKey("a").String() + ".-1.blob"} {
		require.NoError(t, os.WriteFile(s.path(name), payload(1000, 0), 0o600))
	}
	put(t, s, testKey("a"), payload(50, 1))
	files, err := filepath.Glob(s.path("*.blob"))
	require.NoError(t, err)
	require.Len(t, files, 4)
}

func TestLock(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	unlock, err := s.Lock(context.Background(), testKey("a"))
	require.NoError(t, err)
	other, err := s.Lock(context.Background(), testKey("b"))
	require.NoError(t, err)
	other()
	put(t, s, testKey("a"), payload(10, 1)) // needs no lock
	Open(s.dir, Options{})                  // does not take away a lock that is held

	ctx, cancel := context.WithCancelCause(context.Background())
	waits := make(chan error)
	go func() {
		_, err := Open(s.dir, Options{}).Lock(ctx, testKey("a"))
		waits <- err
	}()
	cancel(nil)
	require.ErrorIs(t, <-waits, context.Canceled)

	go func() {
		again, err := s.Lock(context.Background(), testKey("a"))
		if err == nil {
			again()
		}
		waits <- err
	}()
	unlock()
	require.NoError(t, <-waits)
	Open(s.dir, Options{})
	locks, err := os.ReadDir(s.path(lockFolder))
	require.NoError(t, err)
	require.Empty(t, locks)
}

func BenchmarkGet(b *testing.B) {
	s := Open(b.TempDir(), Options{})
	const size = 300 << 20
	require.NoError(b, s.Put(testKey("a"), writer(payload(size, 1))))
	b.SetBytes(size)
	for b.Loop() {
		blob, err := s.Get(testKey("a"))
		require.NoError(b, err)
		require.NoError(b, blob.Close())
	}
}
