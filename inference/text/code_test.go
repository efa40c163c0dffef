package text

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCodeStays(t *testing.T) {
	for _, code := range []string{
		"    for i in range(10): print(i)\n",
		"    if (x > 3) { return foo(x); }\n\n    x = compute(y) + 1\n",
		"\tgo test ./... -count=1\n\tcd build\n",
		"    SELECT name FROM users WHERE id = 7;\r\n",
		"    $ sudo apt install dragoman\n    Reading package lists\n",
		"    def main():\n        return None\n",
		"    <div class=\"a\">Hello world</div>\n",
		"```\nThis is no sentence.\n```\n",
		"~~~sh\nlook at this\n\nand that\n~~~~\n",
		"  ```go\n  fmt.Println(\"Hello\")\n  ```",
	} {
		s := "Run this:\n\n" + code
		pieces := Split(s, "en")
		require.Equal(t, s, joined(pieces))
		require.Len(t, pieces, 2, "%q", pieces)
		s += "\nThen you are done."
		require.Len(t, Split(s, "en"), 3, "%q", s)
		require.NotEqual(t, 2, len(SplitLines(s, "en")), "lines stand by themselves")
	}
}

// TestProseIsNoCode has what is indented for other reasons.
func TestProseIsNoCode(t *testing.T) {
	for _, s := range []string{
		"    Dear Maria, thank you for your letter.\n    I read it on the train.\n",
		"    The function foo() must be called before the end.\n",
		"    He said: \"Come here!\"\n",
		"    Street 12\n    Some Town\n",
		"    - call Maria\n    - buy milk\n",
		"```\nno end\n",
		"    a = b\n    This is what it says in the book of the year.\n",
		"\tName:\tMaria\n",
	} {
		require.Equal(t, SplitLines(s, "en"), Split(s, "en"), "%q", s)
	}
}

func TestCodeTakesLinearTime(t *testing.T) {
	var falling strings.Builder // each fence is longer than all behind it
	for n := 2_000; n >= 3; n-- {
		falling.WriteString(strings.Repeat("`", n) + "\n")
	}
	require.Equal(t, falling.String(), joined(Split(falling.String(), "en")))
	word := "    " + strings.Repeat("a", 1<<20) + "\n"
	require.Equal(t, word, joined(Split(word, "en")))
	for _, line := range []string{"    word\n", "    x = 1\n", "```\n", "``` `\n", "    \n", "~~~x\n", "    a b\n\n", "````x\n"} {
		s := strings.Repeat(line, 100_000)
		require.Equal(t, len(s), len(joined(Split(s, "en"))))
		s += "    This one reads like a sentence to everybody."
		require.Equal(t, len(s), len(joined(Split(s, "en"))))
	}
}
