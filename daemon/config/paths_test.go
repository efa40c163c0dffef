package config_test

import (
	"path/filepath"
	"testing"

	"dragoman/daemon/config"

	"github.com/stretchr/testify/require"
)

func environment(goos, home string, set map[string]string) config.Environment {
	return config.Environment{Getenv: func(name string) string { return set[name] }, GOOS: goos, Home: home}
}

func TestPathsFollowTheSystemsRules(t *testing.T) {
	for name, test := range map[string]struct {
		env  config.Environment
		want config.Paths
	}{
		"linux, nothing set": {
			environment("linux", "/home/ada", nil),
			config.Paths{
				ConfigFile: "/home/ada/.config/dragoman/config.toml",
				DataDir:    "/home/ada/.local/share/dragoman",
				CacheDir:   "/home/ada/.cache/dragoman",
				StateDir:   "/home/ada/.local/state/dragoman",
				RuntimeDir: "/home/ada/.local/state/dragoman/run",
			},
		},
		"linux, XDG": {
			environment("linux", "/home/ada", map[string]string{
				"XDG_CONFIG_HOME": "/c/", "XDG_DATA_HOME": "/d", "XDG_CACHE_HOME": "/e",
				"XDG_STATE_HOME": "/s", "XDG_RUNTIME_DIR": "/run/user/1000",
			}),
			config.Paths{
				ConfigFile: "/c/dragoman/config.toml", DataDir: "/d/dragoman", CacheDir: "/e/dragoman",
				StateDir: "/s/dragoman", RuntimeDir: "/run/user/1000/dragoman",
			},
		},
		"linux, a relative XDG value counts as unset": {
			environment("linux", "/home/ada", map[string]string{"XDG_DATA_HOME": "data", "XDG_STATE_HOME": "s", "XDG_RUNTIME_DIR": "r"}),
			config.Paths{
				ConfigFile: "/home/ada/.config/dragoman/config.toml",
				DataDir:    "/home/ada/.local/share/dragoman",
				CacheDir:   "/home/ada/.cache/dragoman",
				StateDir:   "/home/ada/.local/state/dragoman",
				RuntimeDir: "/home/ada/.local/state/dragoman/run",
			},
		},
		"linux, overruled, no home": {
			environment("linux", "", map[string]string{
				"DRAGOMAN_CONFIG": "/etc/dragoman.toml", "DRAGOMAN_DATA": "/var/lib/dragoman",
				"DRAGOMAN_CACHE": "/var/cache/dragoman", "DRAGOMAN_MODEL": "starter", "XDG_DATA_HOME": "/d",
				"DRAGOMAN_STATE": "/var/lib/dragoman/state", "DRAGOMAN_RUNTIME": "/run/dragoman",
			}),
			config.Paths{
				ConfigFile: "/etc/dragoman.toml", DataDir: "/var/lib/dragoman",
				CacheDir: "/var/cache/dragoman", Model: "starter",
				StateDir: "/var/lib/dragoman/state", RuntimeDir: "/run/dragoman",
			},
		},
		"linux, root's home is the root folder": {
			environment("linux", "/", nil),
			config.Paths{
				ConfigFile: "/.config/dragoman/config.toml",
				DataDir:    "/.local/share/dragoman", CacheDir: "/.cache/dragoman",
				StateDir: "/.local/state/dragoman", RuntimeDir: "/.local/state/dragoman/run",
			},
		},
		"windows": {
			environment("windows", `C:\Users\Ada`, map[string]string{
				"AppData": `C:\Users\Ada\AppData\Roaming`, "LocalAppData": `D:\Local\`, "XDG_DATA_HOME": "/d",
				"XDG_STATE_HOME": "/s", "XDG_RUNTIME_DIR": `C:\run`,
			}),
			config.Paths{
				ConfigFile: `C:\Users\Ada\AppData\Roaming\dragoman\config.toml`,
				DataDir:    `D:\Local\dragoman`,
				CacheDir:   `D:\Local\dragoman\cache`,
				StateDir:   `D:\Local\dragoman\state`,
				RuntimeDir: `D:\Local\dragoman\state\run`,
			},
		},
		"windows, only the home is known": {
			environment("windows", `C:\Users\Ada`, nil),
			config.Paths{
				ConfigFile: `C:\Users\Ada\AppData\Roaming\dragoman\config.toml`,
				DataDir:    `C:\Users\Ada\AppData\Local\dragoman`,
				CacheDir:   `C:\Users\Ada\AppData\Local\dragoman\cache`,
				StateDir:   `C:\Users\Ada\AppData\Local\dragoman\state`,
				RuntimeDir: `C:\Users\Ada\AppData\Local\dragoman\state\run`,
			},
		},
		"windows, overruled": {
			environment("windows", `C:\Users\Ada`, map[string]string{
				"DRAGOMAN_CONFIG": `c:/dragoman.toml`, "DRAGOMAN_DATA": `\\server\share\dragoman`, "DRAGOMAN_CACHE": `E:\cache`, "DRAGOMAN_STATE": `E:\state`,
			}),
			config.Paths{
				ConfigFile: `c:/dragoman.toml`, DataDir: `\\server\share\dragoman`, CacheDir: `E:\cache`,
				StateDir: `E:\state`, RuntimeDir: `E:\state\run`,
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := config.NewPaths(test.env)
			require.NoError(t, err)
			require.Equal(t, test.want, got)
		})
	}
}

func TestPathsThatCannotBe(t *testing.T) {
	for name, test := range map[string]struct {
		env  config.Environment
		want string
	}{
		"relative": {
			environment("linux", "/home/ada", map[string]string{"DRAGOMAN_DATA": "data"}),
			"DRAGOMAN_DATA=data: give an absolute path for the data folder",
		},
		"another system's path": {
			environment("windows", `C:\Users\Ada`, map[string]string{"DRAGOMAN_CACHE": "/var/cache"}),
			"DRAGOMAN_CACHE=/var/cache: give an absolute path for the cache folder",
		},
		"drive without a folder": {
			environment("windows", `C:\Users\Ada`, map[string]string{"DRAGOMAN_CONFIG": "c:x.toml"}),
			"DRAGOMAN_CONFIG=c:x.toml: give an absolute path for the configuration file",
		},
		"relative state": {
			environment("linux", "/home/ada", map[string]string{"DRAGOMAN_STATE": "./state"}),
			"DRAGOMAN_STATE=./state: give an absolute path for the state folder",
		},
		"relative runtime": {
			environment("windows", `C:\Users\Ada`, map[string]string{"DRAGOMAN_RUNTIME": "run"}),
			"DRAGOMAN_RUNTIME=run: give an absolute path for the runtime folder",
		},
		"no home but for the state": {
			environment("linux", "", map[string]string{"DRAGOMAN_CONFIG": "/c", "DRAGOMAN_DATA": "/d", "DRAGOMAN_CACHE": "/e"}),
			"no place for the state folder: this process has no home folder: set HOME or DRAGOMAN_STATE",
		},
		"no home": {
			environment("linux", "", nil),
			"no place for the configuration file: this process has no home folder: set HOME or DRAGOMAN_CONFIG",
		},
		"no home on windows": {
			environment("windows", "", map[string]string{"AppData": `C:\a`}),
			"no place for the data folder: this process has no home folder: set HOME or DRAGOMAN_DATA",
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := config.NewPaths(test.env)
			require.EqualError(t, err, test.want)
		})
	}
}

func TestHostHasThisSystemsPaths(t *testing.T) {
	for _, name := range []string{config.EnvConfig, config.EnvCache, config.EnvModel} {
		t.Setenv(name, "")
	}
	data := t.TempDir()
	t.Setenv(config.EnvData, data)
	p, err := config.NewPaths(config.Host())
	require.NoError(t, err)
	require.Equal(t, data, p.DataDir)
	require.Empty(t, p.Model)
}

func TestPlacesBelowTheFolders(t *testing.T) {
	p := config.SystemPaths()
	for got, want := range map[string]string{
		p.ConfigFile:              "/etc/dragoman/config.toml",
		p.DataDir:                 "/var/lib/dragoman/data",
		p.CacheDir:                "/var/cache/dragoman",
		p.StateFile():             "/var/lib/dragoman/state.db",
		p.LockFile():              "/var/lib/dragoman/dragomand.lock",
		p.HolderFile():            "/var/lib/dragoman/dragomand.json",
		p.LibreTranslateKeyFile(): "/var/lib/dragoman/libretranslate.key",
		p.LogDir():                "/var/lib/dragoman/log",
		p.Socket():                "/run/dragoman/api.sock",
	} {
		require.Equal(t, want, filepath.ToSlash(got))
	}
}
