package blob

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDescribeAndList(t *testing.T) {
	dir := t.TempDir()
	s := Open(dir, Options{})
	a, b := testKey("a"), testKey("b")
	put(t, s, a, payload(100, 1))
	put(t, s, b, payload(200, 2))
	about := About{Model: "starter", Prepared: "0123", Graph: "encoder_32.xml", Device: "NPU", Architecture: "4000", Runtime: "2026.4.1"}
	require.NoError(t, s.Describe(a, about))
	require.NoError(t, s.Describe(a, About{Model: "other"}), "the first stays: it is of the same key")
	requireNothingLeft(t, s)
	all := map[Key]Listed{}
	for _, l := range Open(dir, Options{}).List() {
		all[l.Key] = l
	}
	require.Len(t, all, 2)
	require.Equal(t, about, all[a].About)
	require.True(t, all[a].Known)
	require.Equal(t, int64(100+footerSize), all[a].Bytes)
	require.False(t, all[b].Known)

	require.True(t, s.Remove(all[a]))
	require.NoFileExists(t, s.path(aboutFolder, b.String()+aboutSuffix))
	require.FileExists(t, s.path(aboutFolder, a.String()+aboutSuffix))
	Open(dir, Options{})
	require.NoFileExists(t, s.path(aboutFolder, a.String()+aboutSuffix), "nothing is told of what is gone")
	require.Len(t, s.List(), 1)
}

func TestCheckListed(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	put(t, s, testKey("a"), payload(100, 1))
	path := put(t, s, testKey("b"), payload(200, 2))
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	content[17] ^= 1
	require.NoError(t, os.WriteFile(path, content, 0o600))
	wrong := 0
	for _, l := range s.List() {
		if err := s.Check(l); err != nil {
			require.Equal(t, testKey("b"), l.Key)
			require.ErrorContains(t, err, "checksum")
			wrong++
		}
	}
	require.Equal(t, 1, wrong)
	require.Len(t, s.List(), 1)
	files, bytes := s.Quarantined()
	require.Equal(t, 1, files)
	require.Equal(t, int64(len(content)), bytes)
	files, _ = s.ClearQuarantine()
	require.Equal(t, 1, files)
	files, _ = s.Quarantined()
	require.Zero(t, files)
}

func TestRemoveLeavesWhatIsInUse(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	put(t, s, testKey("a"), payload(100, 1))
	inUse, err := s.Get(testKey("a"))
	require.NoError(t, err)
	require.False(t, s.Remove(s.List()[0]))
	require.NoError(t, inUse.Close())
	require.True(t, s.Remove(s.List()[0]))
}
