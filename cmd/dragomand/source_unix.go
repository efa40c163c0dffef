//go:build unix

package main

// eventSource is "": only Windows has an event log.
func (r *runCommand) eventSource() string { return "" }
