//go:build unix

package autostart

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const (
	entryName = name + ".desktop"
	unitName  = name + ".service"
	hidden    = "Hidden=true"
)

// Enable has program, an absolute path, started with each session of this
// user. Files of an earlier Enable are replaced.
func Enable(program string) error {
	if !filepath.IsAbs(program) {
		return fmt.Errorf("start %s at login: give its absolute path", program)
	}
	entry, err := entryText(program)
	if err != nil {
		return err
	}
	p, err := findPlaces()
	if err != nil {
		return err
	}
	if err := write(p.entry, entry); err != nil {
		return err
	}
	if err := write(p.unit, unitText(program)); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(p.wanted), 0o755); err != nil {
		return fmt.Errorf("start dragoman at login: %w", err)
	}
	if err := os.Symlink(filepath.Join("..", unitName), p.wanted); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("start dragoman at login: %w", err)
	}
	return nil
}

// Disable ends that. An entry that the machine's administrator has made for
// everyone is hidden for this user.
func Disable() error {
	p, err := findPlaces()
	if err != nil {
		return err
	}
	for _, path := range []string{p.wanted, p.unit, p.entry} {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("no longer start dragoman at login: %w", err)
		}
	}
	// Only when empty, so that nothing of others goes.
	_ = os.Remove(filepath.Dir(p.wanted))
	for _, folder := range systemFolders() {
		if _, err := os.Stat(filepath.Join(folder, entryName)); err == nil {
			return write(p.entry, "[Desktop Entry]\nType=Application\nName=Dragoman\n"+hidden+"\n")
		}
	}
	return nil
}

// Read returns what is registered for this user.
func Read() (Status, error) {
	p, err := findPlaces()
	if err != nil {
		return Status{}, err
	}
	paths := []string{p.entry}
	for _, folder := range systemFolders() {
		paths = append(paths, filepath.Join(folder, entryName))
	}
	// The first counts (Autostart Specification: the user's own is the most important).
	for _, path := range paths {
		s, err := readEntry(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		return s, err
	}
	return Status{}, nil
}

func readEntry(path string) (Status, error) {
	f, err := os.Open(path)
	if err != nil {
		return Status{}, fmt.Errorf("read what starts at login: %w", err)
	}
	defer f.Close()
	s := Status{Enabled: true}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == hidden {
			s.Enabled = false
		}
		if command, ok := strings.CutPrefix(line, "Exec="); ok {
			s.Program = programOf(command)
		}
	}
	if err := lines.Err(); err != nil {
		return Status{}, fmt.Errorf("read %s: %w", path, err)
	}
	return s, nil
}

type places struct{ entry, unit, wanted string }

func findPlaces() (places, error) {
	config, err := os.UserConfigDir()
	if err != nil {
		return places{}, fmt.Errorf("find the user's settings: %w: set HOME or XDG_CONFIG_HOME", err)
	}
	units := filepath.Join(config, "systemd", "user")
	return places{
		entry:  filepath.Join(config, "autostart", entryName),
		unit:   filepath.Join(units, unitName),
		wanted: filepath.Join(units, "graphical-session.target.wants", unitName),
	}, nil
}

// systemFolders are those of $XDG_CONFIG_DIRS (XDG Base Directory Specification).
func systemFolders() []string {
	list := os.Getenv("XDG_CONFIG_DIRS")
	if list == "" {
		list = "/etc/xdg"
	}
	var folders []string
	for _, folder := range filepath.SplitList(list) {
		if filepath.IsAbs(folder) {
			folders = append(folders, filepath.Join(folder, "autostart"))
		}
	}
	return folders
}

func write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("start dragoman at login: %w", err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return fmt.Errorf("start dragoman at login: %w", err)
	}
	return nil
}
