// Command dragomand is the service of dragoman: it runs under systemd, as a
// Windows service or in the foreground.
//
// This package holds flags and wiring; package daemon does the work, and
// installer/service knows the service managers.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"dragoman/installer/service"
)

// version is set by the Makefile for releases.
var version = "development"

// Exit codes. The units name exitUsage, so that a command line which is wrong is
// not tried again; it is EX_USAGE of sysexits.h, because Go ends with 2 when it
// crashes.
const (
	exitFailed = 1
	exitUsage  = 64
)

type usageError struct{ error }

func main() {
	err := newRoot(service.CatchHangups()).ExecuteContext(context.Background())
	if err == nil {
		return
	}
	var usage usageError
	if errors.As(err, &usage) {
		fmt.Fprintln(os.Stderr, "dragomand:", err)
		os.Exit(exitUsage)
	}
	os.Exit(exitFailed) // run has logged it
}

func newRoot(hangups <-chan os.Signal) *cobra.Command {
	r := &runCommand{hangups: hangups}
	root := &cobra.Command{
		Use:   "dragomand",
		Short: "The service of dragoman",
		Long: "Dragomand keeps the model warm, translates what clients ask for and watches the drop folders.\n" +
			"Install it as a service with `dragoman service install`.",
		Version:       versionText(),
		Args:          noArgs,
		RunE:          r.run,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("dragomand {{.Version}}\n")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w: see `%s --help`", err, c.CommandPath())}
	})
	r.addFlags(root.Flags())
	run := &cobra.Command{
		Use:   "run",
		Short: "Run until stopped (the default)",
		Args:  noArgs,
		RunE:  r.run,
	}
	r.addFlags(run.Flags())
	root.AddCommand(run, newProbe(), &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArgs,
		Run: func(c *cobra.Command, _ []string) {
			fmt.Fprintln(c.OutOrStdout(), "dragomand", versionText())
		},
	})
	return root
}

func noArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usageError{fmt.Errorf("unknown argument %q: see `%s --help`", args[0], c.CommandPath())}
}

func versionText() string {
	return fmt.Sprintf("%s%s, %s %s/%s", version, revision(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
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
