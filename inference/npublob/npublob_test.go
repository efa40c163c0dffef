package npublob

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// real puts the end of a blob that Intel's compiler made (OpenVINO 2026.4.1 for
// Windows, the starter's graph of 32 tokens) behind a program of a few bytes: the
// program itself is left out of the test data.
func real(t *testing.T, platform string) []byte {
	t.Helper()
	end, err := os.ReadFile(filepath.Join("testdata", platform+".end"))
	require.NoError(t, err)
	program := bytes.Repeat([]byte{0x7f}, 4096)
	binary.LittleEndian.PutUint64(end[len(end)-13:], uint64(len(program)))
	return append(program, end...)
}

func TestReadsRealOnes(t *testing.T) {
	for platform, want := range map[string]Requirements{
		"3720": {"2026.4.1", "8.4", "3720", "2", "1.2.0"},
		"4000": {"2026.4.1", "8.4", "4000", "4", "1.2.2"},
		"5010": {"2026.4.1", "8.4", "5010", "3", "2.0.0"},
		"5020": {"2026.4.1", "8.4", "5020", "1", "2.2.0"},
	} {
		got, err := Read(real(t, platform))
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.NoError(t, got.Fits(platform, want.Tiles, "2026.4.1"))
		require.NoError(t, got.Fits(platform, "6", "2026.4.1"), "tiles that are left over do no harm")
		require.NoError(t, got.Fits("", "", ""), "nothing is known of the device")
		require.ErrorContains(t, got.Fits("6000", want.Tiles, "2026.4.1"), "this one is 6000")
		require.ErrorContains(t, got.Fits(platform, want.Tiles, "2026.5.0"), "this is 2026.5.0")
		require.ErrorContains(t, got.Fits(platform, "0", "2026.4.1"), "this NPU has 0")
	}
}

func TestRefusesOtherForms(t *testing.T) {
	whole := real(t, "4000")
	for _, blob := range [][]byte{nil, []byte("OVNPU"), whole[:len(whole)-1], whole[4096+150:], bytes.Repeat([]byte("OVNPU"), 100)} {
		_, err := Read(blob)
		require.ErrorIs(t, err, errForm)
	}
	for n := range len(whole) {
		_, _ = Read(whole[:n]) // must not panic
		_, _ = Read(whole[n:])
	}
}

func TestReadsWithoutText(t *testing.T) {
	blob := append([]byte("program."), 7, 0, 2, 0, 0xea, 7, 4, 0, 1, 0)
	blob = append(binary.LittleEndian.AppendUint64(blob, 8), "OVNPU"...)
	r, err := Read(blob)
	require.NoError(t, err)
	require.Equal(t, Requirements{Runtime: "2026.4.1"}, r)
}
