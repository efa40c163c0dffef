package config_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

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
	want := config.Default()
	want.Inference = config.Inference{
		Runtime: filepath.Join(filepath.Dir(path), "openvino", "libs"),
		Model:   "m2m100_418M", Encoder: "CPU-static", Threads: 4, Weights: "int8",
	}
	want.Cache.QuotaMB = 100
	require.Equal(t, want, got)
}

func TestLoadOfEveryTable(t *testing.T) {
	path := write(t, `
history = { enabled = false, days = 0, max_mb = 7 }
memory.enabled = false
memory . "max_mb" = 1_000
[queue]
interactive = 1
batch = 0x10
workers = 2
['folders']
rescan = "1h30m"
poll = '5s'
quiet = "250ms"
[api]
max_clients = 3
group = "dragoman"
[libretranslate]
enabled = true
address = "LocalHost:05000"
api_key = "0123456789abcdef"
origins = [
  "HTTPS://Example.org:443/", # twice the same
  "https://example.org",
  "moz-extension://0f3c",
]
hosts = ["Translate.Example.org.", "[::1]"]
char_limit = 500
[clipboard]
watch = "EVERY"
to = "es"
other = "en"
two_way = true
replace = true
window = "800ms"
max_kb = 50
exclude = ["keepassxc", "keepassxc", "Bitwarden.exe"]
[tray]
notifications = false
show_text = false
battery_pause = true
language = "de"
hotkey = "Ctrl+Alt+T"
[power]
on_battery = "RUN"
saver = "wait"
hot = "slow"
[log]
level = "WARN"
file = "dragoman.log"
[inference]
weights = "F32"
`)
	got, err := config.Load(path)
	require.NoError(t, err)
	want := config.Config{
		Inference: config.Inference{Weights: "f32"},
		Models:    config.Models{Allowed: []string{}},
		Cache:     config.Cache{QuotaMB: 4096},
		History:   config.History{MaxMB: 7},
		Memory:    config.Memory{MaxMB: 1000},
		Queue:     config.Queue{Interactive: 1, Batch: 16, Workers: 2},
		Folders:   config.Folders{Rescan: 90 * time.Minute, Poll: 5 * time.Second, Quiet: 250 * time.Millisecond},
		API:       config.API{MaxClients: 3, Group: "dragoman"},
		LibreTranslate: config.LibreTranslate{
			Enabled: true, Address: "localhost:5000", APIKey: "0123456789abcdef",
			Origins:   []string{"https://example.org", "moz-extension://0f3c"},
			Hosts:     []string{"translate.example.org", "::1"},
			CharLimit: 500,
		},
		Clipboard: config.Clipboard{
			Watch: "every", To: "es", Other: "en", TwoWay: true, Replace: true, Window: 800 * time.Millisecond, MaxKB: 50,
			Exclude: []string{"keepassxc", "Bitwarden.exe"},
		},
		Tray:  config.Tray{Language: "de", BatteryPause: true, Hotkey: "Ctrl+Alt+T"},
		Power: config.Power{OnBattery: "run", Saver: "wait", Hot: "slow", Measure: true},
		Log:   config.Log{Level: "warn", File: filepath.Join(filepath.Dir(path), "dragoman.log")},
	}
	require.Equal(t, want, got)
	require.Equal(t, "wait", got.PaceOnBattery(), "tray.battery_pause says so")
}

func TestDefault(t *testing.T) {
	d := config.Default()
	require.Equal(t, config.History{Enabled: true, Days: 90, MaxMB: 200}, d.History)
	require.Equal(t, config.Memory{Enabled: true, MaxMB: 200}, d.Memory)
	require.Equal(t, config.Queue{Interactive: 64, Batch: 10_000}, d.Queue)
	require.Equal(t, config.Folders{Rescan: 15 * time.Minute, Poll: 30 * time.Second, Quiet: time.Second}, d.Folders)
	require.Equal(t, "127.0.0.1:5000", d.LibreTranslate.Address)
	require.Equal(t, config.Clipboard{Watch: "double", Window: time.Second, MaxKB: 200, Exclude: []string{}}, d.Clipboard)
	require.Equal(t, config.Tray{Notifications: true, ShowText: true}, d.Tray)
	require.Equal(t, config.Power{OnBattery: "slow", Saver: "slow", Hot: "slow", Measure: true}, d.Power)
	require.Equal(t, "slow", d.PaceOnBattery())
	require.False(t, d.LibreTranslate.Enabled)

	d.LibreTranslate.Origins = append(d.LibreTranslate.Origins, "https://example.org")
	require.Empty(t, config.Default().LibreTranslate.Origins, "one default does not change the next")
	require.Equal(t, []string{"libretranslate.origins"}, config.Differences(config.Default(), d))
}

