package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"dragoman/daemon/api"
	"dragoman/daemon/config"
	"dragoman/internal/english"
)

// configCommand reads and changes the settings file.
type configCommand struct {
	// reload asks a running service to read the file and returns its answer, nil
	// where none runs.
	reload func(context.Context) (*api.SettingsResponse, error)
}

func newConfig(reload func(context.Context) (*api.SettingsResponse, error)) *cobra.Command {
	cc := &configCommand{reload: reload}
	c := &cobra.Command{
		Use:   "config",
		Short: "Show and change the settings",
		Long: `Show and change the settings, which are in one file: see dragoman config path.
A running service takes changes over at once, except those of which set says that
they count from its next start.

` + keysHelp(),
		Args: knownCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(cc.newGet(), cc.newSet(), cc.newUnset(), cc.newEdit(), cc.newPath(), cc.newDefault())
	return c
}

// keysHelp lists all keys with their meaning.
func keysHelp() string {
	var b strings.Builder
	b.WriteString("Settings, each with its environment variable, which goes before the file:\n")
	for _, k := range config.Keys() {
		fmt.Fprintf(&b, "\n%s (%s)\n    %s\n    Use %s. Default: %s\n", k.Name, k.Env(), k.Help, k.Allowed, k.Default())
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (cc *configCommand) newGet() *cobra.Command {
	return &cobra.Command{
		Use:     "get [KEY]",
		Aliases: []string{"list"},
		Short:   "Print one setting, or all with where they are from",
		Long: `Print the value of one setting, as the file and this environment give it; a list
has a line for each entry. Without a key all settings are printed as TOML writes
them, each with whether the default, the file, the environment or the policy of this
machine's administrator gave it. Secrets are printed only where they are asked for by
name.`,
		Example:           "  dragoman config get\n  dragoman config get inference.threads",
		Args:              between(0, 1, "get takes one setting or none"),
		ValidArgsFunction: completeKeys,
		RunE: func(c *cobra.Command, args []string) error {
			file, err := configFile()
			if err != nil {
				return err
			}
			s, err := config.Read(file, os.Getenv)
			if err != nil {
				return setupError{err}
			}
			if len(args) == 1 {
				k, err := findKey(args[0])
				if err != nil {
					return err
				}
				_, err = fmt.Fprintln(c.OutOrStdout(), s.Plain(k))
				return err
			}
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, setting := range s.All() {
				value := setting.Value
				if value == "" {
					value = "(not shown)"
				}
				fmt.Fprintf(w, "%s\t%s\t%s\n", setting.Key.Name, value, setting.Source)
			}
			if err := w.Flush(); err != nil {
				return err
			}
			if place, reason, fixed := s.Policy(); len(fixed) > 0 {
				fmt.Fprintf(c.ErrOrStderr(), "dragoman: settings marked %s are fixed by %s%s\n", config.SourcePolicy, place, inBrackets(reason))
			}
			return nil
		},
	}
}

// inBrackets is a remark behind something, "" where there is none.
func inBrackets(remark string) string {
	if remark == "" {
		return ""
	}
	return " (" + printable(remark) + ")"
}

func (cc *configCommand) newSet() *cobra.Command {
	return &cobra.Command{
		Use:   "set KEY VALUE…",
		Short: "Change a setting in the file",
		Long: `Change a setting in the file. Its comments, order and layout stay. A value that
cannot be is refused and leaves the file as it is. Only lists take several values.
Relative paths count from the current folder.`,
		Example:           "  dragoman config set inference.threads 4\n  dragoman config set libretranslate.origins https://example.org https://example.com",
		Args:              between(2, 1<<20, "set takes a setting and its value"),
		ValidArgsFunction: completeValues,
		RunE:              func(c *cobra.Command, args []string) error { return cc.set(c, args[0], args[1:]) },
	}
}

func (cc *configCommand) set(c *cobra.Command, name string, values []string) error {
	k, err := findKey(name)
	if err != nil {
		return err
	}
	if len(values) > 1 && k.Type != config.List {
		return usageError{fmt.Errorf("%s takes one value, %d were given: quote a value with blanks", name, len(values))}
	}
	here, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("find the current folder: %w", err)
	}
	value, err := k.Parse(k.Resolve(here, strings.Join(values, ",")))
	if err != nil {
		return usageError{err}
	}
	return cc.change(c, name, &value)
}

func (cc *configCommand) newUnset() *cobra.Command {
	return &cobra.Command{
		Use:               "unset KEY",
		Short:             "Take a setting out of the file, so that its default counts",
		Args:              between(1, 1, "unset takes one setting"),
		ValidArgsFunction: completeKeys,
		RunE:              func(c *cobra.Command, args []string) error { return cc.change(c, args[0], nil) },
	}
}

// change writes the file and tells what keeps the change from taking effect.
func (cc *configCommand) change(c *cobra.Command, name string, value *string) error {
	file, err := configFile()
	if err != nil {
		return err
	}
	var content *config.ContentError
	var unknown *config.UnknownKeyError
	var fixed *config.FixedError
	var policy *config.PolicyError
	switch err := config.Set(file, name, value); {
	case errors.As(err, &content), errors.As(err, &fixed), errors.As(err, &policy):
		return setupError{err}
	case errors.As(err, &unknown):
		return usageError{err}
	case err != nil:
		return err
	}
	if k, known := config.Find(name); known && os.Getenv(k.Env()) != "" {
		fmt.Fprintf(c.ErrOrStderr(), "dragoman: the environment variable %s is set and goes before the file\n", k.Env())
	}
	return cc.tellService(c, file, []string{name})
}

func (cc *configCommand) newPath() *cobra.Command {
	return &cobra.Command{
		Use:   "path",
		Short: "Print where the settings file is",
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			file, err := configFile()
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(c.OutOrStdout(), file)
			return err
		},
	}
}

func (cc *configCommand) newDefault() *cobra.Command {
	return &cobra.Command{
		Use:   "default",
		Short: "Print a settings file that explains every setting",
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := c.OutOrStdout().Write(config.DefaultFile())
			return err
		},
	}
}

func configFile() (string, error) {
	paths, err := config.NewPaths(config.Host())
	if err != nil {
		return "", setupError{err}
	}
	return paths.ConfigFile, nil
}

func findKey(name string) (config.Key, error) {
	k, known := config.Find(name)
	if !known {
		return k, usageError{&config.UnknownKeyError{Name: name}}
	}
	return k, nil
}

// between is for commands with from low to high arguments.
func between(low, high int, takes string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < low || len(args) > high {
			return usageError{fmt.Errorf("%s (%s given): see `%s --help`", takes, english.Count(len(args), "argument"), c.CommandPath())}
		}
		return nil
	}
}
