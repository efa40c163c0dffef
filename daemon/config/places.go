package config

import "path/filepath"

// SystemPaths are the places of the system-wide daemon on unix, as its unit file
// sets them. Windows has no such daemon: there a service belongs to a user.
func SystemPaths() Paths {
	return Paths{
		ConfigFile: "/etc/dragoman/config.toml",
		DataDir:    "/var/lib/dragoman/data",
		CacheDir:   "/var/cache/dragoman",
		StateDir:   "/var/lib/dragoman",
		RuntimeDir: "/run/dragoman",
	}
}

// StateFile is the daemon's database.
func (p Paths) StateFile() string { return filepath.Join(p.StateDir, "state.db") }

// LockFile is locked by the one daemon that uses StateDir.
func (p Paths) LockFile() string { return filepath.Join(p.StateDir, "dragomand.lock") }

// HolderFile says which daemon holds LockFile.
func (p Paths) HolderFile() string { return filepath.Join(p.StateDir, "dragomand.json") }

// TrayFile is what the tray remembers that is no setting.
func (p Paths) TrayFile() string { return filepath.Join(p.StateDir, "tray.json") }

// LogDir is for log files where the system keeps no logs.
func (p Paths) LogDir() string { return filepath.Join(p.StateDir, "log") }

// LibreTranslateKeyFile holds the API key that the daemon made.
func (p Paths) LibreTranslateKeyFile() string {
	return filepath.Join(p.StateDir, "libretranslate.key")
}

// Socket is where the daemon listens on unix.
func (p Paths) Socket() string { return filepath.Join(p.RuntimeDir, "api.sock") }
