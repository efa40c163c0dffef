package english

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestCount(t *testing.T) {
	for want, got := range map[string]string{
		"0 files": Count(0, "file"), "1 file": Count(1, "file"), "2 files": Count(int64(2), "file"), "-1 files": Count(-1, "file"),
		"1 entry": Count(1, "entry"), "3 entries": Count(3, "entry"), "2 days": Count(2, "day"),
		"2 boxes": Count(2, "box"), "2 glossaries": Count(2, "glossary"), "2 matches": Count(2, "match"), "1 match": Count(1, "match"),
	} {
		require.Equal(t, want, got)
	}
}

func TestSize(t *testing.T) {
	for want, got := range map[string]string{
		"0 bytes": Size(0), "1 byte": Size(1), "1048575 bytes": Size(1<<20 - 1), "1 MiB": Size(1 << 20), "1048577 bytes": Size(1<<20 + 1), "2048 MiB": Size(2 << 30),
	} {
		require.Equal(t, want, got)
	}
}

func TestShort(t *testing.T) {
	require.Equal(t, "für", Short("für", 4))
	require.Equal(t, "fü…", Short("für", 3))
	require.Equal(t, "f…", Short("für", 2), "no part of a letter")
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 seconds", time.Second: "1 second", 30 * time.Second: "30 seconds", 10*time.Second + 400*time.Millisecond: "10 seconds",
		time.Minute: "1 minute", 90 * time.Second: "1 minute 30 seconds", 59*time.Second + 700*time.Millisecond: "1 minute", time.Second - 100*time.Microsecond: "1 second", time.Second + time.Millisecond: "1 second",
		15 * time.Minute: "15 minutes", time.Hour: "1 hour", 2*time.Hour + 5*time.Minute + 3*time.Second: "2 hours 5 minutes",
		time.Hour + 59*time.Minute + 40*time.Second: "2 hours", 24*time.Hour - 20*time.Second: "1 day", 23*time.Hour + 40*time.Minute: "23 hours 40 minutes", 50 * time.Hour: "2 days 2 hours", 48 * time.Hour: "2 days",
		2500 * time.Millisecond: "2.5 seconds", 20 * time.Millisecond: "20 ms", 1234 * time.Microsecond: "1.23 ms", 700: "700 ns", 1500: "1.5 µs",
		-time.Minute: "-1 minute",
	} {
		require.Equal(t, want, Duration(d), "%d", d)
	}
}
