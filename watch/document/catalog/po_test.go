package catalog

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/watch/document/segment"
)

// upper translates all but placeholders.
func upper(_ context.Context, text string) (string, error) {
	var b strings.Builder
	at := 0
	for _, found := range segment.InMessages.FindAllStringIndex(text, -1) {
		b.WriteString(strings.ToUpper(text[at:found[0]]) + text[found[0]:found[1]])
		at = found[1]
	}
	return b.String() + strings.ToUpper(text[at:]), nil
}

func translated(t *testing.T, read func(string) (*segment.Part, error), body, to string) string {
	t.Helper()
	p, err := read(body)
	require.NoError(t, err)
	require.NoError(t, segment.Translate(t.Context(), p.Segments, upper))
	out, err := p.Render(segment.Options{To: to})
	require.NoError(t, err)
	return out
}

const header = "msgid \"\"\nmsgstr \"\"\n\"Language: \\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\"Plural-Forms: nplurals=2; plural=(n != 1);\\n\"\n\n"

func TestPO(t *testing.T) {
	for name, c := range map[string]struct{ body, to, want string }{
		"empty":         {"msgid \"a\"\nmsgstr \"\"\n", "", "msgid \"a\"\nmsgstr \"A\"\n"},
		"translated":    {"msgid \"a\"\nmsgstr \"x\"\n", "", "msgid \"a\"\nmsgstr \"x\"\n"},
		"fuzzy":         {"#, fuzzy\nmsgid \"a\"\nmsgstr \"x\"\n", "", "#, fuzzy\nmsgid \"a\"\nmsgstr \"A\"\n"},
		"escapes":       {"msgid \"a \\\"b\\\" \\\\ %s\\n\"\nmsgstr \"\"\n", "", "msgid \"a \\\"b\\\" \\\\ %s\\n\"\nmsgstr \"A \\\"B\\\" \\\\ %s\\n\"\n"},
		"lines":         {"msgid \"\"\n\"a\\n\"\n\"b\"\nmsgstr \"\"\n", "", "msgid \"\"\n\"a\\n\"\n\"b\"\nmsgstr \"\"\n\"A\\n\"\n\"B\"\n"},
		"old lines":     {"#, fuzzy\nmsgid \"a\"\nmsgstr \"\"\n\"x\"\n\"y\"\n", "", "#, fuzzy\nmsgid \"a\"\nmsgstr \"A\"\n"},
		"obsolete":      {"#~ msgid \"a\"\n#~ msgstr \"\"\n", "", "#~ msgid \"a\"\n#~ msgstr \"\"\n"},
		"header":        {header + "msgid \"a\"\nmsgstr \"\"\n", "de", strings.Replace(header, "Language: ", "Language: de", 1) + "msgid \"a\"\nmsgstr \"A\"\n"},
		"one form":      {header + "msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n", "ja", strings.NewReplacer("Language: ", "Language: ja", "nplurals=2; plural=(n != 1);", "nplurals=1; plural=0;").Replace(header) + "msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[0] \"A\"\n"},
		"more forms":    {header + "msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n", "cs", strings.NewReplacer("Language: ", "Language: cs", "nplurals=2; plural=(n != 1);", "nplurals=3; plural=(n==1 ? 0 : n>=2 && n<=4 ? 1 : 2);").Replace(header) + "msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[0] \"A\"\nmsgstr[1] \"B\"\nmsgstr[2] \"B\"\n"},
		"Estonian":      {strings.Replace(header, "Language: ", "Language: est", 1), "es", strings.Replace(header, "Language: ", "Language: es", 1)},
		"same language": {strings.Replace(header, "Language: ", "Language: cs_CZ", 1), "cs", strings.Replace(header, "Language: ", "Language: cs_CZ", 1)},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, translated(t, ReadPO, c.body, c.to))
		})
	}
	for body, says := range map[string]string{
		"msgid \"a\nmsgstr \"\"":       "line 1: a string has no end",
		"\n\"a\"":                      "line 2: a string belongs to nothing",
		"msgid \"a\\q\"":               "which means nothing",
		"hello":                        "it is no message",
		"msgid \"a\"\nmsgstr[99] \"\"": "more forms",
	} {
		_, err := ReadPO(body)
		require.ErrorContains(t, err, says)
	}
}

// msgfmt reads what is written, for languages of one to six forms.
func TestMsgfmtReadsCatalogues(t *testing.T) {
	msgfmt, err := exec.LookPath("msgfmt")
	if err != nil {
		t.Skip("msgfmt is not installed: it is in the package gettext")
	}
	for _, name := range []string{"po/sample.po", "pot/sample.pot"} {
		raw, err := os.ReadFile(filepath.Join("..", "testdata", filepath.FromSlash(name)))
		require.NoError(t, err)
		for _, to := range []string{"de", "ja", "fr", "cs", "ru", "ar", "sl", "lt", "lv", "ro", "ga", "cy", "gd", "is"} {
			path := filepath.Join(t.TempDir(), to+".po")
			require.NoError(t, os.WriteFile(path, []byte(translated(t, ReadPO, string(raw), to)), 0o600))
			out, err := exec.Command(msgfmt, "--check-format", "--check-domain", "-o", filepath.Join(t.TempDir(), "x.mo"), path).CombinedOutput()
			require.NoError(t, err, "%s %s: %s", name, to, out)
		}
	}
}
