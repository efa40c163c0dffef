package check

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var six = strings.Fields("de en es fr it pt")

type pair struct {
	from, to       string
	source, target []string
}

// references are the human translations of the test sets in all directions.
func references(t *testing.T) (all []pair) {
	t.Helper()
	read := func(name string) []string {
		data, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "corpus", "test", name))
		if os.IsNotExist(err) {
			t.Skip("../shared/corpus/test is not beside this checkout: " + name + " is missing")
		}
		require.NoError(t, err)
		return strings.Split(strings.TrimSpace(string(data)), "\n")
	}
	for _, from := range six {
		for _, to := range six {
			if from == to {
				continue
			}
			all = append(all, pair{from, to, read("pud." + from), read("pud." + to)})
			if from == "en" || to == "en" {
				other := from
				if from == "en" {
					other = to
				}
				all = append(all, pair{from, to, read("laser-tatoeba-" + other + "." + from), read("laser-tatoeba-" + other + "." + to)})
			}
		}
	}
	return all
}

// TestGoodTranslationsAreNotDoubted holds the share of human translations that
// are doubted, which are false alarms.
func TestGoodTranslationsAreNotDoubted(t *testing.T) {
	counts, total, doubted := map[Kind]int{}, 0, 0
	shown := map[Kind]int{}
	for _, p := range references(t) {
		for i := range p.source {
			if testing.Short() && i%10 != 0 {
				continue
			}
			total++
			doubts := Sentence(p.source[i], p.target[i], p.from, p.to)
			if len(doubts) > 0 {
				doubted++
			}
			for _, d := range doubts {
				counts[d]++
				if shown[d]++; shown[d] <= 4 {
					t.Logf("%s %s-%s %q\n\t%q", d, p.from, p.to, p.source[i], p.target[i])
				}
			}
		}
	}
	table := ""
	for _, kind := range kinds {
		table += fmt.Sprintf(" %s %.2f%%", kind, percent(counts[kind], total))
	}
	t.Logf("%d translations, doubted %.2f%%:%s", total, percent(doubted, total), table)
	require.Less(t, percent(doubted, total), 2.0)
	for kind, n := range counts {
		require.Less(t, percent(n, total), 1.0, kind)
	}
}

var kinds = []Kind{Repetition, Length, Script, Language, Untranslated, Dropped, Numbers, Token}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

// TestBrokenTranslationsAreDoubted breaks human translations as models do.
func TestBrokenTranslationsAreDoubted(t *testing.T) {
	for _, test := range []struct {
		name   string
		want   []Kind
		broken func(p pair, i int) (string, bool)
		floor  float64 // per cent that must be found
	}{
		{"the source again", []Kind{Untranslated, Language}, func(p pair, i int) (string, bool) { return p.source[i], true }, 95},
		{"another text in the source's language", []Kind{Language, Numbers}, func(p pair, i int) (string, bool) {
			j := (i + 7) % len(p.source)
			return p.source[j], len(words(p.source[j])) >= 8 && !lengthDiffers(p.source[i], p.source[j], p.from, p.to)
		}, 85},
		{"looped", []Kind{Repetition}, func(p pair, i int) (string, bool) {
			w := strings.Fields(p.target[i])
			if len(w) < 4 {
				return "", false
			}
			return strings.Join(w[:len(w)-1], " ") + strings.Repeat(" "+strings.Join(w[len(w)-2:], " "), 4), true
		}, 98},
		{"the first third", []Kind{Length, Dropped}, func(p pair, i int) (string, bool) {
			w := strings.Fields(p.target[i])
			if len(w) < 12 {
				return "", false
			}
			return strings.Join(w[:len(w)/3], " ") + ".", true
		}, 80},
		{"another sentence's numbers", []Kind{Numbers}, func(p pair, i int) (string, bool) {
			out := strings.Map(func(c rune) rune {
				if c >= '0' && c <= '9' {
					return '0' + (c-'0'+3)%10
				}
				return c
			}, p.target[i])
			long := 0
			for n := range numbers(p.source[i]) {
				if !small(n) {
					long++
				}
			}
			return out, long > 0 && out != p.target[i]
		}, 95},
		{"twice as much", []Kind{Length, Repetition}, func(p pair, i int) (string, bool) {
			return p.target[i] + " " + p.target[(i+1)%len(p.target)] + " " + p.target[(i+2)%len(p.target)], len(p.source[i]) > 40
		}, 60},
	} {
		found, total := 0, 0
		for _, p := range references(t) {
			for i := 0; i < len(p.source); i += 20 {
				out, ok := test.broken(p, i)
				if !ok {
					continue
				}
				total++
				if slices.ContainsFunc(Sentence(p.source[i], out, p.from, p.to), func(k Kind) bool { return slices.Contains(test.want, k) }) {
					found++
				}
			}
		}
		t.Logf("%s: %.1f%% of %d", test.name, percent(found, total), total)
		require.GreaterOrEqual(t, percent(found, total), test.floor, test.name)
	}
}
