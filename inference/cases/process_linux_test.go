package cases

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference"
	"dragoman/inference/openvino/ovtest"
)

// startVariable has this test binary be a program that starts, translates and
// ends, with the cache that the variable names.
const startVariable = "DRAGOMAN_TEST_START"

// start runs such a program and returns its memory, in MB, when it had
// translated.
func (b *bench) start() (residentMB int) {
	b.t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestPlayStart$", "-test.v")
	cmd.Env = append(os.Environ(), append(b.device.Environment(), startVariable+"="+b.options.Cache.Dir)...)
	out, err := cmd.CombinedOutput()
	require.NoError(b.t, err, "%s", out)
	_, rest, found := strings.Cut(string(out), "resident ")
	require.True(b.t, found, "%s", out)
	_, err = fmt.Sscan(rest, &residentMB)
	require.NoError(b.t, err)
	return residentMB
}

func TestPlayStart(t *testing.T) {
	cache := os.Getenv(startVariable)
	if cache == "" {
		t.Skip("it is played by TestStopsCleanly")
	}
	b := newBench(t)
	b.options.Cache = inference.Cache{Dir: cache}
	b.open().serves()
	require.Positive(t, b.translates().BucketTokens)
	b.close()
	t.Logf("resident %d", ovtest.MemoryKiB(t, "VmHWM")>>10)
}

// A start from stored graphs ends as cleanly as one that compiles, and takes no
// more memory.
func TestStopsCleanly(t *testing.T) {
	b := newBench(t)
	cold := b.start()
	warm := b.start()
	t.Logf("peak of resident memory: %d MB when another process compiles, %d MB from the store", cold, warm)
	require.LessOrEqual(t, warm, cold+cold/10)
}

// Programs that end while they use a device may have been ended by it: after the
// third it rests.
func TestUncleanEnds(t *testing.T) {
	b := warmBench(t)
	for range 3 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestPlayStart$")
		cmd.Env = append(os.Environ(), append(b.device.Environment(), startVariable+"="+b.options.Cache.Dir)...)
		b.device.Play(t, "infer=abort", "infer.from=5") // the process that tries it runs three
		out, err := cmd.CombinedOutput()
		require.Error(t, err)
		require.Contains(t, string(out), "SIGABRT")
	}
	b.device.Play(t)
	b.open()
	b.translates()
	require.Contains(t, b.falls("unclean").Error(), "3 times in a row")
	b.translates()
}
