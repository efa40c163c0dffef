// Command dragoman translates texts, files and drop folders on this machine.
//
// This package holds flags, wiring and exit codes; the work is done by the
// packages that it puts together.
package main

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends what does not stop
	// Warnings of the packages look like this command's own messages.
	log.SetFlags(0)
	log.SetPrefix("dragoman: ")
	slog.SetLogLoggerLevel(slog.LevelWarn) // what is only information is for a service's log
	err := newRoot().ExecuteContext(ctx)
	for _, line := range describe(err) {
		fmt.Fprintln(os.Stderr, "dragoman:", line)
	}
	os.Exit(exitCode(err))
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "dragoman",
		Short: "Translate texts, files and drop folders without leaving this machine",
		Long: "Dragoman translates with an M2M-100 model on OpenVINO. Nothing leaves this machine.\n\n" +
			exitCodesHelp,
		Version:       versionText(),
		Args:          knownCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("dragoman {{.Version}}\n")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if c.HasSubCommands() { // a flag of a mistyped command is no mistake
			if err := knownCommand(c, c.Flags().Args()); err != nil {
				return err
			}
		}
		return usageError{fmt.Errorf("%w: see `%s --help`", err, c.CommandPath())}
	})
	o := &options{}
	root.AddCommand(
		newTranslate(o), newClip(o), newWatch(o), newLanguages(o), newDoctor(o), newDevices(), newBench(o),
		newStatus(), newFolders(), newJobs(), newHistory(), newDetect(o), newGlossary(), newMemory(), newCorrect(), newPause(), newResume(),
		newService(), newConfig(reloadService), newModels(&configCommand{reload: reloadService}), newRuntime(), newCache(), newVersion(), newMan(),
	)
	root.AddCommand(newProbe())
	root.AddCommand(clipOwners()...)
	complete(root)
	return root
}

// knownCommand refuses what is no command below c.
func knownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := fmt.Sprintf("see `%s --help`", c.CommandPath())
	c.SuggestionsMinimumDistance = 2
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		hint = fmt.Sprintf("did you mean `%s %s`?", c.CommandPath(), near[0])
	}
	return usageError{fmt.Errorf("unknown command %q: %s", args[0], hint)}
}

func noArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usageError{fmt.Errorf("`%s` takes no arguments (%d given): see `%s --help`", c.CommandPath(), len(args), c.CommandPath())}
}
