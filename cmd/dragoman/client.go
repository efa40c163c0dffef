package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"

	"github.com/spf13/cobra"

	"dragoman/daemon/api"
	"dragoman/daemon/config"
	"dragoman/daemon/instance"
	"dragoman/daemon/ipc"
)

// newClient speaks to this user's service, or to the system's where that one
// does not run. A socket folder that was named is the only one.
func newClient() (*api.Client, error) {
	paths, err := config.NewPaths(config.Host())
	if err != nil {
		return nil, setupError{err}
	}
	addresses := []ipc.Address{ipc.Default(paths.RuntimeDir)}
	if os.Getenv(config.EnvRuntime) == "" {
		addresses = append(addresses, ipc.Default(config.SystemPaths().RuntimeDir))
	}
	return api.NewClient(func(ctx context.Context) (net.Conn, error) { return ipc.DialAny(ctx, addresses...) }), nil
}

// asking makes a command that asks the service.
func asking(run func(c *cobra.Command, client *api.Client, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		client, err := newClient()
		if err != nil {
			return err
		}
		return cutOff(run(c, client, args))
	}
}

// cutOff says so where the service runs but cannot be reached, since its socket
// was removed.
func cutOff(err error) error {
	if !errors.Is(err, api.ErrNotRunning) {
		return err
	}
	paths, pathErr := config.NewPaths(config.Host())
	if pathErr != nil {
		return err
	}
	holder, found, holderErr := instance.Holder(paths.StateDir)
	if holderErr != nil || !found || holder.PID == 0 {
		return err
	}
	return fmt.Errorf("the service runs (process %d), but its socket is gone from %s: `dragoman service restart`, or end that process and start it again",
		holder.PID, paths.RuntimeDir)
}

// reloadService asks the service, if it runs, to read the settings again.
func reloadService(ctx context.Context) error {
	client, err := newClient()
	if err != nil {
		return err
	}
	if _, err = client.Reload(ctx); errors.Is(err, api.ErrNotRunning) {
		return nil
	}
	return err
}
