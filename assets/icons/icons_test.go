package icons

import (
	"bytes"
	"image/png"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEachIconHasItsSize(t *testing.T) {
	for _, s := range States {
		for _, size := range Sizes {
			c, err := png.DecodeConfig(bytes.NewReader(PNG(s, size)))
			require.NoError(t, err)
			require.Equal(t, []int{size, size}, []int{c.Width, c.Height})
		}
	}
	require.Nil(t, PNG(Ready, 17))
	require.Nil(t, PNG("no state", 16))
}
