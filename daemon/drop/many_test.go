package drop

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// F16: more files in one go than any buffer holds.
func TestManyFilesInOneGo(t *testing.T) {
	b := newBench(t, quick)
	b.start()
	b.write("in/first.txt", "first")
	id := b.add(settings(b.path("in"), "es"))
	b.settled(id, 1)
	want := map[string]string{"first.es.txt": "es: first"}
	for i := range 20 {
		require.NoError(t, os.Mkdir(b.path(fmt.Sprint("in/", i)), 0o755))
	}
	begun := time.Now()
	for i := range oneGo {
		text := fmt.Sprintf("file number %d", i)
		require.NoError(t, os.WriteFile(b.path(fmt.Sprintf("in/%d/%d.txt", i%20, i)), []byte(text), 0o644))
		want[fmt.Sprintf("%d/%d.es.txt", i%20, i)] = reversed(text, "es")
	}
	written := time.Since(begun)
	b.settled(id, oneGo+1)
	t.Logf("%d files written in %s, all done after %s: %.0f files/s", oneGo, written, time.Since(begun), oneGo/time.Since(begun).Seconds())
	require.Equal(t, want, files(t, filepath.Join(b.path("in"), "translated")))
	require.Equal(t, oneGo+1, b.translator.total(), "nothing twice")
	require.Empty(t, b.told())
}
