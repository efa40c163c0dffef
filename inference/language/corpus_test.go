package language

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// all are the codes of the M2M-100 models.
var all = strings.Fields(`af am ar ast az ba be bg bn br bs ca ceb cs cy da de el en es et fa ff fi fr fy ga gd gl gu
	ha he hi hr ht hu hy id ig ilo is it ja jv ka kk km kn ko lb lg ln lo lt lv mg mk ml mn mr
	ms my ne nl no ns oc or pa pl ps pt ro ru sd si sk sl so sq sr ss su sv sw ta th tl tn tr uk
	ur uz vi wo xh yi yo zh zu`)

var six = strings.Fields(`de en es fr it pt`)

// TestCorpusAccuracy holds the detector to what it reached on held-out
// sentences, so that a change which costs accuracy is seen.
func TestCorpusAccuracy(t *testing.T) {
	for _, test := range []struct {
		set   string
		words int // of the beginning of each sentence; 0 is all
		among []string
		name  string
		floor float64 // percent, of every language
	}{
		{"pud", 0, six, "six", 98.5},
		{"pud", 0, all, "all", 97.5},
		{"laser-tatoeba", 0, six, "six", 92},
		{"laser-tatoeba", 0, all, "all", 88},
		{"laser-tatoeba", 3, six, "six", 80},
		{"laser-tatoeba", 3, all, "all", 74},
		{"laser-tatoeba", 2, six, "six", 70},
		{"laser-tatoeba", 1, six, "six", 42},
	} {
		table := ""
		for _, code := range six {
			lines := corpus(t, test.set, code)
			right := 0
			for _, line := range lines {
				fields := strings.Fields(line)
				if test.words > 0 && len(fields) > test.words {
					line = strings.Join(fields[:test.words], " ")
				}
				if got, _ := answer(line, test.among); got == code {
					right++
				}
			}
			percent := 100 * float64(right) / float64(len(lines))
			assert.GreaterOrEqual(t, percent, test.floor, "%s of %s, %d words, among %s", code, test.set, test.words, test.name)
			table += " " + code + " " + fmt.Sprintf("%.1f", percent)
		}
		t.Logf("%s, %d words, among %s:%s", test.set, test.words, test.name, table)
	}
}

func corpus(t *testing.T, set, code string) []string {
	t.Helper()
	name := set + "." + code
	if set == "laser-tatoeba" {
		other := code
		if code == "en" {
			other = "de"
		}
		name = set + "-" + other + "." + code
	}
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "corpus", "test", name))
	if os.IsNotExist(err) {
		t.Skip("../shared/corpus/test is not beside this checkout: " + name + " is missing")
	}
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	require.Len(t, lines, 1000)
	if testing.Short() {
		lines = lines[:250]
	}
	return lines
}
