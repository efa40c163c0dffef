package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// residentKiB is VmRSS of a process.
func residentKiB(t *testing.T, pid int) int {
	t.Helper()
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(status), "VmRSS:")
	require.True(t, found)
	n, err := strconv.Atoi(strings.Fields(rest)[0])
	require.NoError(t, err)
	return n
}

// TestAThousandCopies come faster than they can be translated: some may be left
// out, but not the last.
func TestAThousandCopies(t *testing.T) {
	s := newSeat(t, "clipboard.watch = \"every\"\n")
	s.service()
	p, icon := s.tray("Ready")
	editor := s.application()
	editor.copy(ferry)
	s.translation(ferry)
	before := residentKiB(t, p.cmd.Process.Pid)
	begun := time.Now()
	for i := range copies {
		editor.copy(fmt.Sprintf("The house number %d is big.", i))
		time.Sleep(time.Until(begun.Add(time.Duration(i+1) * 10 * time.Millisecond)))
	}
	took := time.Since(begun)
	editor.copy(last)
	s.translation(last)
	s.says(icon, "Ready")
	all := sources(s.texts())
	require.Equal(t, last, all[len(all)-1])
	seen := slices.Clone(all)
	slices.Sort(seen)
	require.Len(t, slices.Compact(seen), len(all), "a text was translated twice")
	after := residentKiB(t, p.cmd.Process.Pid)
	t.Logf("%d copies in %s, %d translated, %d KiB resident before and %d after", copies, took, len(all), before, after)
	require.Less(t, after-before, 20<<10, "KiB grown")
}
