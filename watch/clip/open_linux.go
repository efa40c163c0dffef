package clip

import (
	"context"
	"fmt"
	"os"

	"dragoman/watch/clip/selection"
	"dragoman/watch/clip/x11"
)

// openSystem connects to the X server of the session.
func openSystem(ctx context.Context, o Options) (selection.System, error) {
	getenv := o.getenv
	if getenv == nil {
		getenv = os.Getenv
	}
	if display := getenv("DISPLAY"); display != "" {
		c, err := x11.Dial(ctx, display)
		if err == nil {
			return c, nil
		}
		return nil, fmt.Errorf("open the clipboard: %w", err)
	}
	if getenv("SSH_CONNECTION") != "" || getenv("SSH_TTY") != "" {
		return nil, fmt.Errorf("open the clipboard: %w, it came by ssh: run this within the desktop session, or log in with ssh -X", ErrNoDisplay)
	}
	return nil, fmt.Errorf("open the clipboard: %w: neither WAYLAND_DISPLAY nor DISPLAY is set: run this within a desktop session", ErrNoDisplay)
}
