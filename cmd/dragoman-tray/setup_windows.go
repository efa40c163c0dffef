package main

import (
	"github.com/spf13/cobra"
	"golang.org/x/sys/windows"

	"dragoman/installer/running"
)

func platformCommands() []*cobra.Command {
	return []*cobra.Command{{
		Use:    "end-programs FOLDER",
		Short:  "End the programs that lie in a folder, before they are replaced",
		Args:   cobra.ExactArgs(1),
		Hidden: true,
		RunE: func(_ *cobra.Command, args []string) error {
			_, err := running.End(args[0])
			return err
		},
	}}
}

// ownSID is this user's security identifier.
func ownSID() string {
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return ""
	}
	return user.User.Sid.String()
}
