// Package identity is how dragoman shows itself at a desktop: the name, picture
// and keys by which desktops know whose notifications they show. All programs of
// ours have the same, so that a person's settings count for all.
//
// It may import tray/notify and assets.
package identity

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"dragoman/assets/icons"
	"dragoman/tray/notify"
)

// Name is the program's for people.
const Name = "Dragoman"

// DesktopFile is the name of the .desktop file without its ending.
const DesktopFile = "dragoman-tray"

// activator is the COM class by which Windows tells clicks on toasts.
const activator = "{6B0C5B4E-6A3C-4C83-9E0E-5C3B0E0E7D1A}"

// picture is the icon's size in notifications, in pixels.
const picture = 48

// Notifications are the options of a Notifier of ours. The picture is put into
// the cache folder, since no icon is installed by whose name desktops could
// find it; where that fails there is none, and the error says why.
func Notifications(cacheDir string) (notify.Options, error) {
	o := notify.Options{App: Name, Desktop: DesktopFile, Activator: activator}
	file := filepath.Join(cacheDir, fmt.Sprintf("icon-%d.png", picture))
	if err := put(file, icons.PNG(icons.Ready, picture)); err != nil {
		return o, fmt.Errorf("keep the picture of notifications: %w", err)
	}
	o.Icon = file
	return o, nil
}

// put writes a file, in one step, unless it is there already.
func put(file string, content []byte) error {
	if have, err := os.ReadFile(file); err == nil && bytes.Equal(have, content) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(file), ".icon-*")
	if err != nil {
		return err
	}
	_, err = temp.Write(content)
	if closeErr := temp.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(temp.Name(), file)
	}
	if err != nil {
		_ = os.Remove(temp.Name())
	}
	return err
}
