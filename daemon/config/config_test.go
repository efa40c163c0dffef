package config_test

import (
	"os"
	"path/filepath"
	"testing"

	"dragoman/daemon/config"

	"github.com/stretchr/testify/require"
)

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

func TestLoad(t *testing.T) {
	path := write(t, `
[inference]
runtime = "openvino/libs"
model = "m2m100_418M"
encoder = "cpu-STATIC"
threads = 4

[cache]
quota_mb = 100
`)
	got, err := config.Load(path)
	require.NoError(t, err)
	require.Equal(t, config.Config{
		Inference: config.Inference{
			Runtime: filepath.Join(filepath.Dir(path), "openvino", "libs"),
			Model:   "m2m100_418M", Encoder: "CPU-static", Threads: 4,
		},
		Cache: config.Cache{QuotaMB: 100},
	}, got)
}

func TestLoadKeepsTheDefaultsOfWhatIsLeftOut(t *testing.T) {
	missing, err := config.Load(filepath.Join(t.TempDir(), "config.toml"))
	require.NoError(t, err)
	require.Equal(t, config.Default(), missing)

	path := write(t, "inference.model = './models/small'\n")
	got, err := config.Load(path)
	require.NoError(t, err)
	require.Equal(t, config.Default().Cache, got.Cache)
	require.Equal(t, filepath.Join(filepath.Dir(path), "models", "small"), got.Inference.Model)

	absolute := t.TempDir()
	got, err = config.Load(write(t, "[inference]\nruntime = '"+absolute+"'\n"))
	require.NoError(t, err)
	require.Equal(t, absolute, got.Inference.Runtime)
}

func TestLoadRefuses(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"unknown key":          {"[inference]\n\nmodle = 'x'\n", ":3: unknown key inference.modle"},
		"unknown table":        {"\n[inferense]\nmodel = 'x'\n", ":2: unknown key inferense"},
		"unknown dotted key":   {"# c\ncache . \"size\" = 1\n", ":2: unknown key cache.size"},
		"unknown in a oneline": {"cache = { size = 1 }\n", "unknown key cache.size"},
		"wrong type":           {"[inference]\nthreads = 'many'\n", "line 2 (last key \"inference.threads\"): incompatible types"},
		"not TOML":             {"[inference]\nmodel = \n", ":2: inference.model: "},
		"twice":                {"[cache]\nquota_mb = 1\nquota_mb = 2\n", ":3: "},
		"device":               {"[inference]\nmodel = ''\nencoder = 'AUTO:NPU'\n", ":3: inference.encoder: this version does not run on \"AUTO:NPU\""},
		"threads":              {"[inference]\nthreads = -1\n", ":2: inference.threads: -1 is out of range"},
		"too many threads":     {"[inference]\nthreads = 5000\n", ":2: inference.threads: 5000 is out of range"},
		"quota":                {"[cache]\nquota_mb = 0\n", ":2: cache.quota_mb: 0 is out of range"},
	} {
		t.Run(name, func(t *testing.T) {
			path := write(t, test.text)
			_, err := config.Load(path)
			require.ErrorContains(t, err, path)
			require.ErrorContains(t, err, test.want)
		})
	}
}

func TestLoadOfAFolder(t *testing.T) {
	_, err := config.Load(t.TempDir())
	require.ErrorContains(t, err, "read configuration: ")
}
