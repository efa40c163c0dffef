package main

import (
	"encoding/json"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/installer/ovruntime"
)

func TestLanguages(t *testing.T) {
	c := newCommand(t)
	var codes []string
	require.NoError(t, json.Unmarshal([]byte(c.succeeds("languages", "--json")), &codes))
	require.Equal(t, []string{"de", "en", "es", "fr", "it", "pt"}, codes)
	lines := strings.Split(strings.TrimSpace(c.succeeds("languages")), "\n")
	require.Len(t, lines, len(codes))
	require.Equal(t, []string{"de", "German", "Deutsch"}, strings.Fields(lines[0]))
	c.env["DRAGOMAN_OPENVINO"] = "/nowhere"
	c.succeeds("languages") // needs no runtime
}

func TestVersion(t *testing.T) {
	out := newCommand(t).succeeds("version")
	require.Regexp(t, `^dragoman \S+ .*`+runtime.GOOS+"/"+runtime.GOARCH+", made for OpenVINO "+ovruntime.PinnedVersion+"\n$", out)
}

func TestHelp(t *testing.T) {
	c := newCommand(t)
	help := c.succeeds("--help")
	require.Contains(t, help, exitCodesHelp)
	require.Equal(t, help, c.succeeds(), "without a command")
	for _, name := range []string{"translate", "watch", "languages", "doctor", "bench", "runtime", "version"} {
		require.Contains(t, help, "\n  "+name+" ")
		require.Contains(t, c.succeeds(name, "--help"), "dragoman "+name)
	}
}

// A flag that is shown counts, and one that would not is refused.
func TestFlagsAreWhereTheyCount(t *testing.T) {
	counts := map[string][]string{
		"dragoman translate":      {"model", "device", "weights", "threads", "local"},
		"dragoman clip":           {"model", "device", "weights", "threads", "local"},
		"dragoman watch":          {"model", "device", "weights", "threads"},
		"dragoman bench":          {"model", "device", "weights", "threads"},
		"dragoman languages":      {"model", "local"},
		"dragoman detect":         {"model", "local"},
		"dragoman doctor":         {"model"},
		"dragoman cache warm":     {"model", "weights"},
		"dragoman models measure": {"weights"},
	}
	for _, c := range allCommands(newRoot()) {
		for _, flag := range []string{"model", "device", "weights", "threads", "local"} {
			has := c.Flags().Lookup(flag) != nil || c.InheritedFlags().Lookup(flag) != nil
			require.Equal(t, slices.Contains(counts[c.CommandPath()], flag), has, "--%s of %s", flag, c.CommandPath())
		}
	}
	c := newCommand(t)
	require.Equal(t, exitUsage, c.run("status", "--model", "x").code)
}

func TestDoctor(t *testing.T) {
	c := newCommand(t)
	out := c.succeeds("doctor")
	require.Regexp(t, `(?m)^ok +settings`, out)
	require.Regexp(t, `(?m)^ok +runtime +OpenVINO \d{4}\.\d`, out)
	require.Regexp(t, `(?m)^ok +device +CPU: `, out)
	require.Regexp(t, `(?m)^ok +model .*6 languages$`, out)
	require.Regexp(t, `(?m)^ok +cache`, out)
	require.Regexp(t, `(?m)^ok +data`, out)
	require.Regexp(t, `(?m)^note +service +it does not run`, out)
	require.NotContains(t, out, "FAIL")
}

// Whatever is wrong, doctor looks at the rest too and says what to do.
func TestDoctorAdvises(t *testing.T) {
	c := newCommand(t)
	c.env["DRAGOMAN_OPENVINO"] = "/nowhere"
	c.env["DRAGOMAN_MODEL"] = c.dir
	c.env["DRAGOMAN_CACHE"] = c.write("cache", "a file in its place")
	o := c.run("doctor")
	require.Equal(t, exitSetup, o.code)
	require.Regexp(t, "(?m)^FAIL +runtime .*DRAGOMAN_OPENVINO names, /nowhere: .*correct or remove the setting", o.stdout)
	require.Regexp(t, "(?m)^FAIL +model .*\n +-> .*--model", o.stdout)
	require.Regexp(t, "(?m)^note +cache .*cannot be written.*\n +-> .*prepares the model anew", o.stdout)
	require.Regexp(t, `(?m)^ok +data`, o.stdout)
	require.Equal(t, "dragoman: problems that keep dragoman from translating: 2, see the lines with FAIL\n", o.stderr)
	require.Equal(t, []string{"cache"}, list(t, c.dir), "no trace")

	c.env["DRAGOMAN_CONFIG"] = c.write("config.toml", "nonsense")
	o = c.run("doctor")
	require.Equal(t, exitSetup, o.code)
	require.Regexp(t, "^FAIL +settings .*config.toml:1.*\n +-> correct what is named", o.stdout)
}

func TestRuntimeList(t *testing.T) {
	c := newCommand(t)
	out := c.succeeds("runtime", "list")
	require.Regexp(t, `^\* .*`+"DRAGOMAN_OPENVINO.*CPU", strings.ReplaceAll(out, "\n", " "))
	require.Contains(t, out, c.env["DRAGOMAN_OPENVINO"])
	c.env["DRAGOMAN_OPENVINO"] = c.dir
	require.Contains(t, c.succeeds("runtime", "list"), "unusable: ")
}

func TestBench(t *testing.T) {
	var got struct {
		LoadMS  float64 `json:"load_ms"`
		Runtime string
		Texts   []benchLine
	}
	c := newCommand(t)
	require.NoError(t, json.Unmarshal([]byte(c.succeeds("bench", "--rounds", "1", "--json")), &got))
	require.Positive(t, got.LoadMS)
	require.NotEmpty(t, got.Runtime)
	require.Len(t, got.Texts, len(benchTexts))
	for i, line := range got.Texts {
		require.Positive(t, line.TokensIn)
		require.Positive(t, line.TokensOut)
		require.Len(t, line.TotalMS, 3)
		require.Positive(t, line.TotalMS[0])
		require.Positive(t, line.EncodeMS)
		require.Positive(t, line.FirstTokens)
		require.Positive(t, line.TokensASec)
		if i > 0 {
			require.Greater(t, line.TokensIn, got.Texts[i-1].TokensIn, "texts of growing length")
		}
	}
	require.Equal(t, len(benchTexts)+2, strings.Count(c.succeeds("bench", "--rounds", "1"), "\n"))
}
