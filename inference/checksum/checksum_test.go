package checksum

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// The published test vector for no input (xxHash's documentation).
func TestEmpty(t *testing.T) {
	require.Equal(t, "99aa06d3014798d86001c324468d497f", Of(nil).String())
}

func TestAllWaysAgree(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789abcdef#"), 200_000)
	want := Of(data)
	got, err := Read(iotest.OneByteReader(bytes.NewReader(data[:5000])))
	require.NoError(t, err)
	require.Equal(t, Of(data[:5000]), got)
	w := NewWriter()
	for part := range bytes.SplitAfterSeq(data, []byte("#")) {
		_, err := w.Write(part)
		require.NoError(t, err)
	}
	require.Equal(t, want, w.Sum())
	data[len(data)/2] ^= 1
	require.NotEqual(t, want, Of(data))
}

func TestReadTellsFailures(t *testing.T) {
	broken := errors.New("broken")
	_, err := Read(io.MultiReader(bytes.NewReader([]byte("x")), iotest.ErrReader(broken)))
	require.ErrorIs(t, err, broken)
}
