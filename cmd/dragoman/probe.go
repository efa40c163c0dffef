package main

import (
	"context"
	"os"
	"os/exec"

	"github.com/spf13/cobra"

	"dragoman/inference"
	"dragoman/inference/device"
	"dragoman/inference/openvino/locate"
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

// acceleration has this process use what is prepared. Where a device was asked
// for by name it is prepared too, however long that takes.
func acceleration(rt locate.Candidate) inference.Acceleration {
	return inference.Acceleration{
		WarmOnly: true,
		Probe: func(ctx context.Context) (*exec.Cmd, error) {
			exe, err := os.Executable()
			if err != nil {
				return nil, err
			}
			return exec.CommandContext(ctx, exe, "probe"), nil
		},
		Survey: func(ctx context.Context) device.Machine { return device.Survey(ctx, device.Host(device.RuntimeOf(rt))) },
	}
}
