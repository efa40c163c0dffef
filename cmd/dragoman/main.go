// Command dragoman translates texts, files and drop folders on this machine.
//
// This package holds flags, wiring and exit codes; the work is done by the
// packages that it puts together.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := newRoot().ExecuteContext(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, "dragoman:", describe(err))
	}
	os.Exit(exitCode(err))
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "dragoman",
		Short: "Translate texts, files and drop folders without leaving this machine",
		Long: "Dragoman translates with an M2M-100 model on OpenVINO. Nothing leaves this machine.\n\n" +
			exitCodesHelp,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w: see `%s --help`", err, c.CommandPath())}
	})
	o := &options{}
	o.addFlags(root.PersistentFlags())
	root.AddCommand(
		newTranslate(o), newWatch(o), newLanguages(o), newDoctor(o), newBench(o),
		newRuntime(), newVersion(),
	)
	return root
}
