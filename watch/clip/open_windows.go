package clip

import (
	"context"
	"fmt"

	"dragoman/watch/clip/selection"
	"dragoman/watch/clip/win32"
)

// openSystem connects to the clipboard of the window station, of which Windows
// has one for each session.
func openSystem(ctx context.Context, _ func(string) string) (selection.System, error) {
	c, err := win32.Dial(ctx)
	if err != nil {
		return nil, fmt.Errorf("open the clipboard: %w: run this within a desktop session", err)
	}
	return c, nil
}
