package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"dragoman/daemon/api"
	"dragoman/daemon/config"
	"dragoman/daemon/connect"
	"dragoman/installer/service"
)

// setupCommands are for installers and for what starts at login. They are in this
// program because on Windows it has no console, whose window would flash.
func setupCommands() []*cobra.Command {
	return append(platformCommands(), &cobra.Command{
		Use:    "start-service",
		Short:  "Start the service in the background, unless it runs",
		Args:   noArgs,
		Hidden: true,
		RunE:   func(c *cobra.Command, _ []string) error { return startOwnService(c.Context()) },
	})
}

// startOwnService leaves alone a service that serves this user, or that will: the
// manager starts it when the machine has started.
func startOwnService(ctx context.Context) error {
	paths, err := config.NewPaths(config.Host())
	if err != nil {
		return err
	}
	if answersUs(ctx, connect.Client(paths)) {
		return nil
	}
	m, status, err := manager(ctx, paths)
	if err == nil && status.State != service.NotInstalled && serves(status) {
		return m.Start(ctx)
	}
	return startProgram()
}

func answersUs(ctx context.Context, client *api.Client) bool {
	_, err := client.Status(ctx)
	return err == nil
}

// serves says whether an installed service is this user's: the one of Windows
// names its owner on its command line.
func serves(s service.Status) bool {
	owner := ownSID()
	return owner == "" || strings.Contains(s.Executable, owner)
}
