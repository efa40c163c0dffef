package message

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/language"
)

// catalogue is the forms of each message by category, "other" where it has one.
func catalogue(t *testing.T, name string) map[ID]map[string]string {
	t.Helper()
	content, err := files.ReadFile(name)
	require.NoError(t, err)
	raw := map[ID]any{}
	require.NoError(t, json.Unmarshal(content, &raw))
	forms := map[ID]map[string]string{}
	for id, value := range raw {
		forms[id] = map[string]string{}
		switch v := value.(type) {
		case string:
			forms[id]["other"] = v
		case map[string]any:
			for category, text := range v {
				forms[id][category] = text.(string)
			}
		default:
			t.Fatalf("%s: %s is a %T", name, id, value)
		}
	}
	return forms
}

var placeholder = regexp.MustCompile(`{{\.(\w+)}}`)

func placeholders(text string) []string {
	names := []string{}
	for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return names
}

// constants are the values of the constants of type ID.
func constants(t *testing.T) []ID {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "ids.go", nil, 0)
	require.NoError(t, err)
	var ids []ID
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			for _, v := range spec.Values {
				value, err := strconv.Unquote(v.(*ast.BasicLit).Value)
				require.NoError(t, err)
				ids = append(ids, ID(value))
			}
		}
		return true
	})
	return ids
}

func TestEveryLanguageHasEveryMessage(t *testing.T) {
	names, err := fs.Glob(files, "*.json")
	require.NoError(t, err)
	require.Len(t, names, len(Languages), "a language without a tag in Languages, or the other way round")
	ids := constants(t)
	english := catalogue(t, "en.json")
	for _, tag := range Languages {
		t.Run(tag.String(), func(t *testing.T) {
			have := catalogue(t, tag.String()+".json")
			for _, id := range ids {
				require.Contains(t, have, id)
				require.Equal(t, len(english[id]) > 1, len(have[id]) > 1, "%s: counted in one language only", id)
				for category, text := range have[id] {
					require.NotEmpty(t, strings.TrimSpace(text), id)
					require.Equal(t, placeholders(english[id]["other"]), placeholders(text), "%s, %s", id, category)
					require.Equal(t, len(placeholders(text)), strings.Count(text, "{{"), "%s: a placeholder of another form", id)
				}
			}
			require.Len(t, have, len(ids), "messages that nobody says")
		})
	}
}

func TestEveryCountHasItsForm(t *testing.T) {
	english := catalogue(t, "en.json")
	for _, tag := range Languages {
		texts := New(tag.String())
		for id, forms := range english {
			if len(forms) == 1 {
				continue
			}
			for _, n := range []int64{0, 1, 2, 11, 21, 100, 1_000_000, 5_000_000} {
				_, err := texts.localizer.Localize(&i18n.LocalizeConfig{MessageID: string(id), TemplateData: data(nil), PluralCount: n})
				require.NoError(t, err, "%v %s", tag, id)
				got := texts.Count(id, n)
				require.Contains(t, strings.Map(digits, got), strconv.FormatInt(n, 10), "%v %s", tag, got)
			}
		}
	}
}

// digits leaves only those.
func digits(r rune) rune {
	if r < '0' || r > '9' {
		return -1
	}
	return r
}

func TestPluralsOfCLDR(t *testing.T) {
	require.Equal(t, "Watched, 1 file waits", New("en").Count(FolderWatching, 1))
	require.Equal(t, "Watched, 0 files wait", New("en").Count(FolderWatching, 0))
	require.Equal(t, "Surveillé, 0 fichier attend", New("fr").Count(FolderWatching, 0), "French counts 0 as 1")
	require.Equal(t, "Beobachtet, 1.234 Dateien warten", New("de").Count(FolderWatching, 1234))
}

func TestTheLanguageIsThatOfTheUser(t *testing.T) {
	for name, test := range map[string]struct {
		preferred []string
		want      language.Tag
	}{
		"nothing":       {nil, language.English},
		"one":           {[]string{"de"}, language.German},
		"with region":   {[]string{"pt-BR"}, language.Portuguese},
		"with script":   {[]string{"es-Latn-MX"}, language.Spanish},
		"second choice": {[]string{"ja", "fr-CA"}, language.French},
		"none known":    {[]string{"ja", "ar"}, language.English},
		"no language":   {[]string{"", "!!", "it"}, language.Italian},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, test.want, New(test.preferred...).Language())
		})
	}
}

func TestNumbersAndNames(t *testing.T) {
	de, en := New("de"), New("en")
	require.Equal(t, "1,2", de.Number(1.23))
	require.Equal(t, "0.012", en.Number(0.0123))
	require.Equal(t, "1,235", en.Number(1234.6))
	require.Equal(t, "Spanisch", de.Name("es", "Spanish"))
	require.Equal(t, "Spanish", en.Name("es", ""))
	require.Equal(t, "Northern Sotho", en.Name("ns", ""))
	require.Equal(t, "Klingonese", en.Name("xx-not-one", "Klingonese"))
	require.Equal(t, "not a code", en.Name("not a code", ""))
}

func TestUsersTextIsNoTemplate(t *testing.T) {
	require.Equal(t, "{{.Count}} <b> (last time: 3 s)", New("en").Say(WarmingLast, "What", "{{.Count}} <b>", "Seconds", "3"))
}

func TestWhatTheCatalogueLacksIsNamed(t *testing.T) {
	require.Equal(t, "no_such_message", New("en").Say("no_such_message"))
}

func TestLanguagesOfTheEnvironment(t *testing.T) {
	for name, test := range map[string]struct {
		set  map[string]string
		want []string
	}{
		"nothing":             {nil, nil},
		"C":                   {map[string]string{"LANG": "C.UTF-8"}, nil},
		"POSIX":               {map[string]string{"LANG": "de_DE", "LC_ALL": "POSIX"}, nil},
		"LANG":                {map[string]string{"LANG": "de_AT.UTF-8@euro"}, []string{"de-AT"}},
		"messages":            {map[string]string{"LANG": "de_DE.UTF-8", "LC_MESSAGES": "fr_FR.UTF-8"}, []string{"fr-FR"}},
		"all":                 {map[string]string{"LANG": "de_DE", "LC_MESSAGES": "fr_FR", "LC_ALL": "it_IT"}, []string{"it-IT"}},
		"a list":              {map[string]string{"LANG": "ca_ES.UTF-8", "LANGUAGE": "ca:es:en_GB"}, []string{"ca", "es", "en-GB", "ca-ES"}},
		"a list in C":         {map[string]string{"LANG": "C", "LANGUAGE": "de"}, nil},
		"a list with nothing": {map[string]string{"LANG": "pt_BR", "LANGUAGE": ":"}, []string{"pt-BR"}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, test.want, fromEnvironment(func(name string) string { return test.set[name] }))
		})
	}
}
