package store

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func add(t testing.TB, s *Store, source, target string) int64 {
	t.Helper()
	id, err := s.AddHistory(t.Context(), HistoryEntry{Source: source, Target: target, Origin: "command", From: "en", To: "es"})
	require.NoError(t, err)
	return id
}

func search(t testing.TB, s *Store, q HistoryQuery) (ids []int64) {
	t.Helper()
	found, err := s.History(t.Context(), q)
	require.NoError(t, err)
	for _, e := range found {
		ids = append(ids, e.ID)
	}
	return ids
}

// checkIndex fails where the index and the texts disagree.
func checkIndex(t testing.TB, s *Store) {
	t.Helper()
	require.NoError(t, s.writer.outside(t.Context(), func(c *conn) error {
		_, err := c.once("INSERT INTO history_index (history_index, rank) VALUES ('integrity-check', 1)")
		return err
	}))
	var entries, bytes int64
	require.NoError(t, s.readers.QueryRow("SELECT count(*), coalesce(sum(bytes), 0) FROM history").Scan(&entries, &bytes))
	require.NoError(t, s.writer.outside(t.Context(), func(c *conn) error {
		gotEntries, gotBytes, err := totals(c)
		require.Equal(t, entries, gotEntries)
		require.Equal(t, bytes, gotBytes)
		return err
	}))
}

func TestHistory(t *testing.T) {
	s := openNew(t)
	now := time.Date(2024, 1, 2, 3, 4, 5, 6, time.UTC)
	s.now = func() time.Time { return now }
	first := add(t, s, "one\x00two\xff", "")
	all, err := s.History(t.Context(), HistoryQuery{})
	require.NoError(t, err)
	require.Equal(t, []HistoryEntry{{ID: first, Time: now, Origin: "command", From: "en", To: "es", Source: "one\x00two\xff"}}, all)
	now = now.Add(-time.Hour) // the clock went back
	second := add(t, s, "b", "c")
	third := add(t, s, "d", "e")
	require.Equal(t, []int64{third, second, first}, search(t, s, HistoryQuery{}), "by id")
	require.Equal(t, []int64{second}, search(t, s, HistoryQuery{Before: third, Limit: 1}))
	require.NoError(t, s.DeleteHistory(t.Context(), second))
	require.ErrorIs(t, s.DeleteHistory(t.Context(), second), ErrNotFound)
	require.Equal(t, []int64{third, first}, search(t, s, HistoryQuery{}))
	require.NoError(t, s.DeleteHistory(t.Context(), third))
	require.Greater(t, add(t, s, "", ""), third, "ids do not come back")
	checkIndex(t, s)
}

func TestSearch(t *testing.T) {
	s := openNew(t)
	texts := []string{
		0: "The quick brown fox", 1: "Le café de la Gare", 2: "Привет, мир! Ёжик", 3: "東京都に行きました", 4: "你好，世界",
		5: `He said "no" AND left (NEAR the*end)`, 6: "Straße STRASSE", 7: "안녕하세요 세계", 8: "ΟΔΥΣΣΕΥΣ", 9: "col:umn ^caret -minus 100%_x",
		10: "cafe\u0301 decomposed",
	}
	ids := map[int64]int{}
	for i, text := range texts {
		if i%2 == 0 {
			ids[add(t, s, text, "x")] = i
		} else {
			ids[add(t, s, "x", text)] = i
		}
	}
	for query, want := range map[string][]int{
		"quick":                           {0},
		"QUICK fox":                       {0},
		"fox quick":                       {0},
		"uic":                             {0},
		"quick café":                      nil,
		"ick":                             {0},
		"th":                              {5, 0},
		"CAFE":                            {10, 1},
		"café":                            {10, 1},
		"cafe\u0301":                      {10, 1},
		"привет":                          {2},
		"МИР":                             {2},
		"ёжик":                            {2},
		"東京":                              {3},
		"京都に":                             {3},
		"世界":                              {4},
		"세계":                              {7},
		"하세요":                             {7},
		`"no"`:                            {5},
		"AND":                             {5},
		"(NEAR":                           {5},
		"the*":                            {5},
		"NEAR(":                           nil,
		"strasse":                         {6},
		"straße":                          {6},
		"οδυσσευσ":                        {8},
		"col:umn":                         {9},
		"^caret":                          {9},
		"-minus":                          {9},
		"%":                               {9},
		"100%_x":                          {9},
		"source:quick":                    nil,
		"quick OR café":                   nil,
		"\x00":                            nil,
		"qui\x00ck":                       nil,
		"\xff\xfe\xfd":                    nil,
		"\u0301\u0301\u0301":              {10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0},
		strings.Repeat("quick brown", 50): nil,
	} {
		found := []int(nil)
		for _, id := range search(t, s, HistoryQuery{Search: query}) {
			found = append(found, ids[id])
		}
		require.Equal(t, want, found, "%q", query)
	}
	require.Len(t, search(t, s, HistoryQuery{Search: "x", Limit: 4}), 4)
}

