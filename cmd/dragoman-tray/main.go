// Command dragoman-tray is dragoman in a desktop session: the icon, the
// clipboard and the notifications.
//
// This package holds flags and wiring; tray/agent decides what happens, and the
// service translates.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/spf13/cobra"
)

// version is set by the Makefile for releases.
var version = "development"

// Exit codes. The unit names exitUsage, so that a command line which is wrong is
// not tried again.
const (
	exitFailed = 1
	exitUsage  = 2
)

type usageError struct{ error }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	err := newRoot().ExecuteContext(ctx)
	if err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, "dragoman-tray:", err)
	if _, wrong := errors.AsType[usageError](err); wrong {
		os.Exit(exitUsage)
	}
	os.Exit(exitFailed)
}

func newRoot() *cobra.Command {
	var o options
	root := &cobra.Command{
		Use:   "dragoman-tray",
		Short: "Dragoman in the tray: copy a text twice, and its translation is there",
		Long: "Dragoman-tray watches the clipboard, shows translations in notifications and the state of the service in the tray.\n" +
			"The service must run, see `dragoman service`. What it does is set in the menu or by `dragoman config`.",
		Version:       fmt.Sprintf("%s, %s %s/%s", version, runtime.Version(), runtime.GOOS, runtime.GOARCH),
		Args:          noArgs,
		RunE:          func(c *cobra.Command, _ []string) error { return run(c.Context(), o) },
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("dragoman-tray {{.Version}}\n")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w: see `%s --help`", err, c.CommandPath())}
	})
	root.Flags().BoolVar(&o.noIcon, "no-icon", false, "only clipboard and notifications, for desktops without a tray")
	root.Flags().BoolVar(&o.verbose, "verbose", false, "log what is not translated and why, without texts")
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(loginCommands()...)
	root.AddCommand(setupCommands()...)
	return root
}

func noArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usageError{fmt.Errorf("unknown argument %q: see `%s --help`", args[0], c.CommandPath())}
}
