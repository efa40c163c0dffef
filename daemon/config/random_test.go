package config_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dragoman/daemon/config"

	"github.com/stretchr/testify/require"
)

// values has some good values for every key, as TOML may write them.
var values = map[string][]string{
	"inference.runtime": {`""`, `'C:\x'`, "\"\"\"\n/opt/x\"\"\""}, "inference.model": {`"a # b"`, `'[cache]'`, "'''\nthreads = 3\n#threads = 4\n'''"},
	"models.hub":        {`"https://hub.example"`, `""`},
	"inference.encoder": {`"CPU"`, `""`}, "inference.decoder": {`"GPU"`, `""`}, "inference.threads": {"4", "0x1F", "1_000"}, "inference.weights": {`"f32"`, `'int8'`},
	"cache.quota_mb": {"1", "5000"}, "history.enabled": {"true", "false"}, "history.days": {"0", "9"}, "history.max_mb": {"1"},
	"memory.enabled": {"true", "false"}, "memory.max_mb": {"77"}, "queue.interactive": {"5"}, "queue.batch": {"6"}, "queue.workers": {"7"},
	"folders.rescan": {`"1h"`}, "folders.poll": {`'90s'`}, "folders.quiet": {`"2s"`}, "api.max_clients": {"9"}, "api.group": {`""`, `"users"`},
	"libretranslate.enabled": {"true"}, "libretranslate.address": {`"[::1]:5001"`}, "libretranslate.api_key": {`"0123456789#abcdef"`},
	"libretranslate.origins": {"[]", "[ 'https://a.example',\n\n\t\"http://b.example\" , ]"}, "libretranslate.hosts": {"['a']", "[\n]"},
	"clipboard.watch": {`"off"`, `"every"`}, "clipboard.to": {`"es"`, `""`}, "clipboard.other": {`'pt_BR'`}, "clipboard.two_way": {"true"},
	"clipboard.replace": {"true"}, "clipboard.window": {`"1.5s"`}, "clipboard.max_kb": {"1"}, "clipboard.exclude": {`["a", 'b c']`, "[]"},
	"tray.notifications": {"false"}, "tray.show_text": {"false"}, "tray.battery_pause": {"true"}, "tray.language": {`"de"`},
	"tray.hotkey":      {`"Ctrl+Alt+T"`},
	"power.on_battery": {`"wait"`, `'run'`}, "power.saver": {`"run"`}, "power.hot": {`"Wait"`}, "power.measure": {"false"},
	"telemetry.metrics":         {"true"},
	"models.allowed":            {"[]", `["starter", '/x/y']`},
	"libretranslate.char_limit": {"100"}, "log.level": {`"debug"`}, "log.file": {`"/x/y"`, `"a"`},
}

// randomFile writes a valid file in any of the ways that TOML has.
func randomFile(r *rand.Rand) string {
	chosen := map[string][]config.Key{}
	var tables []string
	for _, k := range config.Keys() {
		table, _, _ := strings.Cut(k.Name, ".")
		if _, known := chosen[table]; !known {
			chosen[table] = nil
			tables = append(tables, table)
		}
		if r.IntN(3) == 0 {
			chosen[table] = append(chosen[table], k)
		}
	}
	r.Shuffle(len(tables), func(i, j int) { tables[i], tables[j] = tables[j], tables[i] })
	pick := func(options ...string) string { return options[r.IntN(len(options))] }
	blank := func() string { return pick("", " ", "\t ") }
	value := func(k config.Key) string { return values[k.Name][r.IntN(len(values[k.Name]))] }
	quoted := func(name string) string { return pick(name, name, `"`+name+`"`, "'"+name+"'") }
	last := func(k config.Key) string { _, name, _ := strings.Cut(k.Name, "."); return quoted(name) }
	end := func() string {
		return blank() + pick("", "", "# c = 1") + "\n" + pick("", "", "\n", " # threads = 9\n#days = 1\n")
	}

	var dotted, sections strings.Builder // dotted keys go before the first header
	for _, table := range tables {
		keys := chosen[table]
		switch r.IntN(5) {
		case 0:
		case 1:
			for _, k := range keys {
				fmt.Fprint(&dotted, blank(), quoted(table), blank(), ".", blank(), last(k), blank(), "=", blank(), value(k), end())
			}
		case 2:
			var parts []string
			for _, k := range keys {
				parts = append(parts, blank()+last(k)+blank()+"="+blank()+value(k)+blank())
			}
			fmt.Fprint(&dotted, table, " = {", strings.Join(parts, ","), pick("", " "), "}", end())
		default:
			fmt.Fprint(&sections, blank(), "[", blank(), quoted(table), blank(), "]", end())
			for _, k := range keys {
				fmt.Fprint(&sections, blank(), last(k), blank(), "=", blank(), value(k), end())
			}
		}
	}
	text := pick("", "\xEF\xBB\xBF") + dotted.String() + sections.String()
	if r.IntN(4) == 0 {
		text = strings.TrimSuffix(text, "\n")
	}
	if r.IntN(3) == 0 {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

// TestSetOfRandomFiles: whatever way a file is written in, a change of one key
// succeeds, is seen, and leaves the values and sources of all others.
func TestSetOfRandomFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	keys := config.Keys()
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 4))
		text := randomFile(r)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		before, err := config.Read(path, unset)
		require.NoError(t, err, "seed %d:\n%s", seed, text)
		k := keys[r.IntN(len(keys))]
		var value *string
		if r.IntN(3) > 0 {
			value = &values[k.Name][r.IntN(len(values[k.Name]))]
		}
		require.NoError(t, config.Set(path, k.Name, value), "seed %d: %s\n%s", seed, k.Name, text)
		checkChange(t, path, before, k, value)
	}
}

func checkChange(t *testing.T, path string, before config.Settings, changed config.Key, value *string) {
	t.Helper()
	after, err := config.Read(path, unset)
	require.NoError(t, err)
	want := config.SourceDefault
	if value != nil {
		want = config.SourceFile
	}
	require.Equal(t, want, after.Source(changed.Name), changed.Name)
	for _, k := range config.Keys() {
		if k.Name != changed.Name {
			require.Equal(t, before.Plain(k), after.Plain(k), "%s by %s", k.Name, changed.Name)
			require.Equal(t, before.Source(k.Name), after.Source(k.Name), "%s by %s", k.Name, changed.Name)
		}
	}
}