func FuzzSearch(f *testing.F) {
	s := openNew(f)
	text := `He said "no" AND left (NEAR the*end) café 東京 a'b`
	id := add(f, s, text, text)
	for _, seed := range []string{`"`, `""`, `"""`, "a OR", "NOT b", "NEAR(a b, 3)", "{source}:", "col:x", "*", "a\x00b", "\xffab", "(((((", "'", "-", "^", "+ +", "東京", "ab\u0301c"} {
		f.Add(seed, uint8(3), uint8(8))
	}
	f.Fuzz(func(t *testing.T, query string, from, to uint8) {
		_, err := s.History(t.Context(), HistoryQuery{Search: query, Limit: 10})
		require.NoError(t, err)
		// Any part of the text finds it.
		runes := []rune(text)
		a, b := int(from)%len(runes), int(to)%len(runes)
		part := string(runes[min(a, b):max(a, b)])
		require.Equal(t, []int64{id}, search(t, s, HistoryQuery{Search: part}), "%q", part)
	})
}

func TestBoundHistory(t *testing.T) {
	s := openNew(t)
	for i := range 20 {
		add(t, s, fmt.Sprintf("%010d", i), "")
	}
	require.NoError(t, s.BoundHistory(t.Context(), 15, 0))
	require.Len(t, search(t, s, HistoryQuery{}), 15)
	require.NoError(t, s.BoundHistory(t.Context(), 15, 105))
	require.Len(t, search(t, s, HistoryQuery{}), 10)
	add(t, s, strings.Repeat("x", 50), "")
	require.Equal(t, []int64{21, 20, 19, 18, 17, 16}, search(t, s, HistoryQuery{}), "the oldest go")
	checkIndex(t, s)
	add(t, s, strings.Repeat("x", 200), "")
	require.Empty(t, search(t, s, HistoryQuery{}), "nothing beyond the bound is kept")
	checkIndex(t, s)
	require.NoError(t, s.BoundHistory(t.Context(), 0, 0))
	add(t, s, strings.Repeat("x", 200), "")
	require.Len(t, search(t, s, HistoryQuery{}), 1)
}

// mark is in no other text, and so are its letters, which the index keeps by
// threes.
const mark = "ꙮꙮꙮ-ꙮꙮꙮꙮ"

// traces counts files of the store that hold the mark or a part of it.
func traces(t *testing.T, s *Store) (n int) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(s.path))
	require.NoError(t, err)
	for _, e := range entries {
		content, err := os.ReadFile(filepath.Join(filepath.Dir(s.path), e.Name()))
		require.NoError(t, err)
		if bytes.Contains(content, []byte("ꙮ")) {
			n++
		}
	}
	return n
}

