//go:build unix

package connect

import (
	"context"
	"log/slog"
	"path/filepath"
	"slices"

	"github.com/fsnotify/fsnotify"

	"dragoman/daemon/config"
)

// Appears tells until ctx ends when the service may have begun to listen: its
// socket was made. So a client need not ask again and again. Only folders of
// sockets that there are now are looked at; nil means that there is none, or
// that the system gives no news of it.
func Appears(ctx context.Context, paths config.Paths) <-chan struct{} {
	news, err := fsnotify.NewWatcher()
	if err != nil {
		slog.Debug("No news of the service's socket", "err", err)
		return nil
	}
	var sockets []string
	for _, a := range addresses(paths) {
		if news.Add(filepath.Dir(string(a))) == nil {
			sockets = append(sockets, string(a))
		}
	}
	if len(sockets) == 0 {
		_ = news.Close()
		return nil
	}
	told := make(chan struct{}, 1)
	go func() {
		defer news.Close()
		for {
			select {
			case <-ctx.Done():
				return
			case e, ok := <-news.Events:
				if !ok {
					return
				}
				if !e.Has(fsnotify.Create) || !slices.Contains(sockets, e.Name) {
					continue
				}
				select {
				case told <- struct{}{}:
				default:
				}
			case _, ok := <-news.Errors: // too much at once, which a later look finds
				if !ok {
					return
				}
			}
		}
	}()
	return told
}
