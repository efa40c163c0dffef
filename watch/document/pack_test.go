package document

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A part of any size is unpacked as it was, also by a packer that has had another one before.
func TestPackers(t *testing.T) {
	for range 2 {
		for _, size := range []int{0, 1, 5000, smallPart, smallPart + 1, 3 * smallPart} {
			text := strings.Repeat("some words ", size/11+1)[:size]
			var out bytes.Buffer
			w := zip.NewWriter(&out)
			w.RegisterCompressor(zip.Deflate, packer(size))
			into, err := w.Create("a.xml")
			require.NoError(t, err)
			_, err = io.WriteString(into, text)
			require.NoError(t, err)
			require.NoError(t, w.Close())
			if size > 1000 {
				require.Less(t, out.Len(), size/5)
			}
			a, err := openArchive(out.Bytes())
			require.NoError(t, err)
			got, err := a.Text("a.xml")
			require.NoError(t, err)
			require.Equal(t, text, got)
		}
	}
}
