package config_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"dragoman/daemon/config"
	"dragoman/internal/usertest"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/require"
)

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}

func TestSetKeepsTheRest(t *testing.T) {
	for name, test := range map[string]struct{ before, key, value, after string }{
		"value in its place": {
			"[inference]\nthreads = 4 # my laptop\nmodel = 'x'\n", "inference.threads", "8",
			"[inference]\nthreads = 8 # my laptop\nmodel = 'x'\n",
		},
		"layout around the value": {
			"[ inference ]\r\n\tthreads=4\r\n", "inference.threads", "8",
			"[ inference ]\r\n\tthreads=8\r\n",
		},
		"dotted key": {
			"cache . \"quota_mb\"  =  1\n", "cache.quota_mb", "2",
			"cache . \"quota_mb\"  =  2\n",
		},
		"inline table": {
			"cache = {quota_mb = 1}\nhistory = { days = 1, enabled = true } # h\n", "history.days", "2",
			"cache = {quota_mb = 1}\nhistory = { days = 2, enabled = true } # h\n",
		},
		"new in an inline table": {
			"history = { days = 1 }\n", "history.enabled", "false",
			"history = { days = 1, enabled = false }\n",
		},
		"new in an empty inline table": {
			"history = {}\n", "history.enabled", "false",
			"history = { enabled = false }\n",
		},
		"new in an inline table of several lines": {
			"history = {\n  days = 1, # c\n}\n", "history.enabled", "false",
			"history = {\n  days = 1, enabled = false, # c\n}\n",
		},
		"list of several lines": {
			"[libretranslate]\nhosts = [\n  'a',\n  'b',\n]\nenabled = true\n", "libretranslate.hosts", "['c']",
			"[libretranslate]\nhosts = [\"c\"]\nenabled = true\n",
		},
		"string of several lines": {
			"[inference]\nmodel = '''\nx'''\nthreads = 1\n", "inference.model", "'y'",
			"[inference]\nmodel = \"y\"\nthreads = 1\n",
		},
		"new in a table": {
			"[inference]\n  # indented\n  threads = 4 # c\n\n[cache]\nquota_mb = 1\n", "inference.model", "'x'",
			"[inference]\n  # indented\n  threads = 4 # c\n  model = \"x\"\n\n[cache]\nquota_mb = 1\n",
		},
		"new in an empty table at the end": {
			"[inference]", "inference.model", "'x'",
			"[inference]\nmodel = \"x\"\n",
		},
		"new below its commented default": {
			"[inference]\n#model = ''\n# about threads\n# threads = 0\n\n# more\n#weights = 'int8'\n", "inference.threads", "2",
			"[inference]\n#model = ''\n# about threads\n# threads = 0\nthreads = 2\n\n# more\n#weights = 'int8'\n",
		},
		"a comment in a string is none": {
			"[inference]\nmodel = '''\n#threads = 1\n'''\n", "inference.threads", "2",
			"[inference]\nmodel = '''\n#threads = 1\n'''\nthreads = 2\n",
		},
		"new table": {
			"[cache]\r\nquota_mb = 1", "inference.model", "'x'",
			"[cache]\r\nquota_mb = 1\r\n\r\n[inference]\r\nmodel = \"x\"\r\n",
		},
		"new table in an empty file": {
			"", "inference.model", "'x'",
			"[inference]\nmodel = \"x\"\n",
		},
		"new beside dotted keys": {
			"inference.threads = 2\ncache.quota_mb = 3\n[log]\nlevel = 'warn'\n", "inference.model", "'x'",
			"inference.threads = 2\ninference.model = \"x\"\ncache.quota_mb = 3\n[log]\nlevel = 'warn'\n",
		},
		"byte order mark": {
			"\xEF\xBB\xBF[cache]\nquota_mb = 1\n", "cache.quota_mb", "2",
			"\xEF\xBB\xBF[cache]\nquota_mb = 2\n",
		},
		"Windows path": {
			"[inference]\nruntime = \"\"\n", "inference.runtime", `'C:\OpenVINO\bin'`,
			"[inference]\nruntime = 'C:\\OpenVINO\\bin'\n",
		},
		"canonical value": {
			"[log]\nlevel = 'info'\n", "log.level", "'DEBUG'",
			"[log]\nlevel = \"debug\"\n",
		},
		"a wrong value is put right": {
			"[inference]\nthreads = 'many' # ?\n", "inference.threads", "1",
			"[inference]\nthreads = 1 # ?\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := write(t, test.before)
			require.NoError(t, config.Set(path, test.key, &test.value))
			require.Equal(t, test.after, read(t, path))
			require.NoError(t, config.Set(path, test.key, &test.value), "again")
			require.Equal(t, test.after, read(t, path), "a second time changes nothing")
		})
	}
}