func TestLoadTakesAByteOrderMark(t *testing.T) {
	got, err := config.Load(write(t, "\xEF\xBB\xBF[inference]\r\nthreads = 3\r\n"))
	require.NoError(t, err)
	require.Equal(t, 3, got.Inference.Threads)
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
		"unknown key":              {"[inference]\n\nmodle = 'x'\n", ":3: inference.modle: unknown key: did you mean inference.model?"},
		"unknown table":            {"\n[inferense]\nmodel = 'x'\n", ":2: inferense: unknown key: did you mean inference?"},
		"unknown dotted key":       {"# c\ncache . \"size\" = 1\n", ":2: cache.size: unknown key: remove it; in [cache] there are quota_mb"},
		"unknown in a oneline":     {"\ncache = { size = 1 }\n", ":2: cache.size: unknown key"},
		"nothing like it":          {"[colours]\nred = 1\n", ":1: colours: unknown key: remove it; there are the tables inference, models, cache, "},
		"key without its table":    {"threads = 4\n", ":1: threads: unknown key: did you mean inference.threads?"},
		"key in the wrong table":   {"[cache]\nthreads = 4\n", ":2: cache.threads: unknown key: did you mean inference.threads?"},
		"swapped letters":          {"[history]\nmax_bm = 4\n", ":2: history.max_bm: unknown key: did you mean history.max_mb?"},
		"quoted dot":               {"'inference.threads' = 4\n", ":1: \"inference.threads\": unknown key: did you mean inference.threads?"},
		"inside a value":           {"[inference]\nthreads.x = 4\n", ":2: inference.threads.x: unknown key: did you mean inference.threads?"},
		"value for a table":        {"inference = 3\n", ":1: inference: this is a table of settings, not a value: write [inference]"},
		"table for a value":        {"\n[inference.threads]\n", ":2: inference.threads: this is a value, not a table: write inference.threads = 0"},
		"oneline table for value":  {"inference.threads = {}\n", ":1: inference.threads: a table is not a whole number: use a whole number from 0 to 1024"},
		"list of tables":           {"[[inference]]\nthreads = 3\n", ":1: inference: there is one such table only: write [inference]"},
		"list of inline tables":    {"inference = [{threads = 3}]\n", ":1: inference: this is a table of settings"},
		"wrong type":               {"[inference]\nthreads = 'many'\n", ":2: inference.threads: \"many\" is not a whole number: use a whole number from 0 to 1024"},
		"float":                    {"[inference]\nthreads = 4.0\n", ":2: inference.threads: 4 is not a whole number"},
		"date":                     {"[log]\nlevel = 2026-01-01\n", ":2: log.level: a date or time is not a string: use debug, info, warn or error"},
		"word for a switch":        {"[history]\nenabled = 'yes'\n", ":2: history.enabled: \"yes\" is not true or false: use true or false"},
		"list of numbers":          {"[libretranslate]\nhosts = ['a',\n 3]\n", ":2: libretranslate.hosts: [\"a\", 3] is not a list of strings"},
		"duration without a unit":  {"[folders]\nrescan = '15'\n", ":2: folders.rescan: \"15\" is not a duration: use a time from 1s to 168h, such as \"90s\""},
		"duration as a number":     {"[folders]\nrescan = 15\n", ":2: folders.rescan: 15 is not a duration"},
		"duration out of range":    {"[folders]\npoll = '1ms'\n", ":2: folders.poll: \"1ms\" is out of range: use a time from 1s to 24h"},
		"not TOML":                 {"[inference]\nmodel = \n", ":2: a value is missing: correct it"},
		"half a string":            {"[inference]\nmodel = 'x\n", ":2: literal strings cannot have new lines"},
		"twice":                    {"[cache]\nquota_mb = 1\nquota_mb = 2\n", ":3: quota_mb: "},
		"table twice":              {"[cache]\n[log]\n[cache]\n", ":3: cache: "},
		"UTF-16":                   {"\xFF\xFE[\x00", ": the file is in UTF-16: save it as UTF-8"},
		"device":                   {"[inference]\nmodel = ''\nencoder = 'AUTO:NPU'\n", ":3: inference.encoder: \"AUTO:NPU\" is not among the choices: use NPU, GPU, CPU or CPU-static, or \"\""},
		"threads":                  {"[inference]\nthreads = -1\n", ":2: inference.threads: -1 is out of range"},
		"too many threads":         {"[inference]\nthreads = 5000\n", ":2: inference.threads: 5000 is out of range"},
		"quota":                    {"[cache]\nquota_mb = 0\n", ":2: cache.quota_mb: 0 is out of range"},
		"beyond 64 bits":           {"[cache]\nquota_mb = 99999999999999999999\n", ":2: "},
		"weights":                  {"[inference]\nweights = 'int3'\n", ":2: inference.weights: \"int3\" is not among the choices: use int8, int4 or f32"},
		"hub":                      {"[models]\nhub = 'hub.example'\n", ":2: models.hub: \"hub.example\" is not such an address: use an address that begins with https:// or http://"},
		"group":                    {"[api]\ngroup = 'a:b'\n", ":2: api.group: \"a:b\" cannot be a group's name"},
		"wildcard address":         {"[libretranslate]\naddress = '0.0.0.0:5000'\n", ":2: libretranslate.address: \"0.0.0.0:5000\" would serve everyone on the network: use a loopback address"},
		"wildcard without address": {"[libretranslate]\naddress = ':5000'\n", "would serve everyone on the network"},
		"wildcard of IPv6":         {"[libretranslate]\naddress = '[::]:5000'\n", "would serve everyone on the network"},
		"mapped wildcard":          {"[libretranslate]\naddress = '[::ffff:0.0.0.0]:5000'\n", "would serve everyone on the network"},
		"LAN address":              {"[libretranslate]\naddress = '192.168.1.10:5000'\n", "can be reached from the network"},
		"address by name":          {"[libretranslate]\naddress = 'example.org:5000'\n", "names a host that may lead away from this machine"},
		"address without port":     {"[libretranslate]\naddress = '127.0.0.1'\n", "is not a host and a port"},
		"no language":              {"[clipboard]\nto = 'Spanish'\n", ":2: clipboard.to: \"Spanish\" is no language's code"},
		"program with a folder":    {"[clipboard]\nexclude = ['/usr/bin/x']\n", "is not the name of a program's file without its folder"},
		"address with a bad port":  {"[libretranslate]\naddress = '127.0.0.1:70000'\n", "has no port from 0 to 65535"},
		"origin of all":            {"[libretranslate]\norigins = ['*']\n", "\"*\" would let every page of the web read what is translated"},
		"origin of none":           {"[libretranslate]\norigins = ['null']\n", "\"null\" is what any sandboxed page claims to be"},
		"origin with a path":       {"[libretranslate]\norigins = ['https://example.org/a']\n", "has more than scheme, host and port"},
		"origin without scheme":    {"[libretranslate]\norigins = ['example.org']\n", "is not an origin"},
		"origin with a wildcard":   {"[libretranslate]\norigins = ['https://*.example.org']\n", "is not an origin"},
		"host with a port":         {"[libretranslate]\nhosts = ['example.org:80']\n", "is not the name of a host"},
	} {
		t.Run(name, func(t *testing.T) {
			path := write(t, test.text)
			_, err := config.Load(path)
			require.ErrorContains(t, err, path+":")
			require.ErrorContains(t, err, test.want)
			var content *config.ContentError
			require.ErrorAs(t, err, &content)
			require.Equal(t, path, content.File)
		})
	}
}

