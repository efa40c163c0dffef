package config

import (
	"fmt"
	"os"
	"runtime"
	"strings"
)

// The environment variables that overrule where dragoman keeps things.
const (
	EnvConfig  = "DRAGOMAN_CONFIG"  // the configuration file
	EnvData    = "DRAGOMAN_DATA"    // the data folder
	EnvCache   = "DRAGOMAN_CACHE"   // the cache folder
	EnvState   = "DRAGOMAN_STATE"   // the state folder
	EnvRuntime = "DRAGOMAN_RUNTIME" // the runtime folder, which is not OpenVINO's
	EnvModel   = "DRAGOMAN_MODEL"   // the model's folder or name
)

// Environment is what the paths depend on. Tests fill it in; programs use Host.
type Environment struct {
	Getenv func(string) string
	GOOS   string // "linux", "windows"; others are treated as unix
	Home   string // the user's home folder, "" if there is none (some services)
}

// Host returns the environment of this process.
func Host() Environment {
	home, err := os.UserHomeDir()
	if err != nil {
		home = ""
	}
	return Environment{Getenv: os.Getenv, GOOS: runtime.GOOS, Home: home}
}

// Paths are the absolute places of one user's dragoman. Nothing in them has
// to exist yet.
type Paths struct {
	ConfigFile string // config.toml
	DataDir    string // holds runtime/ and models/
	CacheDir   string // may be deleted at any time
	StateDir   string // what the daemon remembers, and its logs
	RuntimeDir string // holds the daemon's socket; goes when the user logs out
	Model      string // the value of DRAGOMAN_MODEL, a folder or a name; "" if unset
}

// NewPaths works out the places from env, touching no file. On unix they follow
// the XDG Base Directory specification (which says that a relative value counts
// as unset), on Windows %AppData% for settings and %LocalAppData% for the rest,
// because a roaming profile should not carry gigabytes. The DRAGOMAN_ variables
// win; a relative path in one is an error, since the service and the command
// run in different folders.
func NewPaths(env Environment) (Paths, error) {
	p := Paths{Model: env.Getenv(EnvModel)}
	for _, place := range []struct {
		into     *string
		override string
		base     func(Environment) string
		below    []string
		what     string
	}{
		{&p.ConfigFile, EnvConfig, configBase, []string{"dragoman", "config.toml"}, "configuration file"},
		{&p.DataDir, EnvData, dataBase, []string{"dragoman"}, "data folder"},
		{&p.CacheDir, EnvCache, cacheBase, below(env.GOOS, "cache"), "cache folder"},
		{&p.StateDir, EnvState, stateBase, below(env.GOOS, "state"), "state folder"},
		{&p.RuntimeDir, EnvRuntime, runtimeBase, []string{"dragoman"}, "runtime folder"},
	} {
		if value := env.Getenv(place.override); value != "" {
			if !absolute(env.GOOS, value) {
				return Paths{}, fmt.Errorf("%s=%s: give an absolute path for the %s", place.override, value, place.what)
			}
			*place.into = value
			continue
		}
		base := place.base(env)
		if base == "" && place.override == EnvRuntime {
			p.RuntimeDir = join(env.GOOS, p.StateDir, "run")
			continue
		}
		if base == "" {
			return Paths{}, fmt.Errorf("no place for the %s: this process has no home folder: set HOME or %s", place.what, place.override)
		}
		*place.into = join(env.GOOS, append([]string{base}, place.below...)...)
	}
	return p, nil
}

// below is where a folder is below its base: Windows has one base for several.
func below(goos, kind string) []string {
	if goos == "windows" {
		return []string{"dragoman", kind}
	}
	return []string{"dragoman"}
}

func configBase(env Environment) string {
	if env.GOOS == "windows" {
		return windowsBase(env, "AppData", "Roaming")
	}
	return xdgBase(env, "XDG_CONFIG_HOME", ".config")
}

func dataBase(env Environment) string {
	if env.GOOS == "windows" {
		return windowsBase(env, "LocalAppData", "Local")
	}
	return xdgBase(env, "XDG_DATA_HOME", ".local", "share")
}

func cacheBase(env Environment) string {
	if env.GOOS == "windows" {
		return windowsBase(env, "LocalAppData", "Local")
	}
	return xdgBase(env, "XDG_CACHE_HOME", ".cache")
}

func stateBase(env Environment) string {
	if env.GOOS == "windows" {
		return windowsBase(env, "LocalAppData", "Local")
	}
	return xdgBase(env, "XDG_STATE_HOME", ".local", "state")
}

// runtimeBase is empty where the system has no such folder: before systemd, and
// on Windows, whose pipes have no place among the files.
func runtimeBase(env Environment) string {
	if value := env.Getenv("XDG_RUNTIME_DIR"); env.GOOS != "windows" && absolute(env.GOOS, value) {
		return value
	}
	return ""
}

func xdgBase(env Environment, variable string, belowHome ...string) string {
	if value := env.Getenv(variable); absolute(env.GOOS, value) {
		return value
	}
	if env.Home == "" {
		return ""
	}
	return join(env.GOOS, append([]string{env.Home}, belowHome...)...)
}

func windowsBase(env Environment, variable, belowHome string) string {
	if value := env.Getenv(variable); absolute(env.GOOS, value) {
		return value
	}
	if env.Home == "" {
		return ""
	}
	return join(env.GOOS, env.Home, "AppData", belowHome)
}

// join and absolute know both systems, so that the paths of Windows can be
// worked out and tested on any machine; path/filepath only knows its own.
func join(goos string, parts ...string) string {
	separator := "/"
	if goos == "windows" {
		separator = `\`
	}
	base := strings.TrimRight(parts[0], `/`)
	if goos == "windows" {
		base = strings.TrimRight(parts[0], `/\`)
	}
	return base + separator + strings.Join(parts[1:], separator)
}

func absolute(goos, path string) bool {
	if goos != "windows" {
		return strings.HasPrefix(path, "/")
	}
	if strings.HasPrefix(path, `\\`) {
		return true
	}
	if len(path) < 3 || path[1] != ':' || (path[2] != '\\' && path[2] != '/') {
		return false
	}
	letter := path[0] | 0x20
	return letter >= 'a' && letter <= 'z'
}