func TestUnsetKeepsTheRest(t *testing.T) {
	for name, test := range map[string]struct{ before, key, after string }{
		"line":               {"[inference]\nthreads = 4\nmodel = 'x'\n", "inference.threads", "[inference]\nmodel = 'x'\n"},
		"with blanks":        {"[inference]\r\n\tthreads = 4  \r\n\tmodel = 'x'\r\n", "inference.threads", "[inference]\r\n\tmodel = 'x'\r\n"},
		"last line":          {"[inference]\nthreads = 4", "inference.threads", "[inference]\n"},
		"comment behind it":  {"[inference]\n  threads = 4 # my laptop\n", "inference.threads", "[inference]\n  # my laptop\n"},
		"dotted key":         {"inference.threads = 4\ncache.quota_mb = 1\n", "inference.threads", "cache.quota_mb = 1\n"},
		"list of lines":      {"[libretranslate]\nhosts = [\n 'a',\n]\nenabled = true\n", "libretranslate.hosts", "[libretranslate]\nenabled = true\n"},
		"first in oneline":   {"history = { days = 1, enabled = true }\n", "history.days", "history = { enabled = true }\n"},
		"middle of oneline":  {"history = { days = 1, enabled = true, max_mb = 3 }\n", "history.enabled", "history = { days = 1, max_mb = 3 }\n"},
		"last of oneline":    {"history = { days = 1, enabled = true }\n", "history.enabled", "history = { days = 1 }\n"},
		"only one":           {"history = { days = 1 }\n", "history.days", "history = { }\n"},
		"only one and comma": {"history = { days = 1, }\n", "history.days", "history = { }\n"},
		"not there":          {"[inference]\nmodel = 'x'\n", "inference.threads", "[inference]\nmodel = 'x'\n"},
		"unknown key":        {"[inference]\nmodle = 'x'\nthreads = 1\n", "inference.modle", "[inference]\nthreads = 1\n"},
		"unknown at the top": {"modle = 'x'\n[cache]\n", "modle", "[cache]\n"},
	} {
		t.Run(name, func(t *testing.T) {
			path := write(t, test.before)
			require.NoError(t, config.Set(path, test.key, nil))
			require.Equal(t, test.after, read(t, path))
		})
	}
}

