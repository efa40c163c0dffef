//go:build !linux && !windows

package folder

const (
	foldCase   = true  // compare paths as the usual file systems do
	shortNames = false // events may carry an alias of a name
)

// sendsNoEvents is not known here; the slow rescan finds what events do not tell.
func sendsNoEvents(string) bool { return false }
