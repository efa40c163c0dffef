package power

import "time"

// Instant is a moment by two clocks. Both count from some moment in the past;
// Awake stands still while the machine sleeps and Whole does not.
type Instant struct {
	Awake, Whole time.Duration
}

// slept is how long the machine slept between two instants. Two clocks that are
// read one after the other differ by microseconds, coarse ones by ticks of 16 ms;
// nobody sleeps that short.
func slept(a, b Instant) time.Duration {
	if gone := (b.Whole - a.Whole) - (b.Awake - a.Awake); gone > 100*time.Millisecond {
		return gone
	}
	return 0
}
