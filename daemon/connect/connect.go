// Package connect finds the service that a program of ours speaks to. It owns
// that choice and nothing else.
//
// It imports daemon/api, daemon/config and daemon/ipc, which know nothing of each
// other, and fsnotify, but nothing that a client would have to carry along.
package connect

import (
	"context"
	"net"
	"os"

	"dragoman/daemon/api"
	"dragoman/daemon/config"
	"dragoman/daemon/ipc"
)

// Client speaks to this user's service, or to the system's where that one does
// not run. A socket folder that was named is the only one.
func Client(paths config.Paths) *api.Client {
	at := addresses(paths)
	return api.NewClient(func(ctx context.Context) (net.Conn, error) { return ipc.DialAny(ctx, at...) })
}

func addresses(paths config.Paths) []ipc.Address {
	at := []ipc.Address{ipc.Default(paths.RuntimeDir)}
	if os.Getenv(config.EnvRuntime) == "" {
		at = append(at, ipc.Default(config.SystemPaths().RuntimeDir))
	}
	return at
}
