package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// requireRefused runs a command that must fail: with one sentence that names
// what is wrong, nothing on the standard output and no trace in its folder.
func requireRefused(t *testing.T, c *command, code int, want []string, args ...string) {
	t.Helper()
	before := list(t, c.dir)
	o := c.run(args...)
	require.Equal(t, code, o.code, "%s", o.stderr)
	require.Empty(t, o.stdout)
	require.True(t, strings.HasPrefix(o.stderr, "dragoman: ") && strings.HasSuffix(o.stderr, "\n"), "%q", o.stderr)
	require.Equal(t, 1, strings.Count(o.stderr, "\n"), "one line: %q", o.stderr)
	for _, part := range want {
		require.Contains(t, o.stderr, part)
	}
	require.Equal(t, before, list(t, c.dir))
	require.Empty(t, list(t, c.env["TMPDIR"]))
}

func TestBadInputIsRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		args  string // "TEXT" stands for a text
		stdin string
		code  int
		want  []string
	}{
		"language to":       {"translate --to xx TEXT", "", exitUsage, []string{`"xx"`, "only de, en, es, fr, it, pt", "`dragoman languages`"}},
		"language from":     {"translate --from xx --to de TEXT", "", exitUsage, []string{`"xx"`, "only de, en, es, fr, it, pt", "`dragoman languages`"}},
		"language of files": {"translate --to xx good.txt other.txt --output out/", "", exitUsage, []string{`"xx"`, "only de, en, es, fr, it, pt", "`dragoman languages`"}},
		"language no name":  {"translate --to ../../x good.txt --output out/", "", exitInput, []string{`"../../x" is not a language code`}},
		"language of watch": {"watch --to xx folder", "", exitUsage, []string{`"xx"`, "only de, en, es, fr, it, pt", "`dragoman languages`"}},
		"language of bench": {"bench --to xx", "", exitUsage, []string{`"xx"`, "only de, en, es, fr, it, pt", "`dragoman languages`"}},

		"NUL":                   {"translate --to de nul.txt --output out/", "", exitInput, []string{"nul.txt", "byte 0x00 at offset 3", "save it as UTF-8"}},
		"NUL to stdout":         {"translate --to de nul.txt", "", exitInput, []string{"nul.txt", "byte 0x00 at offset 3"}},
		"Latin-1":               {"translate --to de latin1.txt --output out.txt", "", exitInput, []string{"latin1.txt", "byte 0xFC at offset 2", "save it as UTF-8"}},
		"half a UTF-16 unit":    {"translate --to de odd.txt --output out.txt", "", exitInput, []string{"odd.txt", "UTF-16LE", "offset 4"}},
		"NUL in stdin":          {"translate --to de", "ab\x00", exitInput, []string{"standard input", "byte 0x00 at offset 2", "not a text"}},
		"invalid UTF-8 stdin":   {"translate --to de --output out.txt -", "abc\xE9", exitInput, []string{"standard input", "byte 0xE9 at offset 3", "iconv"}},
		"invalid UTF-8 text":    {"translate --to de \xE9", "", exitInput, []string{"not valid UTF-8", "locale"}},
		"folder":                {"translate --to de folder", "", exitInput, []string{"folder is a folder", "`dragoman watch`"}},
		"mistyped file":         {"translate --to de goood.txt --output out/", "", exitInput, []string{"goood.txt: no such file", "--text"}},
		"mistyped other file":   {"translate --to de goood.md", "", exitInput, []string{"goood.md: no such file", "--text"}},
		"mistyped path":         {"translate --to de folder/letter", "", exitInput, []string{"folder/letter: no such file", "--text"}},
		"mistyped files":        {"translate --to de goood.txt otter.txt --output out/", "", exitInput, []string{"goood.txt: no such file", "--text"}},
		"text with a file name": {"translate --to de open good.txt", "", exitInput, []string{"argument 1 is no file, although good.txt is one", "--text"}},

		"output is the input":     {"translate --to de good.txt --output good.txt", "", exitInput, []string{"good.txt is an input", "another --output"}},
		"output is a hard link":   {"translate --to de good.txt --output hard.txt", "", exitInput, []string{"hard.txt is an input", "another --output"}},
		"output is another input": {"translate --to de good.txt good.de.txt --output .", "", exitInput, []string{"good.de.txt is an input", "another --output"}},
		"outputs of one name":     {"translate --to de good.txt folder/good.txt --output out/", "", exitInput, []string{"folder/good.txt", "both become", "different folders"}},
		"files without output":    {"translate --to de good.txt other.txt", "", exitUsage, []string{"2 files need --output FOLDER"}},
		"text into a folder":      {"translate --to de --output folder TEXT", "", exitUsage, []string{"folder is a folder", "name a file"}},
		"output in no folder":     {"translate --to de good.txt --output nowhere/out.txt", "", exitUsage, []string{"there is no folder nowhere"}},
		"output below a file":     {"translate --to de good.txt other.txt --output good.txt/", "", exitUsage, []string{"good.txt/: a file is in the place"}},

		"unknown flag":        {"translate --too de TEXT", "", exitUsage, []string{"--too", "`dragoman translate --help`"}},
		"no target language":  {"translate TEXT", "", exitUsage, []string{"--to LANGUAGE", "`dragoman languages`"}},
		"watch without to":    {"watch folder", "", exitUsage, []string{"--to LANGUAGE", "`dragoman languages`"}},
		"watch nothing":       {"watch --to de", "", exitUsage, []string{"one folder"}},
		"watch two":           {"watch --to de folder folder", "", exitUsage, []string{"one folder"}},
		"watch nowhere":       {"watch --to de nowhere", "", exitInput, []string{"nowhere", "folder is missing", "make it"}},
		"watch a file":        {"watch --to de good.txt", "", exitInput, []string{"good.txt", "it is a file"}},
		"watch into itself":   {"watch --to de --output .. folder", "", exitInput, []string{"folder", "choose another"}},
		"unknown command":     {"transform --to de TEXT", "", exitUsage, []string{`"transform"`, "`dragoman --help`"}},
		"mistyped command":    {"translat --to de TEXT", "", exitUsage, []string{`"translat"`, "`dragoman translate`"}},
		"mistyped subcommand": {"runtime lst", "", exitUsage, []string{`"lst"`, "`dragoman runtime list`"}},
		"too many arguments":  {"version please", "", exitUsage, []string{"`dragoman version` takes no arguments"}},
		"unknown device":      {"translate --to de --device TPU TEXT", "", exitUsage, []string{"--device", `"TPU"`, "CPU-static"}},
		"unknown weights":     {"translate --to de --weights int3 TEXT", "", exitUsage, []string{"--weights", `"int3"`, "f32"}},
		"negative threads":    {"bench --threads -1", "", exitUsage, []string{"--threads -1"}},
		"no rounds":           {"bench --rounds 0", "", exitUsage, []string{"--rounds 0"}},
		"no model":            {"translate --to de --model ./nowhere good.txt -o out/", "", exitSetup, []string{"nowhere", "must hold config.json"}},
		"no model name":       {"languages --model m2m100_9B", "", exitSetup, []string{`"m2m100_9B"`, "DRAGOMAN_MODEL"}},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCommand(t)
			c.stdin = test.stdin
			c.write("good.txt", "Good morning.\n")
			c.write("good.de.txt", "Good morning.\n")
			c.write("other.txt", "Good night.\n")
			c.write("folder/good.txt", "Good evening.\n")
			c.write("nul.txt", "abc\x00\n")
			c.write("latin1.txt", "Gr\xFC\xDFe\n")
			c.write("odd.txt", "\xFF\xFEa\x00b")
			require.NoError(t, os.Link(filepath.Join(c.dir, "good.txt"), filepath.Join(c.dir, "hard.txt")))
			args := strings.Split(test.args, " ")
			for i := range args {
				if args[i] == "TEXT" {
					args[i] = station
				}
			}
			requireRefused(t, c, test.code, test.want, args...)
			require.Equal(t, "Good morning.\n", c.read("good.txt"))
		})
	}
}

