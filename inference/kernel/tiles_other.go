//go:build !(linux && amd64)

package kernel

// hasTiles is false: Windows grants tiles by a call that is not used here.
func hasTiles() bool { return false }
