package config

import (
	"slices"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/stretchr/testify/require"
)

// FuzzChange: what a change makes of any file of TOML is a file of TOML with the
// new value and all others; of a file that can be loaded every setting but the
// changed one stays.
func FuzzChange(f *testing.F) {
	for i, text := range []string{
		"", "[inference]\nthreads = 4 # c\n\n[cache]\nquota_mb = 1\n", "inference.threads = 0x1F\r\ncache . 'quota_mb' = 2\r\n",
		"history = { days = 1, enabled = true, }\n", "history = {\n days = 1, # a\n enabled = true,\n}\n", "[a]\nx = [ { b = 1 }, { b = 2 } ]\n[[z]]\n[a.b]\nc.d = 1\n",
		"[inference]\nmodel = '''\n#threads = 1\n[cache]'''\n#threads = 0", "\xEF\xBB\xBF[libretranslate]\nhosts = [\n 'a', # one\n]\n", "inference = {}\n", "inference = [{threads = 1}]\n",
		string(DefaultFile()),
	} {
		f.Add(text, uint8(i), "", true)
		f.Add(text, uint8(3*i), "b", false)
	}
	f.Fuzz(func(t *testing.T, text string, which uint8, name string, set bool) {
		d, err := parseDocument([]byte(text))
		if err != nil {
			return
		}
		k := keys[int(which)%len(keys)]
		path := []string{k.table(), k.name()}
		if name != "" && bareKey.MatchString(name) { // some other place
			path = []string{"a", name}
		}
		var value *string
		if set {
			text := literal(k.standard)
			value = &text
		}
		changed, err := change([]byte(text), path, value)
		if err != nil {
			return
		}
		if value != nil && d.find(path) < 0 {
			require.Greater(t, len(changed), len(text), "nothing is lost where something is added")
		}
		var values map[string]any
		require.NoError(t, toml.Unmarshal(withoutMark(changed), &values))
		table, _ := values[path[0]].(map[string]any)
		_, there := table[path[1]]
		require.Equal(t, set, there)
		if before, err := parse("c", []byte(text)); err == nil && path[0] != "a" {
			after, err := parse("c", changed)
			require.NoError(t, err)
			require.Empty(t, slices.DeleteFunc(Differences(before.Config, after.Config), func(name string) bool { return name == k.Name }))
		}
	})
}

func withoutMark(text []byte) []byte {
	if len(text) >= 3 && string(text[:3]) == "\xEF\xBB\xBF" {
		return text[3:]
	}
	return text
}
