package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// loginCommands do what the menu's “Start at login” does, for desktops that show
// no menu.
func loginCommands() []*cobra.Command {
	command := func(use, short, done string, on bool) *cobra.Command {
		return &cobra.Command{
			Use: use, Short: short, Args: noArgs,
			RunE: func(c *cobra.Command, _ []string) error {
				if err := setAutostart(on); err != nil {
					return err
				}
				_, err := fmt.Fprintln(c.OutOrStdout(), done)
				return err
			},
		}
	}
	return []*cobra.Command{
		command("install", "Start the tray with each session of this user", "dragoman-tray starts at login; to start it now: dragoman-tray", true),
		command("uninstall", "No longer start the tray at login", "dragoman-tray no longer starts at login", false),
	}
}
