//go:build !linux

package folder

// explainLimit has nothing to add: only inotify has limits with other names.
func explainLimit(err error) error { return err }
