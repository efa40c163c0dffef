package restructured

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/watch/document/segment"
	"dragoman/watch/document/segment/segmenttest"
)

func translated(t *testing.T, body string, translate func(string) string) string {
	t.Helper()
	return segmenttest.Translated(t, Read, body, segment.Options{To: "de"}, translate)
}

func TestWhatIsWritten(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"lines":            {"one two\nthree four\n", "ONE TWO\nTHREE FOUR\n"},
		"title":            {"A title\n=======\n\na\n", "A TITLE\n=======\n\nA\n"},
		"over and under":   {"=====\nTitle\n=====\n", "=====\nTITLE\n=====\n"},
		"numbered title":   {"1. A title\n==========\n", "1. A TITLE\n==========\n"},
		"emphasis":         {"a *b* **c** d\n", "A *B* **C** D\n"},
		"across lines":     {"a *b\nc* d\n", "A *B\nC* D\n"},
		"literal":          {"a ``b *c*`` d\n", "A ``b *c*`` D\n"},
		"literal block":    {"a::\n\n   b\n\n   c\n\nd\n", "A::\n\n   b\n\n   c\n\nD\n"},
		"literal, quoted":  {"a::\n\n> b\n> c\n\nd\n", "A::\n\n> b\n> c\n\nD\n"},
		"only two colons":  {"::\n\n   b\n\nd\n", "::\n\n   b\n\nD\n"},
		"link":             {"a `b <http://x.y>`_ c\n", "A `B <http://x.y>`_ C\n"},
		"reference":        {"a `b c`_ d\n\n.. _b c: http://x.y\n", "A `B C <b c_>`_ D\n\n.. _b c: http://x.y\n"},
		"to a title":       {"A b\n===\n\nsee `a b`_\n", ".. _A b:\n\nA B\n===\n\nSEE `A B <a b_>`_\n"},
		"simple reference": {"see x_ and y__\n", "SEE x_ AND y__\n"},
		"anonymous":        {"see `x`__ .\n\n__ http://x.y\n", "SEE `X`__ .\n\n__ http://x.y\n"},
		"roles":            {"a :func:`b` and `c`:d: and :ref:`e <f>` and :dfn:`g`\n", "A :func:`b` AND `c`:d: AND :ref:`E <f>` AND :dfn:`G`\n"},
		"footnotes":        {"a [1]_ b [#x]_\n\n.. [1] c\n.. [#x] d\n   e\n", "A [1]_ B [#x]_\n\n.. [1] C\n.. [#x] D\n   E\n"},
		"substitution":     {"a |b| c\n\n.. |b| replace:: d\n.. |e| image:: f.png\n   :alt: g\n", "A |b| C\n\n.. |b| replace:: D\n.. |e| image:: f.png\n   :alt: G\n"},
		"no markup":        {"2 * 3 and a*b, \"*\", x_y\n", "2 \\* 3 AND A\\*B, \"\\*\", X_Y\n"},
		"escaped":          {"a \\*b\\* c\\ *d*\n", "A \\*B\\* C\\ *D*\n"},
		"bullets":          {"- a\n- b\n  c\n\n  d\n", "- A\n- B\n  C\n\n  D\n"},
		"numbers":          {"1. a\n#. b\n(c) d\n\n", "1. A\n#. B\n(c) D\n\n"},
		"initial":          {"A. Einstein was\na man.\n", "\\A. EINSTEIN WAS\nA MAN.\n"},
		"definition":       {"a : b\n   c\n", "A : B\n   C\n"},
		"fields":           {":author: a\n:x y: b\n   c\n", ":author: a\n:x y: B\n   C\n"},
		"options":          {"-a, --bc  d\n--ef=GH  i\n         j\n", "-a, --bc  D\n--ef=GH  I\n         J\n"},
		"verses":           {"| a\n| b\n  c\n|\n", "| A\n| B\n  C\n|\n"},
		"note":             {".. note:: a\n   b\n\n   c\n\nd\n", ".. note:: A\n   B\n\n   C\n\nD\n"},
		"options of it":    {".. note::\n   :class: x\n\n   a\n", ".. note::\n   :class: x\n\n   A\n"},
		"code":             {".. code-block:: c\n   :caption: a b\n\n   int x;\n\na\n", ".. code-block:: c\n   :caption: A B\n\n   int x;\n\nA\n"},
		"unknown":          {".. abc:: d\n\n   e\n\nf\n", ".. abc:: d\n\n   e\n\nF\n"},
		"function":         {".. py:function:: a(b)\n                 c(d)\n\n   e\n", ".. py:function:: a(b)\n                 c(d)\n\n   E\n"},
		"comment":          {".. a\n   b\n\n..\n\n   c\n", ".. a\n   b\n\n..\n\n   C\n"},
		"target":           {".. _a: b\n   c\n\n   d\n", ".. _a: b\n   c\n\n   D\n"},
		"tables":           {"=== ===\na   b\n=== ===\nc   d\n=== ===\n\n+---+\n| e |\n+---+\n\nf\n", "=== ===\nA   B\n=== ===\nC   D\n=== ===\n\n+---+\n| E |\n+---+\n\nF\n"},
		"rule":             {"a\n\n----\n\nb\n", "A\n\n----\n\nB\n"},
		"doctest":          {">>> a\nb\n\nc\n", ">>> a\nb\n\nC\n"},
		"line ends":        {"a\r\nb\r\n\r\nc *d*\r\n", "A\r\nB\r\n\r\nC *D*\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, translated(t, c.body, strings.ToUpper))
		})
	}
}

func TestWhatATranslationMayNotBecome(t *testing.T) {
	for name, c := range map[string]struct{ body, says, want string }{
		"longer title":    {"a\n=\n", "much longer", "much longer\n===========\n"},
		"wider title":     {"==\nab\n==\n", "中文", "====\n中文\n====\n"},
		"list":            {"a\n", "- b", "\\- b\n"},
		"number":          {"a\n", "3. b", "\\3. b\n"},
		"literal":         {"a\n", "b::", "b:\\:\n"},
		"rule":            {"a\nb\n", "x ----", "x\n\\----\n"},
		"reference":       {"a\n", "b_ `c`_ |d|", "b\\_ \\`c\\`\\_ \\|d\\|\n"},
		"without a space": {"a *b* c\n", "", "中\\ *文*\\ 字\n"},
	} {
		t.Run(name, func(t *testing.T) {
			says := func(s string) string {
				if c.says != "" {
					return c.says
				}
				return map[string]string{"a b c": "中文字", "b": "文"}[s]
			}
			require.Equal(t, c.want, translated(t, c.body, says))
		})
	}
}

func TestHostileTexts(t *testing.T) {
	_, err := Read(strings.Repeat("a", maxLine+1))
	require.ErrorContains(t, err, "longer than 1 MiB")
	for _, piece := range []string{"*a ", "`a ", "**a ", "|a ", "``a ", "_`a ", ":a:`b ", "[a ", "- ", "> ", "\\", "a_ ", "a-", "-:a", "[a-", ".. ", "a\n=\n", "a\n b\n"} {
		_, err := Read(strings.Repeat(piece, 200_000/len(piece)))
		require.NoError(t, err)
	}
}
