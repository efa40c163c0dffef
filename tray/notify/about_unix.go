//go:build unix

package notify

import (
	"context"

	"dragoman/tray/bus"
)

// About asks what shows notifications here, and what it can do. Its errors are
// those of Notifier.Show.
func About(ctx context.Context) (Service, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	conn, err := bus.Connect(patience)
	if err != nil {
		return Service{}, err
	}
	defer conn.Close()
	n := &Notifier{conn: conn}
	var s Service
	var vendor, specification string
	call := n.object().CallWithContext(ctx, service+".GetServerInformation", 0)
	if err := call.Store(&s.Name, &vendor, &s.Version, &specification); err != nil {
		return Service{}, n.explain("ask what shows notifications", err)
	}
	s.Able, err = n.capabilities(ctx)
	return s, err
}
