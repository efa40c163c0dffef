package main

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"dragoman/daemon/api"
	"dragoman/daemon/config"
	"dragoman/inference/language"
)

// complete adds the command that prints a shell's completion script, and what is
// offered for the flags and arguments of all commands below root, which must all
// be there.
func complete(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range allCommands(root) {
		switch c.CommandPath() {
		case "dragoman watch", "dragoman folders add":
			c.ValidArgsFunction = completeFolders
			offer(c, "output", completeFolders)
		case "dragoman folders set":
			offer(c, "output", completeFolders)
		case "dragoman jobs cancel":
			c.ValidArgsFunction = completeJobs(api.JobQueued, api.JobRunning)
		case "dragoman jobs retry":
			c.ValidArgsFunction = completeJobs(api.JobFailed, api.JobCancelled)
		case "dragoman history", "dragoman history delete", "dragoman pause":
			c.ValidArgsFunction = cobra.NoFileCompletions
		case "dragoman completion":
			c.Args = knownCommand
			c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
		}
		if c.HasParent() && c.Parent().CommandPath() == "dragoman completion" {
			c.Args = noArgs // cobra's own answer has another exit code
		}
		if c.ValidArgsFunction == nil && !strings.Contains(c.Use, " ") {
			c.ValidArgsFunction = cobra.NoFileCompletions // takes no arguments
		}
		if c.Flags().Lookup("to") != nil {
			offer(c, "to", completeLanguages)
			offer(c, "from", completeSources)
		}
		offer(c, "weights", valuesOf("inference.weights"))
		offer(c, "device", valuesOf("inference.encoder"))
		offer(c, "model", completeFolders)
		offer(c, "original", cobra.FixedCompletions([]cobra.Completion{
			string(api.OriginalStay), string(api.OriginalDone), string(api.OriginalBin),
		}, cobra.ShellCompDirectiveNoFileComp))
		offer(c, "state", cobra.FixedCompletions([]cobra.Completion{
			string(api.JobQueued), string(api.JobRunning), string(api.JobDone), string(api.JobFailed), string(api.JobCancelled),
		}, cobra.ShellCompDirectiveNoFileComp))
		offer(c, "folder", completeWatched)
		for _, free := range []string{"threads", "rounds", "limit", "lines", "name", "include", "exclude", "older-than"} {
			offer(c, free, cobra.NoFileCompletions)
		}
	}
}

// offer completes a flag that the command itself has.
func offer(c *cobra.Command, flag string, f cobra.CompletionFunc) {
	if c.Flags().Lookup(flag) == nil && c.PersistentFlags().Lookup(flag) == nil {
		return
	}
	if err := c.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic("completion of --" + flag + " of " + c.CommandPath() + ": " + err.Error())
	}
}

// allCommands are root and all below it.
func allCommands(root *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{root}
	for _, c := range root.Commands() {
		all = append(all, allCommands(c)...)
	}
	return all
}

func completeFolders(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// completeSources offers the languages, or to find out.
func completeSources(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	offers, directive := completeLanguages(c, args, typed)
	if directive != cobra.ShellCompDirectiveError && strings.HasPrefix(api.Auto, typed) {
		offers = append([]cobra.Completion{cobra.CompletionWithDesc(api.Auto, "find out")}, offers...)
	}
	return offers, directive
}

// completeLanguages offers those of the service's model, or of the one that the
// flags and the settings name, of which it reads the vocabulary only. Of a list
// with commas the last is completed.
func completeLanguages(c *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	model, _ := c.Flags().GetString("model") // commands without the flag have the service's model
	ctx, cancel := context.WithTimeout(c.Context(), completionWait)
	defer cancel()
	codes, err := languageCodes(ctx, &options{model: model})
	if errors.Is(err, context.DeadlineExceeded) { // a model is being loaded
		codes, err = languageCodes(c.Context(), &options{model: model, local: true})
	}
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	var offers []cobra.Completion
	for _, code := range codes {
		english, _ := language.Names(code)
		if strings.HasPrefix(before+code, typed) {
			offers = append(offers, cobra.CompletionWithDesc(before+code, english))
		}
	}
	return offers, cobra.ShellCompDirectiveNoFileComp
}

func valuesOf(key string) cobra.CompletionFunc {
	k, _ := config.Find(key)
	return cobra.FixedCompletions(k.Values, cobra.ShellCompDirectiveNoFileComp)
}

func completeKeys(_ *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var offers []cobra.Completion
	for _, k := range config.Keys() {
		if strings.HasPrefix(k.Name, typed) {
			sentence, _, _ := strings.Cut(k.Help, ". ")
			offers = append(offers, cobra.CompletionWithDesc(k.Name, strings.TrimSuffix(sentence, ".")))
		}
	}
	return offers, cobra.ShellCompDirectiveNoFileComp
}

// completeValues offers a key, then its values, or files where it is a path.
func completeValues(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return completeKeys(c, args, typed)
	}
	k, _ := config.Find(args[0])
	if k.Resolve(os.TempDir(), "./x") != "./x" {
		return nil, cobra.ShellCompDirectiveDefault
	}
	if len(args) > 1 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return k.Values, cobra.ShellCompDirectiveNoFileComp
}
