package openvino_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/openvino/ovtest"
)

// arenas counts glibc's arenas besides the first one: each begins at a multiple
// of 64 MiB, with a part of it readable and the rest reserved (HEAP_MAX_SIZE of
// malloc/arena.c).
func arenas(t *testing.T) (n int) {
	maps, err := os.ReadFile("/proc/self/maps")
	require.NoError(t, err)
	const size = 64 << 20
	var used, usedEnd uint64
	for line := range strings.Lines(string(maps)) {
		var from, to uint64
		var mode string
		_, err := fmt.Sscanf(line, "%x-%x %s", &from, &to, &mode)
		require.NoError(t, err)
		if from == usedEnd && to == used+size && mode == "---p" {
			n++
		}
		used, usedEnd = 0, 0
		if from%size == 0 && mode == "rw-p" {
			used, usedEnd = from, to
		}
	}
	return n
}

// Fifty goroutines that call the library at once take threads of their own.
func TestThreadsShareArenas(t *testing.T) {
	ovtest.Library(t)
	if os.Getenv("MALLOC_ARENA_MAX") != "" || strings.Contains(os.Getenv("GLIBC_TUNABLES"), "arena_max") {
		t.Skip("the developer has set the number of arenas")
	}
	const alone = "OPENVINO_TEST_ARENAS"
	if os.Getenv(alone) == "" { // the threads would disturb those who measure memory
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
		cmd.Env = append(os.Environ(), alone+"=1")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Contains(t, string(out), "arenas, then")
		return
	}
	core := ovtest.Core(t)
	xml, weights := affine(t)
	c := compile(t, core, xml, weights)
	before := arenas(t)
	var wait sync.WaitGroup
	for range 50 {
		wait.Go(func() {
			for range 100 {
				run(t, core, c, make([]float32, 3), 1, 3)
			}
		})
	}
	wait.Wait()
	t.Logf("%d arenas, then %d", before, arenas(t))
	require.LessOrEqual(t, arenas(t), before)
}
