package desktop

import (
	"context"
	"fmt"

	"golang.org/x/sys/windows"
)

// Open opens a file or folder with the program that the user has for it.
func Open(_ context.Context, path string) error {
	verb, err := windows.UTF16PtrFromString("open")
	if err != nil {
		return err
	}
	file, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return fmt.Errorf("open %s: %w", path, err)
	}
	if err := windows.ShellExecute(0, verb, file, nil, nil, windows.SW_SHOWNORMAL); err != nil {
		return fmt.Errorf("open %s: %w", path, err)
	}
	return nil
}
