package folder

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A writer that pauses for longer than the quiet period still has the file open:
// the file is not complete, however long that takes.
func TestFileThatIsOpenForWritingIsNotComplete(t *testing.T) {
	inFakeTime(t, Options{Poll: 30 * time.Second}, func(t *testing.T, r *running) {
		f, err := os.Create(r.path("slow.txt"))
		require.NoError(t, err)
		defer f.Close()
		for range 3 {
			_, err := f.WriteString("a sentence\n")
			require.NoError(t, err)
			require.Empty(t, r.after(time.Minute))
		}
		told, _ := r.problems()
		require.Len(t, told, 2, "that there is no watcher, and once that the file is not complete")
		require.Contains(t, told[1], "slow.txt: another program is writing to it")

		// Reading it is no reason to wait.
		reading, err := os.Open(r.path("slow.txt"))
		require.NoError(t, err)
		defer reading.Close()
		require.NoError(t, f.Close())
		require.Equal(t, []string{"settled slow.txt"}, r.after(30*time.Second))
		_, over := r.problems()
		require.Len(t, over, 1)
	})
}

func TestOpenForWriting(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.txt")
	ask := func() (answer [2]bool) {
		answer[0], answer[1] = OpenForWriting(path)
		return answer
	}
	require.Equal(t, [2]bool{false, false}, ask(), "there is none")
	f, err := os.Create(path)
	require.NoError(t, err)
	require.Equal(t, [2]bool{true, true}, ask())
	require.NoError(t, f.Close())
	require.Equal(t, [2]bool{false, true}, ask())
	require.Equal(t, [2]bool{false, true}, ask(), "the lease was given back")
}
