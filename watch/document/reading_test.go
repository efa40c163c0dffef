package document

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Rules that fit nothing are mistakes more often than not.
func TestRulesThatTakeNothingAreTold(t *testing.T) {
	for name, test := range map[string]struct {
		content string
		reading Reading
		told    string
	}{
		"a.csv":  {"Chair,red\n", Reading{Columns: []string{"9"}}, "rules for table look"},
		"b.csv":  {"Chair,red\n", Reading{Columns: []string{"1"}}, ""},
		"c.json": {`{"a": "A chair"}`, Reading{JSONPaths: []string{"**.nothing"}}, "rules for JSON look"},
		"d.json": {`{"a": "A chair"}`, Reading{JSONPaths: []string{"a"}}, ""},
		"e.json": {`{}`, Reading{Columns: []string{"2"}}, "no text to translate"}, // the rule is for other files of the folder
		"f.csv":  {"1,2\n", Reading{}, "no text to translate"},
		"g.csv":  {"", Reading{}, ""},
	} {
		d, err := test.reading.Parse(name, []byte(test.content))
		require.NoError(t, err)
		require.Equal(t, test.told != "", len(d.Notes) > 0, name)
		require.Contains(t, strings.Join(d.Notes, " "), test.told, name)
	}
}

// What a file is its content says in the encoding that the user says it has.
func TestContentIsLookedAtInTheEncodingThatIsSaid(t *testing.T) {
	d, err := Reading{Encoding: "shift_jis"}.Parse("page", []byte("<!DOCTYPE html><p>\x93\xfa\x96\x7b</p>"))
	require.NoError(t, err)
	require.Equal(t, "HTML", d.Format)
}
