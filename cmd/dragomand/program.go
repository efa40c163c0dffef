package main

import (
	"context"
	"log/slog"
	"net"
	"os"

	"golang.org/x/sync/errgroup"

	"dragoman/daemon"
	"dragoman/daemon/api"
	"dragoman/daemon/config"
	"dragoman/daemon/ipc"
	"dragoman/daemon/logs"
	"dragoman/inference/openvino/locate"
	"dragoman/installer/ovruntime"
	"dragoman/installer/service"
)

// program is what the service manager runs.
type program struct {
	paths  config.Paths
	log    *logs.Log
	failed error // of a place to log to
	owner  string
	// restart is the command, for people, that restarts this process; "" in the
	// foreground.
	restart string
}

// Run is the daemon, and the proof for the manager that it answers.
func (p program) Run(ctx context.Context, h service.Hooks) error {
	executable, err := os.Executable()
	if err != nil {
		executable = os.Args[0]
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		return daemon.Run(ctx, daemon.Options{
			Paths: p.paths, Executable: executable, Version: version, Owner: p.owner, LogLevel: p.log.Level, Restart: p.restart,
			HoldRuntime: holdRuntime,
			Ready: func() {
				h.Ready()
				// A daemon that cannot start has said one thing, which is the reason
				// for both.
				if p.failed != nil {
					slog.Warn("the log is not complete", "err", p.failed)
				}
				g.Go(func() error { return h.Watchdog(ctx, p.answers) })
			},
			Status: h.Status, Reload: h.Reload, Reloading: h.Reloading,
		})
	})
	return g.Wait()
}

// answers fails unless the daemon answers as it should to its clients.
func (p program) answers(ctx context.Context) error {
	address := ipc.Default(p.paths.RuntimeDir)
	if p.owner != "" {
		address = ipc.PipeOf(p.owner)
	}
	client := api.NewClient(func(ctx context.Context) (net.Conn, error) { return ipc.Dial(ctx, address) })
	_, err := client.Status(ctx)
	return err
}

// holdRuntime keeps an installed runtime from being removed by a later
// installation as long as this process runs. A folder that cannot be locked is
// not ours to clean up either.
func holdRuntime(c locate.Candidate) {
	if c.Source == locate.SourceData {
		_, _ = ovruntime.Hold(c.Dir)
	}
}