func TestLoadDoesNotShowSecrets(t *testing.T) {
	for _, text := range []string{
		"[libretranslate]\napi_key = 'tooshort'\n", "[libretranslate]\napi_key = 'tooshort but with spaces'\n",
		"[libretranslate]\napi_key = ['tooshort']\n", "[libretranslate]\napi_key = tooshort\n",
	} {
		_, err := config.Load(write(t, text))
		require.ErrorContains(t, err, ":2: ")
		require.NotContains(t, err.Error(), "tooshort")
	}
}

func TestLoadOfAFolder(t *testing.T) {
	_, err := config.Load(t.TempDir())
	require.ErrorContains(t, err, "read configuration: ")
}

func TestReadTakesTheEnvironment(t *testing.T) {
	path := write(t, "[inference]\nthreads = 4\nweights = 'f32'\n[libretranslate]\napi_key = '0123456789abcdef'\n")
	absolute := t.TempDir()
	env := map[string]string{
		"DRAGOMAN_INFERENCE_THREADS": "7", "DRAGOMAN_INFERENCE_MODEL": "small-100", "DRAGOMAN_LOG_FILE": filepath.Join(absolute, "log"),
		"DRAGOMAN_HISTORY_ENABLED": "false", "DRAGOMAN_FOLDERS_POLL": "2m", "DRAGOMAN_LIBRETRANSLATE_HOSTS": "a.example, b.example",
		"DRAGOMAN_LIBRETRANSLATE_ORIGINS": `["https://a.example"]`, "DRAGOMAN_INFERENCE_WEIGHTS": "",
	}
	s, err := config.Read(path, func(name string) string { return env[name] })
	require.NoError(t, err)
	require.Equal(t, 7, s.Inference.Threads)
	require.Equal(t, "f32", s.Inference.Weights, "an empty variable counts as unset")
	require.Equal(t, "small-100", s.Inference.Model)
	require.False(t, s.History.Enabled)
	require.Equal(t, 2*time.Minute, s.Folders.Poll)
	require.Equal(t, []string{"a.example", "b.example"}, s.LibreTranslate.Hosts)
	require.Equal(t, []string{"https://a.example"}, s.LibreTranslate.Origins)

	require.Equal(t, config.SourceEnvironment, s.Source("inference.threads"))
	require.Equal(t, config.SourceFile, s.Source("inference.weights"))
	require.Equal(t, config.SourceDefault, s.Source("inference.encoder"))

	all := map[string]config.Setting{}
	for _, setting := range s.All() {
		all[setting.Key.Name] = setting
	}
	require.Len(t, all, len(config.Keys()))
	require.Equal(t, "7", all["inference.threads"].Value)
	require.Equal(t, `"2m"`, all["folders.poll"].Value)
	require.Equal(t, `["a.example", "b.example"]`, all["libretranslate.hosts"].Value)
	require.Empty(t, all["libretranslate.api_key"].Value, "secret")

	key, _ := config.Find("libretranslate.hosts")
	require.Equal(t, "a.example\nb.example", s.Plain(key))
	key, _ = config.Find("libretranslate.api_key")
	require.Equal(t, "0123456789abcdef", s.Plain(key), "asked for")
}

