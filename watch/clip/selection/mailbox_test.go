package selection

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMailboxKeepsTheNewest(t *testing.T) {
	m := NewMailbox()
	for stamp := range uint64(3) {
		m.Put(Change{Stamp: stamp})
	}
	require.Equal(t, Change{Stamp: 2, Merged: 2}, <-m.Changes())
	m.Put(Change{Stamp: 7})
	m.Drop()
	m.Put(Change{Stamp: 8})
	require.Equal(t, Change{Stamp: 8}, <-m.Changes(), "what was dropped does not count")
	m.Close()
	m.Close()
	m.Put(Change{Stamp: 9})
	_, open := <-m.Changes()
	require.False(t, open)
}
