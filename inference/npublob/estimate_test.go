package npublob

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// program is an ELF file with the section of figures that Intel's compiler wrote
// for the starter's graph of 32 tokens, and nothing else.
func program(t *testing.T, platform string) []byte {
	t.Helper()
	metrics, err := os.ReadFile(filepath.Join("testdata", platform+".metrics"))
	require.NoError(t, err)
	names := []byte("\x00.shstrtab\x00.perf.metrics\x00")
	order := binary.LittleEndian
	file := make([]byte, headerSize)
	copy(file, "\x7fELF")
	section := func(name int, content []byte) []byte {
		h := make([]byte, sectionSize)
		order.PutUint32(h, uint32(name))
		order.PutUint64(h[0x18:], uint64(len(file)))
		order.PutUint64(h[0x20:], uint64(len(content)))
		file = append(file, content...)
		return h
	}
	table := bytes.Join([][]byte{make([]byte, sectionSize), section(1, names), section(11, metrics)}, nil)
	order.PutUint64(file[0x28:], uint64(len(file)))
	order.PutUint16(file[0x3a:], sectionSize)
	order.PutUint16(file[0x3c:], 3)
	order.PutUint16(file[0x3e:], 1)
	return append(file, table...)
}

// The durations are those of blobinfo.py of the test bench.
func TestReadsEstimates(t *testing.T) {
	for platform, want := range map[string]Estimate{
		"3720": {1075 * time.Microsecond, 1300}, "4000": {744 * time.Microsecond, 1700},
		"5010": {351 * time.Microsecond, 2000}, "5020": {472 * time.Microsecond, 2000},
	} {
		got, found := ReadEstimate(program(t, platform), platform)
		require.True(t, found)
		require.Equal(t, want, Estimate{got.Took.Round(time.Microsecond), got.Clock}, platform)
	}
}

func TestEstimateOfOtherForms(t *testing.T) {
	whole := program(t, "4000")
	for n := range whole {
		_, _ = ReadEstimate(whole[:n], "4000") // must not panic
	}
	for at := range headerSize {
		for _, value := range []byte{0, 1, 0x7f, 0xff} {
			spoiled := bytes.Clone(whole)
			spoiled[at] = value
			_, _ = ReadEstimate(spoiled, "4000")
		}
	}
	for at := len(whole) - 3*sectionSize; at < len(whole); at++ {
		spoiled := bytes.Clone(whole)
		spoiled[at] = 0xff
		_, _ = ReadEstimate(spoiled, "4000")
	}
	for name, blob := range map[string][]byte{"empty": nil, "no program": []byte("weights of some kind, and no program at all, that is long enough"), "no figures": bytes.Replace(whole, []byte("perf"), []byte("rest"), 1)} {
		_, found := ReadEstimate(blob, "4000")
		require.False(t, found, name)
	}
}
