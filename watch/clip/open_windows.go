package clip

import (
	"context"
	"errors"

	"dragoman/watch/clip/selection"
)

// openSystem has nothing to offer on Windows.
func openSystem(context.Context, Options) (selection.System, error) {
	return nil, errors.New("open the clipboard: this version cannot on Windows: translate files or type text instead")
}