func TestSetRefusesAndLeavesTheFile(t *testing.T) {
	text := func(s string) *string { return &s }
	for name, test := range map[string]struct {
		before, key string
		value       *string
		want        string
	}{
		"unknown key":           {"", "inference.modle", text("'x'"), "there is no setting inference.modle: did you mean inference.model?"},
		"unknown key, unset":    {"", "inference.modle", nil, "there is no setting inference.modle: did you mean inference.model?"},
		"a table":               {"", "cache", text("1"), "cache is a table of settings, name one of it: cache.quota_mb"},
		"nothing like it":       {"", "cache.place", text("1"), "there is no setting cache.place, only cache.quota_mb"},
		"no such table":         {"", "nosuch", nil, "there is no setting nosuch: `dragoman config get` shows all"},
		"another table":         {"", "inference", text("1"), "inference is a table of settings, name one of it: inference.runtime, inference.model, "},
		"wrong value":           {"", "inference.threads", text("-1"), "inference.threads: -1 is out of range"},
		"wrong type":            {"", "inference.threads", text("'4'"), `inference.threads: "4" is not a whole number`},
		"no value":              {"", "inference.threads", text(""), "is not one value of TOML"},
		"more than a value":     {"", "inference.threads", text("1\nmodel = 'x'"), "is not one value of TOML"},
		"a value and a table":   {"", "inference.threads", text("1\n[cache]"), "is not one value of TOML"},
		"broken file":           {"[inference]\nmodel = 'x\n", "inference.threads", text("1"), ":2: literal strings cannot have new lines"},
		"another mistake":       {"[inference]\nmodle = 'x'\n", "inference.threads", text("1"), ":2: inference.modle: unknown key"},
		"comments in the value": {"[libretranslate]\nhosts = [\n 'a', # one\n]\n", "libretranslate.hosts", text("[]"), "there are comments within the value"},
		"comments, unset":       {"[libretranslate]\nhosts = [\n 'a', # one\n]\n", "libretranslate.hosts", nil, "there are comments within the value"},
		"comment between":       {"history = {\n days = 1, # a\n enabled = true,\n}\n", "history.days", nil, "cannot be changed safely: use `dragoman config edit`"},
		"value for a table":     {"inference = 3\n", "inference.threads", text("1"), "cannot be changed safely"},
	} {
		t.Run(name, func(t *testing.T) {
			path := write(t, test.before)
			err := config.Set(path, test.key, test.value)
			require.ErrorContains(t, err, test.want)
			require.Equal(t, test.before, read(t, path))
			require.Equal(t, []string{"config.toml"}, visible(t, filepath.Dir(path)))
		})
	}
}

func TestSetAllIsOneChange(t *testing.T) {
	path := write(t, "[cache]\nquota_mb = 1\n")
	good, bad := "3", "-1"
	require.Error(t, config.SetAll(path, map[string]*string{"cache.quota_mb": &good, "inference.threads": &bad}))
	require.Equal(t, "[cache]\nquota_mb = 1\n", read(t, path))
	require.NoError(t, config.SetAll(path, map[string]*string{"cache.quota_mb": nil, "inference.threads": &good}))
	require.Equal(t, "[cache]\n\n[inference]\nthreads = 3\n", read(t, path))
}

func TestSetBeginsTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "config.toml")
	require.NoError(t, config.Set(path, "inference.threads", nil))
	_, err := os.Stat(path)
	require.ErrorIs(t, err, fs.ErrNotExist, "nothing to take out")

	value := "2"
	require.NoError(t, config.Set(path, "inference.threads", &value))
	want := strings.Replace(string(config.DefaultFile()), "#threads = 0\n", "#threads = 0\nthreads = 2\n", 1)
	require.Equal(t, want, read(t, path))
	require.NoError(t, config.Set(path, "inference.threads", nil))
	require.Equal(t, string(config.DefaultFile()), read(t, path))
	if runtime.GOOS == "windows" {
		return
	}
	for name, mode := range map[string]fs.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		info, err := os.Stat(name)
		require.NoError(t, err)
		require.Equal(t, mode, info.Mode().Perm(), name)
	}
}

func TestSetKeepsModeAndLink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes and links are of unix")
	}
	path := write(t, "[cache]\nquota_mb = 1\n")
	require.NoError(t, os.Chmod(path, 0o640))
	link := filepath.Join(t.TempDir(), "config.toml")
	require.NoError(t, os.Symlink(path, link))
	value := "2"
	require.NoError(t, config.Set(link, "cache.quota_mb", &value))
	require.Equal(t, "[cache]\nquota_mb = 2\n", read(t, path))
	info, err := os.Lstat(link)
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&fs.ModeSymlink)
	info, err = os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o640), info.Mode().Perm())

	require.NoError(t, os.Remove(path))
	require.ErrorContains(t, config.Set(link, "cache.quota_mb", &value), "is a link to a file that is not there")
}

