package resource

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/watch/document/segment"
)

func TestXCStrings(t *testing.T) {
	wrap := func(s string) string {
		return "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n" + s + "\n  },\n  \"version\" : \"1.0\"\n}"
	}
	const unit = "{\n          \"stringUnit\" : {\n            \"state\" : \"needs_review\",\n            \"value\" : "
	const end = "\n          }\n        }"
	for name, c := range map[string]struct{ body, want string }{
		"a key alone": {`    "hello %@" : {

    }`, `    "hello %@" : {
      "localizations" : {
        "pl" : ` + unit + `"HELLO %@"` + end + `
      }
    }`},
		"sorted": {`    "a b" : {
      "comment" : "x y",
      "localizations" : {
        "en" : { "stringUnit" : { "state" : "translated", "value" : "c d" } },
        "zu" : { "stringUnit" : { "state" : "translated", "value" : "z" } }
      }
    }`, `    "a b" : {
      "comment" : "x y",
      "localizations" : {
        "en" : { "stringUnit" : { "state" : "translated", "value" : "c d" } },
        "pl" : ` + unit + `"C D"` + end + `,
        "zu" : { "stringUnit" : { "state" : "translated", "value" : "z" } }
      }
    }`},
		"there": {`    "a b" : { "localizations" : { "pl" : { "stringUnit" : { "state" : "translated", "value" : "z" } } } }`,
			`    "a b" : { "localizations" : { "pl" : { "stringUnit" : { "state" : "translated", "value" : "z" } } } }`},
		"names of programs": {`    "Empty.Title" : { }, "my_title" : { }`, `    "Empty.Title" : { }, "my_title" : { }`},
		"not for it": {`    "a b" : { "shouldTranslate" : false }, "c d" : { "extractionState" : "stale" }`,
			`    "a b" : { "shouldTranslate" : false }, "c d" : { "extractionState" : "stale" }`},
		"new": {`    "a b" : {
      "localizations" : {
        "pl" : { "stringUnit" : { "state" : "new", "value" : "" } }
      }
    }`, `    "a b" : {
      "localizations" : {
        "pl" : ` + unit + `"A B"` + end + `
      }
    }`},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := ReadXCStrings(wrap(c.body))
			require.NoError(t, err)
			p.Into("pl")
			require.NoError(t, segment.Translate(t.Context(), p.Segments, upper))
			out, err := p.Render(segment.Options{To: "pl"})
			require.NoError(t, err)
			require.Equal(t, wrap(c.want), out)
			require.NoError(t, validJSON(out))
		})
	}
}

func TestXCStringsPlurals(t *testing.T) {
	body := `{"sourceLanguage":"en","strings":{"n":{"localizations":{"en":{"variations":{"plural":{"one":{"stringUnit":{"state":"translated","value":"%lld file"}},"other":{"stringUnit":{"state":"translated","value":"%lld files"}}}}}}}}}`
	p, err := ReadXCStrings(body)
	require.NoError(t, err)
	require.NoError(t, segment.Translate(t.Context(), p.Segments, upper))
	out, err := p.Render(segment.Options{To: "pl"})
	require.NoError(t, err)
	forms := tree(out).get("strings").get("n").get("localizations").get("pl").get("variations").get("plural")
	var got []string
	for _, m := range forms.members {
		got = append(got, m.key+"="+m.value.get("stringUnit").get("value").text)
	}
	require.Equal(t, []string{"few=%lld FILES", "many=%lld FILES", "one=%lld FILE", "other=%lld FILES"}, got)

	nested := strings.Repeat(`{"variations":{"plural":{"other":`, 1000) + `{"stringUnit":{"state":"translated","value":"a b"}}` + strings.Repeat("}}}", 1000)
	p, err = ReadXCStrings(`{"sourceLanguage":"en","strings":{"n":{"localizations":{"en":{"stringUnit":{"value":"c d"},"variations":` + nested + `}}}}}`)
	require.NoError(t, err)
	require.NoError(t, segment.Translate(t.Context(), p.Segments, upper))
	out, err = p.Render(segment.Options{To: "ar"})
	require.NoError(t, err)
	require.Contains(t, out, `"C D"`)
	require.Less(t, len(out), 1<<20)
	_, err = ReadXCStrings("[]")
	require.ErrorContains(t, err, "strings")
}
