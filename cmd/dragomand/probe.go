package main

import (
	"os"

	"github.com/spf13/cobra"

	"dragoman/inference/probe"
)

// newProbe is the process in which a device is tried; see package probe.
func newProbe() *cobra.Command {
	return &cobra.Command{
		Use:    "probe",
		Short:  "Try a device for a process that asks on standard input",
		Hidden: true,
		Args:   noArgs,
		Run:    func(*cobra.Command, []string) { os.Exit(probe.Main(os.Stdin, os.Stdout)) },
	}
}