func TestReadRefusesAWrongEnvironment(t *testing.T) {
	for variable, test := range map[string]struct{ value, want string }{
		"DRAGOMAN_INFERENCE_THREADS":      {"many", `"many" is not a whole number: use a whole number from 0 to 1024`},
		"DRAGOMAN_CACHE_QUOTA_MB":         {"0", "0 is out of range"},
		"DRAGOMAN_HISTORY_ENABLED":        {"1", `"1" is neither true nor false: use true or false`},
		"DRAGOMAN_FOLDERS_RESCAN":         {"soon", `"soon" is not a duration`},
		"DRAGOMAN_LIBRETRANSLATE_ORIGINS": {"[1", `"[1" is not one value of TOML`},
		"DRAGOMAN_INFERENCE_RUNTIME":      {"openvino", "DRAGOMAN_INFERENCE_RUNTIME=openvino: give an absolute path"},
		"DRAGOMAN_INFERENCE_MODEL":        {"./small", "DRAGOMAN_INFERENCE_MODEL=./small: give an absolute path"},
		"DRAGOMAN_LIBRETRANSLATE_API_KEY": {"abc", "the value has 3 characters: use 16 to 256"},
	} {
		t.Run(variable, func(t *testing.T) {
			_, err := config.Read(filepath.Join(t.TempDir(), "config.toml"), func(name string) string {
				if name == variable {
					return test.value
				}
				return ""
			})
			require.ErrorContains(t, err, "environment variable "+variable)
			require.ErrorContains(t, err, test.want)
		})
	}
}

func TestLoadReadsThisProcessesEnvironment(t *testing.T) {
	t.Setenv("DRAGOMAN_QUEUE_WORKERS", "3")
	got, err := config.Load(filepath.Join(t.TempDir(), "config.toml"))
	require.NoError(t, err)
	require.Equal(t, 3, got.Queue.Workers)
}

func TestEveryKeyIsWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range config.Keys() {
		require.False(t, seen[k.Name], k.Name)
		seen[k.Name] = true
		require.Regexp(t, `^[a-z]+\.[a-z_]+$`, k.Name)
		require.Regexp(t, `^[A-Z].*\.$`, k.Help, k.Name)
		require.NotEmpty(t, k.Allowed, k.Name)
		require.NotContains(t, k.Allowed, "\n", k.Name)
		for _, value := range k.Values {
			_, err := k.Parse(value)
			require.NoError(t, err, k.Name)
		}
	}
	key, found := config.Find("libretranslate.api_key")
	require.True(t, found)
	require.Equal(t, "DRAGOMAN_LIBRETRANSLATE_API_KEY", key.Env())
	_, found = config.Find("libretranslate")
	require.False(t, found)
}