func TestErasedTextIsGoneFromTheFiles(t *testing.T) {
	long := strings.Repeat("padding ", 3000) // on pages of its own
	for name, erase := range map[string]func(t *testing.T, s *Store, marked []int64){
		"all": func(t *testing.T, s *Store, marked []int64) {
			n, err := s.EraseHistory(t.Context(), time.Time{})
			require.NoError(t, err)
			require.Equal(t, int64(606), n)
		},
		"before, few": func(t *testing.T, s *Store, marked []int64) {
			n, err := s.EraseHistory(t.Context(), time.Unix(10, 0))
			require.NoError(t, err)
			require.Equal(t, int64(6), n)
		},
		"before, many": func(t *testing.T, s *Store, marked []int64) {
			n, err := s.EraseHistory(t.Context(), time.Unix(50_000, 0))
			require.NoError(t, err)
			require.Equal(t, int64(605), n)
		},
		"each": func(t *testing.T, s *Store, marked []int64) {
			for _, id := range marked {
				require.NoError(t, s.DeleteHistory(t.Context(), id))
			}
		},
		"expired": func(t *testing.T, s *Store, marked []int64) {
			s.now = func() time.Time { return time.Unix(50_000+3600, 0) }
			n, err := s.ExpireHistory(t.Context(), time.Hour)
			require.NoError(t, err)
			require.Equal(t, int64(605), n)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := openNew(t)
			require.NoError(t, os.WriteFile(s.path+asideInfix+"2024", []byte(mark), 0o600))
			var marked []int64
			keep := func(at int64, source, target string) int64 {
				id, err := s.AddHistory(t.Context(), HistoryEntry{Source: source, Target: target, Time: time.Unix(at, 0)})
				require.NoError(t, err)
				return id
			}
			for i := range 3 {
				marked = append(marked, keep(1, fmt.Sprint("a ", mark, i), "short"), keep(1, long+mark+long, mark+long))
			}
			for i := range 599 { // the index merges what it has
				keep(1000, fmt.Sprint("filler ", i*i*i*7919), "other words")
			}
			last := keep(100_000, "the last", "el último")
			folder := newFolder(t, s, "/in")
			other := s.path + otherInfix + "2024"
			for _, copy := range []string{other, s.path + copySuffix} {
				require.NoError(t, s.writer.outside(t.Context(), func(c *conn) error {
					_, err := c.once("VACUUM INTO ?", copy)
					return err
				}))
			}
			require.GreaterOrEqual(t, traces(t, s), 4, "the test can see it: file or log, what was set aside, copies")
			erase(t, s, marked)
			require.Zero(t, traces(t, s))
			back := openAt(t, other)
			folders, err := back.Folders(t.Context())
			require.NoError(t, err)
			require.Equal(t, folder, folders[0].ID, "what else it holds is kept")
			checkIndex(t, back)
			require.Len(t, search(t, back, HistoryQuery{}), len(search(t, s, HistoryQuery{})))
			require.NoError(t, back.Close())
			checkIndex(t, s)
			if name != "all" {
				require.Equal(t, []int64{last}, search(t, s, HistoryQuery{Search: "ultimo"}))
			}
			require.Zero(t, size(s.path+"-wal"))
			require.NoError(t, s.Close())
			require.Zero(t, traces(t, s))
		})
	}
}

// What cannot be erased from is named.
func TestOthersThatCannotBeErasedFrom(t *testing.T) {
	s := openNew(t)
	add(t, s, "text", "")
	garbage, theirs := s.path+otherInfix+"1", s.path+otherInfix+"2"
	require.NoError(t, os.WriteFile(garbage, []byte(strings.Repeat("garbage", 1000)), 0o600))
	db := raw(t, theirs)
	run(t, db, "CREATE TABLE theirs (a)")
	db.Close()
	before, err := os.ReadFile(theirs)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(s.path+otherInfix+"3", nil, 0o600))
	_, err = s.EraseHistory(t.Context(), time.Time{})
	require.ErrorContains(t, err, garbage+", which was put aside")
	require.ErrorContains(t, err, "remove it unless you need it")
	require.NotContains(t, err.Error(), theirs)
	require.Empty(t, search(t, s, HistoryQuery{}), "the rest is done")
	after, err := os.ReadFile(theirs)
	require.NoError(t, err)
	require.Equal(t, before, after)
	require.NoError(t, os.Remove(garbage))
	_, err = s.EraseHistory(t.Context(), time.Time{})
	require.NoError(t, err)
}

func TestExpireMistrustsClocks(t *testing.T) {
	s := openNew(t)
	start := time.Date(2024, 6, 1, 0, 0, 0, 0, time.UTC)
	now := start
	s.now = func() time.Time { return now }
	const day = 24 * time.Hour
	left := func() int { return len(search(t, s, HistoryQuery{})) }
	expire := func(at time.Duration) int64 {
		now = start.Add(at)
		n, err := s.ExpireHistory(t.Context(), 30*day)
		require.NoError(t, err)
		return n
	}
	add(t, s, "a", "")
	require.Zero(t, expire(0))

	// Forward by ten years, for some hours, and back.
	require.Zero(t, expire(3650*day))
	add(t, s, "from the future", "")
	require.Zero(t, expire(3650*day+5*time.Hour))
	require.Zero(t, expire(day))
	require.Equal(t, 2, left())
	// Far back.
	now = start.Add(-20000 * day)
	add(t, s, "from the past", "")
	require.Zero(t, expire(-20000*day))
	require.Equal(t, 3, left())
	// To the right time, which is a long way forward: doubted for a day.
	require.Zero(t, expire(2*day))
	require.Zero(t, expire(2*day+12*time.Hour))
	require.Zero(t, expire(3*day))
	require.Equal(t, 3, left(), "nothing is old enough")

	// Switched off for two months: a day later than right.
	require.Zero(t, expire(63*day))
	require.Zero(t, expire(63*day+23*time.Hour))
	require.Equal(t, int64(3), expire(64*day))
	require.Zero(t, left())

	// Day by day it goes on.
	for i := 65; i < 120; i++ {
		add(t, s, "daily", "")
		expire(time.Duration(i) * day)
	}
	require.Equal(t, 30, left())
}