func TestOutputThatIsALinkToTheInputIsRefused(t *testing.T) {
	c := newCommand(t)
	c.write("good.txt", "Good morning.\n")
	if err := os.Symlink("good.txt", filepath.Join(c.dir, "link.txt")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	requireRefused(t, c, exitInput, []string{"link.txt is an input"}, "translate", "--to", "de", "good.txt", "-o", "link.txt")
	requireRefused(t, c, exitInput, []string{"good.txt is an input"}, "translate", "--to", "de", "link.txt", "-o", "good.txt")
}

func TestBadModelIsRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		file   string
		change func(content string) string
		want   []string
	}{
		"another architecture": {"config.json", func(s string) string { return strings.ReplaceAll(s, "m2m_100", "bart") },
			[]string{`"bart"`, "config.json", "dragoman runs m2m_100 checkpoints"}},
		"another class": {"config.json", func(s string) string { return strings.ReplaceAll(s, "M2M100For", "MarianFor") },
			[]string{`"MarianForConditionalGeneration"`, "config.json", "dragoman runs M2M100ForConditionalGeneration"}},
		"broken configuration": {"config.json", func(s string) string { return s[:len(s)/2] }, []string{"config.json", "byte"}},
		"truncated weights": {"model.safetensors", func(s string) string { return s[:len(s)/2] },
			[]string{"model.safetensors", "at byte", "download or export it again"}},
		"weights without a header": {"model.safetensors", func(s string) string { return s[:4] }, []string{"model.safetensors"}},
		"no weights":               {"model.safetensors", nil, []string{"model.safetensors", "no weights"}},
		"broken vocabulary":        {"vocab.json", func(s string) string { return s[:len(s)/2] }, []string{"vocab.json", "byte"}},
		"vocabulary of another":    {"vocab.json", func(string) string { return `{"a": 0}` }, []string{"vocab.json"}},
		"broken pieces":            {"sentencepiece.bpe.model", func(s string) string { return s[:len(s)/2] }, []string{"sentencepiece.bpe.model"}},
		"no pieces":                {"sentencepiece.bpe.model", nil, []string{"sentencepiece.bpe.model"}},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCommand(t)
			c.env["DRAGOMAN_MODEL"] = copyStarter(t, test.file)
			if test.change != nil {
				content, err := os.ReadFile(filepath.Join(starter(), test.file))
				require.NoError(t, err)
				require.NoError(t, os.WriteFile(filepath.Join(c.env["DRAGOMAN_MODEL"], test.file), []byte(test.change(string(content))), 0o644))
			}
			c.write("good.txt", "Good morning.\n")
			requireRefused(t, c, exitSetup, test.want, "translate", "--to", "de", "good.txt", "--output", "out/")
		})
	}
}

