package document

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Rules that fit nothing are mistakes more often than not.
func TestRulesThatTakeNothingAreTold(t *testing.T) {
	for name, test := range map[string]struct {
		content string
		reading Reading
		told    bool
	}{
		"a.csv":  {"Chair,red\n", Reading{Columns: []string{"9"}}, true},
		"b.csv":  {"Chair,red\n", Reading{Columns: []string{"1"}}, false},
		"c.json": {`{"a": "A chair"}`, Reading{JSONPaths: []string{"**.nothing"}}, true},
		"d.json": {`{"a": "A chair"}`, Reading{JSONPaths: []string{"a"}}, false},
		"e.json": {`{}`, Reading{Columns: []string{"2"}}, false}, // for other files of the folder
		"f.csv":  {"1,2\n", Reading{}, false},
	} {
		d, err := test.reading.Parse(name, []byte(test.content))
		require.NoError(t, err)
		require.Equal(t, test.told, len(d.Notes) > 0, name)
	}
}

// What a file is its content says in the encoding that the user says it has.
func TestContentIsLookedAtInTheEncodingThatIsSaid(t *testing.T) {
	d, err := Reading{Encoding: "shift_jis"}.Parse("page", []byte("<!DOCTYPE html><p>\x93\xfa\x96\x7b</p>"))
	require.NoError(t, err)
	require.Equal(t, "HTML", d.Format)
}
