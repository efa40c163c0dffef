package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"dragoman/installer/ovruntime"
)

// version is set by the Makefile for releases.
var version = "development"

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArgs,
		Run: func(c *cobra.Command, _ []string) {
			fmt.Fprintln(c.OutOrStdout(), "dragoman", versionText())
		},
	}
}

func versionText() string {
	return fmt.Sprintf("%s%s, %s %s/%s, made for OpenVINO %s",
		version, revision(), runtime.Version(), runtime.GOOS, runtime.GOARCH, ovruntime.PinnedVersion)
}

// revision is the commit that the program was built from, where Go recorded it.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return " (" + s.Value[:min(len(s.Value), 12)] + ")"
		}
	}
	return ""
}
