package resource

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/watch/document/segment"
	"dragoman/watch/document/segment/segmenttest"
)

// Forms for numbers of things that only the target language has are like the one that all have.
func TestFormsOfTheTargetLanguage(t *testing.T) {
	for name, c := range map[string]struct {
		read       func(string) (*segment.Part, error)
		body, want string
	}{
		"JSON":             {jsonAlone, "{\n  \"a\": {\n    \"one\": \"%d file\",\n    \"other\": \"%d files\"\n  }\n}", "{\n  \"a\": {\n    \"one\": \"%d FILE\",\n    \"few\": \"%d FILES\",\n    \"many\": \"%d FILES\",\n    \"other\": \"%d FILES\"\n  }\n}"},
		"i18next":          {jsonAlone, `{"a_one":"one day","a_other":"days","b_ordinal_one":"a day","b_ordinal_other":"the days","c":"d e"}`, `{"a_one":"ONE DAY","a_few":"DAYS","a_many":"DAYS","a_other":"DAYS","b_ordinal_one":"A DAY","b_ordinal_other":"THE DAYS","c":"D E"}`},
		"JSON, other keys": {jsonAlone, `{"one":"a b","other":"c d","more":"e f","x_other":"g h"}`, `{"one":"A B","other":"C D","more":"E F","x_other":"G H"}`},
		"JSON, no texts":   {jsonAlone, `{"one":{"a":"b c"},"other":{"a":"d e"}}`, `{"one":{"a":"B C"},"other":{"a":"D E"}}`},
		"Rails":            {ReadYAML, "en:\n  a:\n    one: a file\n    other: \"%{count} files\" # x\n  b: c d\n", "ru:\n  a:\n    one: A FILE\n    few: \"%{count} FILES\"\n    many: \"%{count} FILES\"\n    other: \"%{count} FILES\" # x\n  b: C D\n"},
		"Rails, wrapped":   {ReadYAML, "a:\r\n  other:\r\n    many\r\n    files\r\n  one: a file\r\n", "a:\r\n  few:\r\n    MANY\r\n    FILES\r\n  many:\r\n    MANY\r\n    FILES\r\n  other:\r\n    MANY\r\n    FILES\r\n  one: A FILE\r\n"},
		"YAML, flow":       {ReadYAML, "a: {one: a b, \"other\": c d}\n", "a: {one: A B, \"few\": C D, \"many\": C D, \"other\": C D}\n"},
		"YAML, lists":      {ReadYAML, "a:\n- one: a b\n  other: c d\n- one: e f\n  other: g h\n", "a:\n- one: A B\n  few: C D\n  many: C D\n  other: C D\n- one: E F\n  few: G H\n  many: G H\n  other: G H\n"},
		"YAML, other keys": {ReadYAML, "a:\n  one: a b\n  other: c d\n  more: e f\nb:\n  other: g h\nc:\n  one: i j\n  other: &x k l\n", "a:\n  one: A B\n  other: C D\n  more: E F\nb:\n  other: G H\nc:\n  one: I J\n  other: &x K L\n"},
		"YAML, apart":      {ReadYAML, "a:\n  one: a b\nb:\n  other: c d\n- other: e f\n- one: g h\n", "a:\n  one: A B\nb:\n  other: C D\n- other: E F\n- one: G H\n"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, segmenttest.Translated(t, c.read, c.body, segment.Options{To: "ru"}, upperLine))
			require.Equal(t, c.body, segmenttest.Translated(t, c.read, c.body, segment.Options{}, func(s string) string { return s }))
		})
	}
}

func upperLine(text string) string {
	out, _ := upper(context.Background(), text)
	return out
}
