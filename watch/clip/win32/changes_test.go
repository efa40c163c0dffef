package win32

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/watch/clip/selection"
)

func TestTheNewestChangeIsKept(t *testing.T) {
	c := newChanges()
	for stamp := range uint64(3) {
		c.put(selection.Change{Stamp: stamp + 1})
	}
	require.Equal(t, selection.Change{Stamp: 3, Merged: 2}, <-c.out)
	c.put(selection.Change{Stamp: 4})
	c.drop()
	c.put(selection.Change{Stamp: 5})
	require.Equal(t, selection.Change{Stamp: 5}, <-c.out)
	c.close()
	c.close()
	c.put(selection.Change{})
	c.drop()
	_, open := <-c.out
	require.False(t, open)
}