// copyStarter makes a checkpoint of hard links, without one file.
func copyStarter(t *testing.T, without string) string {
	t.Helper()
	dir := t.TempDir()
	entries, err := os.ReadDir(starter())
	require.NoError(t, err)
	for _, e := range entries {
		if !e.Type().IsRegular() || e.Name() == without {
			continue
		}
		content, err := os.ReadFile(filepath.Join(starter(), e.Name()))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, e.Name()), content, 0o644))
	}
	return dir
}

func TestBadSetupIsRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		env    map[string]string
		config string
		want   []string
	}{
		"no runtime":            {env: map[string]string{"DRAGOMAN_OPENVINO": ""}, want: []string{"no OpenVINO runtime was found", "`dragoman runtime install`"}},
		"runtime named nowhere": {env: map[string]string{"DRAGOMAN_OPENVINO": "/nowhere"}, want: []string{"/nowhere", "`dragoman runtime install`"}},
		"runtime is no library": {env: map[string]string{"DRAGOMAN_OPENVINO": starter()}, want: []string{starter(), "`dragoman runtime install`"}},
		"model named nowhere":   {env: map[string]string{"DRAGOMAN_MODEL": "/nowhere"}, want: []string{"/nowhere", "DRAGOMAN_MODEL"}},
		"relative cache":        {env: map[string]string{"DRAGOMAN_CACHE": "cache"}, want: []string{"DRAGOMAN_CACHE=cache", "absolute"}},
		"broken settings":       {config: "[inference]\nthreads = \n", want: []string{"config.toml:2"}},
		"unknown setting":       {config: "[inference]\nspeed = 9\n", want: []string{"config.toml:2", "inference.speed", "remove it"}},
		"device in settings":    {config: "[inference]\nencoder = \"AUTO\"\n", want: []string{"config.toml:2", "inference.encoder", `"AUTO"`}},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCommand(t)
			for variable, value := range test.env {
				c.env[variable] = value
			}
			if test.config != "" {
				c.env["DRAGOMAN_CONFIG"] = c.write("config.toml", test.config)
			}
			c.write("good.txt", "Good morning.\n")
			if name == "no runtime" && c.run("runtime", "list").code == exitOK {
				t.Skip("this machine has an OpenVINO in the system's folders")
			}
			requireRefused(t, c, exitSetup, test.want, "translate", "--to", "de", "good.txt", "--output", "out/")
		})
	}
}
