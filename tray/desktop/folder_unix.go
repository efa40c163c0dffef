//go:build unix

package desktop

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"

	"github.com/godbus/dbus/v5"
)

const chooserIface = "org.freedesktop.portal.FileChooser"

// chooserVersion is the first that can choose folders.
const chooserVersion = 3

// CanChooseFolder tells whether ChooseFolder has something to ask.
func CanChooseFolder(ctx context.Context) bool {
	p, err := openPortal(ctx, chooserIface, chooserVersion)
	if err != nil {
		return false
	}
	p.close()
	return true
}

// ChooseFolder has the person choose a folder, which may take any time. It
// returns "" if none was chosen.
func ChooseFolder(ctx context.Context, title string) (string, error) {
	path, err := choose(ctx, title)
	switch {
	case errors.Is(err, errDismissed):
		return "", nil
	case errors.Is(err, errNoPortal):
		return "", fmt.Errorf("choose a folder: %w: use `dragoman folders add`", err)
	case err != nil:
		return "", fmt.Errorf("choose a folder: %w", err)
	}
	return path, nil
}

func choose(ctx context.Context, title string) (string, error) {
	p, err := openPortal(ctx, chooserIface, chooserVersion)
	if err != nil {
		return "", err
	}
	defer p.close()
	results, err := p.request(ctx, chooserIface+".OpenFile", map[string]dbus.Variant{"directory": dbus.MakeVariant(true)}, "", title)
	if err != nil {
		return "", err
	}
	uris, ok := results["uris"].Value().([]string)
	if !ok || len(uris) == 0 {
		return "", errDismissed
	}
	return fromURI(uris[0])
}

// fromURI returns the path of a file: URI (RFC 8089) of this machine.
func fromURI(uri string) (string, error) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || !filepath.IsAbs(u.Path) {
		return "", fmt.Errorf("%q is no folder of this machine: choose another", uri)
	}
	return filepath.Clean(u.Path), nil
}
