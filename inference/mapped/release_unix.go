//go:build unix

package mapped

import "golang.org/x/sys/unix"

// Release tells the system that the pages of a mapped file are not needed for
// now, for maps that are made elsewhere.
func Release(data []byte) {
	if len(data) > 0 {
		// Advice only: where it is refused the pages just stay.
		_ = unix.Madvise(data, unix.MADV_DONTNEED)
	}
}
