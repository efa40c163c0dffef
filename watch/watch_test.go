package watch_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/watch"
)

func TestKeyCoalescesNewsAboutOnePath(t *testing.T) {
	settled := watch.Item{Kind: watch.FileSettled, Root: "/r", Path: "a/b.txt", Seen: time.Unix(1, 0)}
	gone := watch.Item{Kind: watch.FileGone, Root: "/r", Path: "a/b.txt", Seen: time.Unix(2, 0)}
	require.Equal(t, settled.Key(), gone.Key())

	different := []watch.Item{
		settled,
		{Kind: watch.FileSettled, Root: "/r", Path: "a/c.txt"},
		{Kind: watch.FileSettled, Root: "/s", Path: "a/b.txt"},
		{Kind: watch.FileSettled, Root: "/r/a", Path: "b.txt"},
		{Kind: watch.Rescan, Root: "/r"},
		{Kind: watch.Rescan, Root: "/s"},
	}
	seen := map[string]bool{}
	for _, item := range different {
		require.False(t, seen[item.Key()], "%+v", item)
		seen[item.Key()] = true
	}
}

func TestKindNames(t *testing.T) {
	require.Equal(t, "settled", watch.FileSettled.String())
	require.Equal(t, "gone", watch.FileGone.String())
	require.Equal(t, "rescan", watch.Rescan.String())
	require.Equal(t, "unknown", watch.Kind(0).String())
}
