package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/BurntSushi/toml"
)

// Config is the content of config.toml. Every setting may be left out.
type Config struct {
	Inference Inference `toml:"inference"`
	Cache     Cache     `toml:"cache"`
}

// Inference says what translates and where.
type Inference struct {
	// Runtime is OpenVINO's folder or its C library; "" looks in the usual
	// places. A relative path counts from the configuration file's folder.
	Runtime string `toml:"runtime"`
	// Model is a model's folder or name; "" is DefaultModel. A relative path
	// counts from the configuration file's folder.
	Model string `toml:"model"`
	// Encoder is where the encoder runs: CPU or CPU-static; "" leaves the choice
	// to dragoman.
	Encoder string `toml:"encoder"`
	// Threads is how many of the processor's threads inference may use; 0
	// leaves the choice to the runtime.
	Threads int `toml:"threads"`
}

// Cache bounds what may be kept on disk for speed only.
type Cache struct {
	// QuotaMB is how many megabytes (10^6 bytes) compiled models may take.
	QuotaMB int64 `toml:"quota_mb"`
}

// MaxThreads is a sanity bound: more than any machine that dragoman is for.
const MaxThreads = 1024

// Default returns the settings of a machine without a configuration file.
func Default() Config {
	return Config{Cache: Cache{QuotaMB: 4096}}
}

// Load reads the configuration file at path on top of Default. A file that is
// not there gives Default. Keys that dragoman does not know and values that
// cannot be right are errors that name the file, the key and, where it can be
// told, the line.
func Load(path string) (Config, error) {
	c := Default()
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return Config{}, fmt.Errorf("read configuration: %w", err)
	}
	meta, err := toml.Decode(string(text), &c)
	if err != nil {
		return Config{}, syntaxError(path, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return Config{}, fmt.Errorf("%s: unknown key %s: remove it; there are inference.runtime, .model, .encoder and .threads, and cache.quota_mb",
			place(path, lineOf(string(text), unknown[0])), unknown[0])
	}
	if key, problem := c.check(); problem != "" {
		return Config{}, fmt.Errorf("%s: %s: %s", place(path, lineOf(string(text), key)), key, problem)
	}
	c.Inference.Encoder = canonicalDevice(c.Inference.Encoder)
	base := filepath.Dir(path)
	c.Inference.Runtime = below(base, c.Inference.Runtime)
	if isPath(c.Inference.Model) {
		c.Inference.Model = below(base, c.Inference.Model)
	}
	return c, nil
}

// check returns the first key with a value that cannot be right and what is
// wrong with it.
func (c Config) check() (toml.Key, string) {
	if d := c.Inference.Encoder; d != "" && canonicalDevice(d) == "" {
		return toml.Key{"inference", "encoder"}, fmt.Sprintf("this version does not run on %q: use CPU or CPU-static, or leave it empty", d)
	}
	if t := c.Inference.Threads; t < 0 || t > MaxThreads {
		return toml.Key{"inference", "threads"}, fmt.Sprintf("%d is out of range: use 1 to %d, or 0 for the runtime's choice", t, MaxThreads)
	}
	if c.Cache.QuotaMB < 1 {
		return toml.Key{"cache", "quota_mb"}, fmt.Sprintf("%d is out of range: use 1 or more megabytes", c.Cache.QuotaMB)
	}
	return nil, ""
}

// devices are what the encoder can run on. AUTO, MULTI and HETERO will not be
// among them: they hide why a device was not used, and dragoman has to be able
// to say so.
var devices = []string{"CPU", "CPU-static"}

// canonicalDevice returns the runtime's spelling of a device, "" for what is none.
func canonicalDevice(device string) string {
	for _, d := range devices {
		if strings.EqualFold(d, device) {
			return d
		}
	}
	return ""
}

func below(base, path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(base, path)
}

func place(path string, line int) string {
	if line == 0 {
		return path
	}
	return fmt.Sprintf("%s:%d", path, line)
}

func syntaxError(path string, err error) error {
	var parse toml.ParseError
	if !errors.As(err, &parse) {
		return fmt.Errorf("%s: %w: correct the value, or remove the line for the default", path, err) // a wrong type: its text has line and key
	}
	key := parse.LastKey
	if key != "" {
		key += ": "
	}
	return fmt.Errorf("%s: %s%s: correct the line, or remove the file for the defaults", place(path, parse.Position.Line), key, parse.Message)
}

// lineOf returns the line (from 1) on which key stands, 0 if it cannot be told:
// the TOML library keeps the positions of keys to itself. A look-alike inside a
// multi-line string may be taken for the key; only the number would be wrong.
func lineOf(text string, key toml.Key) int {
	want := strings.Join(key, ".")
	table := ""
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			name, _, _ := strings.Cut(strings.TrimLeft(line, "["), "]")
			if table = plainKey(name); table == want {
				return i + 1
			}
			continue
		}
		name, _, found := strings.Cut(line, "=")
		if !found {
			continue
		}
		full := plainKey(name)
		if table != "" {
			full = table + "." + full
		}
		if full == want {
			return i + 1
		}
	}
	return 0
}

func plainKey(key string) string {
	parts := strings.Split(key, ".")
	for i, part := range parts {
		parts[i] = strings.Trim(strings.TrimSpace(part), `"'`)
	}
	return strings.Join(parts, ".")
}
