package power

import (
	"time"

	"golang.org/x/sys/unix"
)

// epoch is some moment; the clock behind it is CLOCK_MONOTONIC, which Go reads
// without a system call.
var epoch = time.Now()

// now reads the clocks of clock_gettime(2).
func now() Instant {
	return Instant{Awake: time.Since(epoch), Whole: clock(unix.CLOCK_BOOTTIME)}
}

func clock(id int32) time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(id, &t); err != nil {
		return 0 // no kernel since 2.6.39 says so
	}
	return time.Duration(t.Nano())
}
