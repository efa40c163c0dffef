package restructured

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/watch/document/segment"
)

func TestGridTables(t *testing.T) {
	for name, c := range map[string]struct {
		body, want string
		says       func(string) string
	}{
		"widened": {
			"+------+-----+\n| head | two |\n+======+=====+\n| a    | b   |\n|      | c   |\n+------+-----+\n\nd\n",
			"+-------+------+\n| HEADX | TWOX |\n+=======+======+\n| AX    | B    |\n|       | CX   |\n+-------+------+\n\nDX\n", nil,
		},
		"spans": {
			"  +-----+-----+---+\n  | one two   | x |\n  +-----+-----+   |\n  | a   | b   |   |\n  |     +-----+---+\n  |     | c d e f |\n  +-----+---------+\n",
			"  +-----+-----+----+\n  | ONE TWOX  | XX |\n  +-----+-----+    |\n  | AX  | BX  |    |\n  |     +-----+----+\n  |     | C D E FX |\n  +-----+----------+\n", nil,
		},
		"wide characters": {
			"+----+----+\n| ab | 中 |\n+----+----+\n", "+--------+--------+\n| 日本語 | 日本語 |\n+--------+--------+\n", func(string) string { return "日本語" },
		},
		"what is in cells": {
			"+----------+\n| - *a* b  |\n| - ``c|d``|\n|          |\n| e_ f     |\n+----------+\n",
			"+----------+\n| - *A* BX |\n| - ``c|d``|\n|          |\n| e_ FX    |\n+----------+\n", nil,
		},
		"line ends": {"+---+\r\n| a |\r\n+---+\r\n", "+----+\r\n| AX |\r\n+----+\r\n", nil},
		"a table in a cell": {
			"+-------+\n| a b   |\n|       |\n| +---+ |\n| | c | |\n| +---+ |\n+-------+\n", "+--------+\n| A BX   |\n|        |\n| +----+ |\n| | CX | |\n| +----+ |\n+--------+\n", nil,
		},
		"in a directive": {".. table:: one\n\n   +---+\n   | a |\n   +---+\n", ".. table:: ONEX\n\n   +----+\n   | AX |\n   +----+\n", nil},
		"bars":           {"+-----+\n| a b |\n+-----+\n", "+--------+\n| a \\| b |\n+--------+\n", func(string) string { return "a | b" }},
		"no table":       {"+---+---+\n| a |\n+---+---+\n\n+---+\n| abc |\n+---+\n\n+--+--+\n|a  b|\n", "+---+---+\n| a |\n+---+---+\n\n+---+\n| abc |\n+---+\n\n+--+--+\n|a  b|\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			says := c.says
			if says == nil {
				says = func(s string) string {
					if s == "b c" {
						return "B CX" // with as many letters more as all others
					}
					return strings.ToUpper(s) + "X"
				}
			}
			require.Equal(t, c.want, translated(t, c.body, says))
			require.Equal(t, c.body, translated(t, c.body, func(s string) string { return s }))
		})
	}
}

func TestSimpleTables(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"widened": {
			"===  ===== ====\na    b c   d\n===  ===== ====\ne    f     - g\n     hi    - j k l\n\nm\n===  ===== ====\n\nn\n",
			"===  ===== =====\nAX   B CX  DX\n===  ===== =====\nEX   F     - GX\n     HIX   - J K LX\n\nMX\n===  ===== =====\n\nNX\n",
		},
		"without a head": {"  = =\r\n  a b\r\n  = =\r\n", "  == ==\r\n  AX BX\r\n  == ==\r\n"},
		"wide":           {"== ==\n中 b\n== ==\n", "=== ==\n中X BX\n=== ==\n"},
		"in an item":     {"- == ==\n  ab c\n  == ==\n", "- === ==\n  ABX CX\n  === ==\n"},
		"spans": {
			"=====  =====  ======\n   Inputs     Output\n------------  ------\n  A      B    A or B\n=====  =====  ======\nFalse  False  False\nnone of these words\n--------------------\nTrue          True\n=====  =====  ======\n",
			"======  ======  =======\n   INPUTSX      OUTPUTX\n--------------  -------\n  AX      BX    A OR BX\n======  ======  =======\nFALSEX  FALSEX  FALSEX\nNONE OF THESE WORDSX\n-----------------------\nTRUEX           TRUEX\n======  ======  =======\n",
		},
		"spans, widened":                     {"= = =\na b c\n----- \nd e f\n=====\n", "= = ==\nA B CX\n------\nD E FX\n======\n"},
		"a line below a row":                 {"== ==\na  b\n-- --\nc  d\n== ==\n", "== ==\nAX BX\n-- --\nCX DX\n== ==\n"},
		"spans that do not end with columns": {"== ==\na b\n----\nc  d\n== ==\n", "== ==\na b\n----\nc  d\n== ==\n"},
		"over borders":                       {"= =\nabcd\n= =\n", "= =\nabcd\n= =\n"},
		"no end":                             {"= =\na b\n", "= =\na b\n"},
		"borders differ":                     {"= = =\na b c\n=== =\nd e f\n= = =\n\n", "== == ==\nA BX  CX\n===== ==\nDX EX FX\n== == ==\n\n"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, translated(t, c.body, func(s string) string { return strings.ToUpper(s) + "X" }))
			require.Equal(t, c.body, translated(t, c.body, func(s string) string { return s }))
		})
	}
}

// The texts of cells come in the order of the file, each in a place of its own.
func TestOrderOfCells(t *testing.T) {
	p, err := Read("a\n\n+---+---+\n| b | c |\n+---+---+\n| d | e |\n|   |   |\n|   | f |\n+---+---+\n\ng\n")
	require.NoError(t, err)
	var all []string
	ids := map[string]bool{}
	for _, s := range p.Segments {
		all = append(all, s.Source())
		require.False(t, ids[s.ID], s.ID)
		ids[s.ID] = true
	}
	require.Equal(t, strings.Fields("a b c d e f g"), all)
	require.Equal(t, segment.Cell, p.Segments[1].Kind)
}

// Tables in tables are read again with each that they are in: those that are too deep stay.
func TestDeepTables(t *testing.T) {
	deep := "a"
	for depth := range maxTables + 1 {
		lines := strings.Split(deep, "\n")
		border := "+" + strings.Repeat("-", len(lines[0])) + "+"
		deep = border + "\n|" + strings.Join(lines, "|\n|") + "|\n" + border
		want := strings.ToUpper(deep)
		if depth == maxTables {
			want = deep
		}
		require.Equal(t, want, translated(t, deep, strings.ToUpper), depth)
	}
}
