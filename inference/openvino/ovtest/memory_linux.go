package ovtest

import (
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// MemoryKiB is a field of this process's status, such as VmRSS (all resident
// memory) or RssAnon (without mapped files), without what Go's heap keeps in
// reserve.
func MemoryKiB(t testing.TB, field string) int {
	t.Helper()
	debug.FreeOSMemory()
	status, err := os.ReadFile("/proc/self/status")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(status), field+":")
	require.True(t, found, "the kernel does not tell %s", field)
	n, err := strconv.Atoi(strings.Fields(rest)[0])
	require.NoError(t, err)
	return n
}
