//go:build unix

package mapped

import "golang.org/x/sys/unix"

func release(data []byte) {
	if len(data) > 0 {
		// Advice only: where it is refused the pages just stay.
		_ = unix.Madvise(data, unix.MADV_DONTNEED)
	}
}
