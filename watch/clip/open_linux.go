package clip

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"dragoman/watch/clip/selection"
	"dragoman/watch/clip/wayland"
	"dragoman/watch/clip/x11"
)

// openSystem connects to the compositor or X server that the environment names.
// A compositor that lets nobody watch may still pass copies on to Xwayland. nil
// is os.Getenv.
func openSystem(ctx context.Context, getenv func(string) string) (selection.System, error) {
	if getenv == nil {
		getenv = os.Getenv
	}
	server := getenv("DISPLAY")
	socket, err := waylandSocket(getenv)
	if socket != "" && err == nil {
		var c *wayland.Conn
		if c, err = wayland.Dial(ctx, socket); err == nil {
			return c, nil
		}
	}
	if server != "" {
		c, xerr := x11.Dial(ctx, server)
		switch {
		case xerr != nil:
			return nil, fmt.Errorf("open the clipboard: %w", errors.Join(xerr, err))
		case socket != "":
			return xwayland{c}, nil
		}
		return c, nil
	}
	switch {
	case errors.Is(err, wayland.ErrNoProtocol):
		return nil, fmt.Errorf("open the clipboard: %w, as GNOME before 49: log in to its session on X11, or copy and run `wl-paste | dragoman translate`: %w", ErrNoProtocol, err)
	case err != nil:
		return nil, fmt.Errorf("open the clipboard: %w", err)
	case getenv("SSH_CONNECTION") != "" || getenv("SSH_TTY") != "":
		return nil, fmt.Errorf("open the clipboard: %w, it came by ssh: run this within the desktop session, or log in with ssh -X", ErrNoDisplay)
	}
	return nil, fmt.Errorf("open the clipboard: %w: neither WAYLAND_DISPLAY nor DISPLAY is set: run this within a desktop session", ErrNoDisplay)
}

// xwayland is the X server within a Wayland session.
type xwayland struct{ *x11.Conn }

// Name says that only what the compositor passes on is seen.
func (xwayland) Name() string { return "X11 (Xwayland)" }

// waylandSocket returns "" outside of Wayland sessions.
func waylandSocket(getenv func(string) string) (string, error) {
	name := getenv("WAYLAND_DISPLAY")
	if name == "" || filepath.IsAbs(name) {
		return name, nil
	}
	dir := getenv("XDG_RUNTIME_DIR")
	if dir == "" {
		return name, fmt.Errorf("find the Wayland socket %s: XDG_RUNTIME_DIR is not set", name)
	}
	return filepath.Join(dir, name), nil
}
