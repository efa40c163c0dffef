//go:build unix

package main

import "github.com/spf13/cobra"

func platformCommands() []*cobra.Command { return nil }

// ownSID is empty where a service of a user is that user's.
func ownSID() string { return "" }