func TestSetInAFolderThatCannotBeWritten(t *testing.T) {
	path := write(t, "[cache]\nquota_mb = 1\n")
	usertest.Bind(t, filepath.Dir(path))
	require.NoError(t, os.Chmod(filepath.Dir(path), 0o500))
	value := "2"
	require.ErrorIs(t, config.Set(path, "cache.quota_mb", &value), fs.ErrPermission)
	require.Equal(t, "[cache]\nquota_mb = 1\n", read(t, path))
}

func TestReplace(t *testing.T) {
	path := write(t, "[cache]\nquota_mb = 1\n")
	old, good := []byte("[cache]\nquota_mb = 1\n"), []byte("[cache]\nquota_mb = 2\n")
	var content *config.ContentError
	require.ErrorAs(t, config.Replace(path, old, []byte("[cache]\nquota = 2\n")), &content)
	require.ErrorIs(t, config.Replace(path, good, good), config.ErrConflict)
	require.ErrorIs(t, config.Replace(path, nil, good), config.ErrConflict)
	require.Equal(t, string(old), read(t, path))
	require.NoError(t, config.Replace(path, old, good))
	require.Equal(t, string(good), read(t, path))

	missing := filepath.Join(t.TempDir(), "config.toml")
	require.NoError(t, config.Replace(missing, nil, good))
	require.Equal(t, string(good), read(t, missing))
}

// TestSetOfSeveralProcesses changes one key a process at the same time; with a
// lost update a key would have an old value at the end.
func TestSetOfSeveralProcesses(t *testing.T) {
	const times = 20
	if path := os.Getenv("DRAGOMAN_TEST_SET"); path != "" {
		for i := 1; i <= times; i++ {
			value := fmt.Sprint(i)
			require.NoError(t, config.Set(path, os.Getenv("DRAGOMAN_TEST_KEY"), &value))
		}
		return
	}
	path := filepath.Join(t.TempDir(), "config.toml")
	exe, err := os.Executable()
	require.NoError(t, err)
	var running []*exec.Cmd
	for _, key := range []string{"inference.threads", "queue.workers", "history.days"} {
		cmd := exec.CommandContext(t.Context(), exe, "-test.run", "^TestSetOfSeveralProcesses$")
		cmd.Env = append(os.Environ(), "DRAGOMAN_TEST_SET="+path, "DRAGOMAN_TEST_KEY="+key)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		require.NoError(t, cmd.Start())
		t.Cleanup(func() {
			if t.Failed() {
				t.Log(out.String())
			}
		})
		running = append(running, cmd)
	}
	var failed error
	for _, cmd := range running {
		failed = errors.Join(failed, cmd.Wait())
	}
	require.NoError(t, failed)
	got, err := config.Load(path)
	require.NoError(t, err)
	require.Equal(t, times, got.Inference.Threads)
	require.Equal(t, times, got.Queue.Workers)
	require.Equal(t, times, got.History.Days)
	require.ElementsMatch(t, []string{"config.toml", ".config.toml.lock"}, all(t, filepath.Dir(path)))
}

func TestSetWaitsForTheLock(t *testing.T) {
	path := write(t, "")
	lock := flock.New(filepath.Join(filepath.Dir(path), ".config.toml.lock"))
	require.NoError(t, lock.Lock())
	done := make(chan error, 1)
	go func() {
		value := "2"
		done <- config.Set(path, "cache.quota_mb", &value)
	}()
	require.Empty(t, read(t, path))
	require.NoError(t, lock.Unlock())
	require.NoError(t, <-done)
	require.Equal(t, "[cache]\nquota_mb = 2\n", read(t, path))
}

func all(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func visible(t *testing.T, dir string) []string {
	t.Helper()
	names := []string{}
	for _, name := range all(t, dir) {
		if !strings.HasPrefix(name, ".") {
			names = append(names, name)
		}
	}
	return names
}
