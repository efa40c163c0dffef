//go:build unix

package config

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// withPolicy makes text the policy of the machine.
func withPolicy(t *testing.T, text string) string {
	t.Helper()
	old := policyFile
	t.Cleanup(func() { policyFile = old })
	policyFile = filepath.Join(t.TempDir(), "policy.toml")
	require.NoError(t, os.WriteFile(policyFile, []byte(text), 0o644))
	return policyFile
}

func settingsFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

const strict = `# Rolled out by IT.
reason = "Data protection, ask it@example.org"

[clipboard]
watch = "off"
[libretranslate]
enabled = false
api_key = "0123456789abcdef"
[models]
allowed = ["starter"]
`

func TestThePolicyGoesBeforeFileAndEnvironment(t *testing.T) {
	place := withPolicy(t, strict)
	file := settingsFile(t, "[clipboard]\nwatch = 'every'\nto = 'es'\n")
	s, err := Read(file, func(name string) string {
		return map[string]string{"DRAGOMAN_LIBRETRANSLATE_ENABLED": "true", "DRAGOMAN_CLIPBOARD_WATCH": "nonsense", "DRAGOMAN_QUEUE_WORKERS": "3"}[name]
	})
	require.NoError(t, err, "a variable that does not count cannot be wrong")
	require.Equal(t, "off", s.Clipboard.Watch)
	require.False(t, s.LibreTranslate.Enabled)
	require.Equal(t, []string{"starter"}, s.Models.Allowed)
	require.Equal(t, "es", s.Clipboard.To)
	require.Equal(t, 3, s.Queue.Workers)
	require.Equal(t, SourcePolicy, s.Source("clipboard.watch"))
	require.Equal(t, SourceFile, s.Source("clipboard.to"))
	for _, setting := range s.All() {
		if setting.Key.Secret {
			require.Empty(t, setting.Value)
		}
	}
	where, reason, fixed := s.Policy()
	require.Equal(t, place, where)
	require.Equal(t, "Data protection, ask it@example.org", reason)
	require.Equal(t, []string{"clipboard.watch", "libretranslate.api_key", "libretranslate.enabled", "models.allowed"}, fixed)
}

func TestFixedSettingsAreNotChanged(t *testing.T) {
	place := withPolicy(t, strict)
	before := "[clipboard]\nwatch = 'every'\n"
	file := settingsFile(t, before)
	value := func(text string) *string { return &text }
	err := SetAll(file, map[string]*string{"clipboard.to": value(`"es"`), "clipboard.watch": value(`"double"`)})
	require.EqualError(t, err, `clipboard.watch is fixed to "off" for this machine by `+place+`:5 (Data protection, ask it@example.org): only an administrator can change that`)
	var fixed *FixedError
	require.ErrorAs(t, err, &fixed)
	text, _ := os.ReadFile(file)
	require.Equal(t, before, string(text), "none of them")
	require.NotContains(t, Set(file, "libretranslate.api_key", value(`"fedcba9876543210"`)).Error(), "0123456789abcdef")
	require.NoError(t, Set(file, "clipboard.to", value(`"es"`)))
	require.NoError(t, Set(file, "clipboard.watch", nil), "what does not count may be taken out")

	s, err := Read(file, func(string) string { return "" })
	require.NoError(t, err)
	require.NoError(t, s.Overrule("clipboard.watch", "OFF"), "the same")
	require.NoError(t, s.Overrule("queue.workers", "2"), "not fixed")
	require.ErrorAs(t, s.Overrule("clipboard.watch", "every"), &fixed)
	require.ErrorAs(t, s.Overrule("clipboard.watch", "nonsense"), &fixed)
}

func TestAPolicyThatCannotBeFollowedStopsEverything(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"unknown key":   {"[clipboard]\nwach = 'off'\n", "policy.toml:2: clipboard.wach: unknown key: did you mean clipboard.watch?"},
		"unknown table": {"[clip]\nwatch = 'off'\n", "policy.toml:1: clip"},
		"wrong value":   {"\n[clipboard]\nwatch = 'never'\n", `policy.toml:3: clipboard.watch: "never" is not among the choices: use off, double or every`},
		"syntax":        {"[clipboard\n", "policy.toml:1"},
		"relative path": {"[log]\nfile = 'dragoman.log'\n", "policy.toml:2: log.file: \"dragoman.log\" is a relative path: give an absolute one"},
		"reason":        {"reason = 3\n", "policy.toml:1: reason: is no text"},
		"elsewhere":     {"[clipboard]\nreason = 'x'\n", "policy.toml:2: clipboard.reason: unknown key"},
		"other name":    {"reasons = 'x'\n", "policy.toml:1: reasons: unknown key"},
	} {
		t.Run(name, func(t *testing.T) {
			withPolicy(t, test.text)
			file := settingsFile(t, "")
			_, err := Load(file)
			require.ErrorContains(t, err, test.want)
			require.ErrorContains(t, err, "an administrator must correct or remove it")
			var policy *PolicyError
			require.ErrorAs(t, err, &policy)
			value := "2"
			require.ErrorAs(t, Set(file, "queue.workers", &value), &policy, "nobody knows whether it is fixed")
		})
	}
	t.Run("others can write it", func(t *testing.T) {
		require.NoError(t, os.Chmod(withPolicy(t, strict), 0o664))
		_, err := Load(settingsFile(t, ""))
		require.ErrorContains(t, err, "can be changed by others than its owner (mode 0664): chmod 644")
	})
	t.Run("others own it", func(t *testing.T) {
		place := withPolicy(t, strict)
		if os.Chown(place, 12345, -1) != nil {
			t.Skip("this user cannot give files away")
		}
		_, err := Load(settingsFile(t, ""))
		require.ErrorContains(t, err, "belongs to user 12345: chown root")
	})
	t.Run("a folder", func(t *testing.T) {
		place := withPolicy(t, "")
		require.NoError(t, os.Remove(place))
		require.NoError(t, os.Mkdir(place, 0o755))
		_, err := Load(settingsFile(t, ""))
		require.ErrorContains(t, err, "is no file")
	})
}

func TestThePolicyChoosesTheModel(t *testing.T) {
	withPolicy(t, "[inference]\nmodel = 'starter'\nruntime = '/opt/openvino'\n")
	t.Setenv("DRAGOMAN_OPENVINO", "/elsewhere")
	t.Setenv(EnvModel, "/elsewhere")
	c, err := Load(settingsFile(t, ""))
	require.NoError(t, err)
	require.Empty(t, c.Getenv("DRAGOMAN_OPENVINO"))
	data := t.TempDir()
	starter := filepath.Join(data, "models", "starter")
	require.NoError(t, os.MkdirAll(starter, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(starter, modelFile), nil, 0o644))
	p := Paths{DataDir: data, Model: "/elsewhere"}
	dir, err := c.FindModel(p, "", "")
	require.NoError(t, err)
	require.Equal(t, starter, dir)
	_, err = c.FindModel(p, "", "/elsewhere")
	require.ErrorContains(t, err, "inference.model is fixed to \"starter\"")

	withPolicy(t, "[models]\nallowed = ['starter', '"+starter+"']\n")
	c, err = Load(settingsFile(t, ""))
	require.NoError(t, err)
	require.Equal(t, "/elsewhere", c.Getenv("DRAGOMAN_OPENVINO"))
	_, err = c.FindModel(p, "", "")
	require.ErrorContains(t, err, "model /elsewhere is not among models.allowed (starter, ")
	require.ErrorContains(t, err, "models.allowed is fixed")
	_, err = c.FindModel(p, "", starter)
	require.NoError(t, err)
	require.Error(t, c.AllowModel("m2m100_418M"))
	require.NoError(t, c.AllowModel("starter"))
}

func TestStampsTellThatThePolicyChanged(t *testing.T) {
	place := withPolicy(t, "")
	file := settingsFile(t, "")
	before, err := StampOf(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(place, []byte(strict), 0o644))
	after, err := StampOf(file)
	require.NoError(t, err)
	require.False(t, before.Same(after))
	require.False(t, after.Settled(time.Now()))
	require.NoError(t, os.Remove(place))
	gone, err := StampOf(filepath.Join(filepath.Dir(file), "none"))
	require.NoError(t, err)
	require.True(t, gone.Same(Stamp{}))
}
