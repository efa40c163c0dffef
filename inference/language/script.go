package language

import (
	"slices"
	"strings"
	"unicode"
)

// script is a way of writing and the languages of M2M-100 that use it.
type script struct {
	table *unicode.RangeTable
	// weight of one letter: a Han character says as much as several letters.
	weight    int
	languages []string
}

// scripts are in the order of ISO 15924 only as far as that matters: Han last,
// because Japanese is written in it too.
var scripts = []script{
	{unicode.Latin, 1, strings.Fields(`af ast az br bs ca ceb cs cy da de en es et ff fi fr fy ga gd gl ha hr ht hu id ig
		ilo is it jv lb lg ln lt lv mg ms nl no ns oc pl pt ro sk sl so sq ss su sv sw tl tn tr uz vi wo xh yo zu`)},
	{unicode.Cyrillic, 1, strings.Fields(`ba be bg kk mk mn ru sr uk`)},
	{unicode.Arabic, 1, strings.Fields(`ar fa ps sd ur`)},
	{unicode.Devanagari, 1, strings.Fields(`hi mr ne`)},
	{unicode.Hebrew, 1, strings.Fields(`he yi`)},
	{unicode.Greek, 1, []string{"el"}},
	{unicode.Armenian, 1, []string{"hy"}},
	{unicode.Georgian, 1, []string{"ka"}},
	{unicode.Ethiopic, 1, []string{"am"}},
	{unicode.Bengali, 1, []string{"bn"}},
	{unicode.Gujarati, 1, []string{"gu"}},
	{unicode.Gurmukhi, 1, []string{"pa"}},
	{unicode.Kannada, 1, []string{"kn"}},
	{unicode.Malayalam, 1, []string{"ml"}},
	{unicode.Oriya, 1, []string{"or"}},
	{unicode.Sinhala, 1, []string{"si"}},
	{unicode.Tamil, 1, []string{"ta"}},
	{unicode.Khmer, 1, []string{"km"}},
	{unicode.Lao, 1, []string{"lo"}},
	{unicode.Myanmar, 1, []string{"my"}},
	{unicode.Thai, 1, []string{"th"}},
	{unicode.Hangul, 2, []string{"ko"}},
	{unicode.Hiragana, 2, []string{"ja"}},
	{unicode.Katakana, 2, []string{"ja"}},
	{unicode.Han, 3, []string{"ja", "zh"}},
}

// scriptOf is the first script of each language in scripts.
var scriptOf = func() map[string]int {
	of := map[string]int{}
	for i, s := range scripts {
		for _, code := range s.languages {
			if _, ok := of[code]; !ok {
				of[code] = i
			}
		}
	}
	return of
}()

var (
	latin     = indexOf(unicode.Latin)
	han       = indexOf(unicode.Han)
	kana      = []int{indexOf(unicode.Hiragana), indexOf(unicode.Katakana)}
	longVowel = 'ー' // Unicode counts it to both kana, as a script of its own
)

func indexOf(table *unicode.RangeTable) int {
	return slices.IndexFunc(scripts, func(s script) bool { return s.table == table })
}

// scriptIndex is where c's script is in scripts, -1 for what is no letter of
// any of them.
func scriptIndex(c rune) int {
	switch {
	case c < 0x80:
		if 'a' <= c|0x20 && c|0x20 <= 'z' {
			return latin
		}
		return -1
	case c == 'ª' || c == 'º': // signs of ordinal numbers
		return -1
	case c == longVowel:
		return kana[1]
	}
	for i, s := range scripts {
		if unicode.Is(s.table, c) {
			return i
		}
	}
	return -1
}

// everything is all languages of scripts.
var everything = func() []string {
	var all []string
	for code := range scriptOf {
		all = append(all, code)
	}
	slices.Sort(all)
	return all
}()

// weigh adds the letters of the words up by script, each letter with its
// script's weight.
func weigh(words []word) (counts []int) {
	counts = make([]int, len(scripts))
	for _, w := range words {
		counts[w.script] += w.letters * scripts[w.script].weight
	}
	// Japanese mixes its three scripts, Chinese may quote a kana: a tenth is not
	// a quotation.
	if k := counts[kana[0]] + counts[kana[1]]; k*10 >= counts[han] && k > 0 {
		counts[kana[0]], counts[kana[1]], counts[han] = k+counts[han], 0, 0
	}
	return counts
}

// narrow returns those of the languages that are written in the text's main
// script, and that script's share of the letters.
func narrow(counts []int, among []string) (candidates []string, share float64) {
	total := 0
	for _, n := range counts {
		total += n
	}
	order := make([]int, len(scripts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return counts[b] - counts[a] })
	for _, i := range order {
		if counts[i] == 0 {
			return nil, 0
		}
		for _, code := range among {
			if slices.Contains(scripts[i].languages, code) && !slices.Contains(candidates, code) {
				candidates = append(candidates, code)
			}
		}
		if len(candidates) > 0 {
			if i == han {
				return onlyHan(candidates, counts[i], total)
			}
			return candidates, float64(counts[i]) / float64(total)
		}
	}
	return nil, 0
}

// onlyHan guesses for a text without kana: more often Chinese, the surer the
// longer, as a Japanese sentence has kana.
func onlyHan(candidates []string, count, total int) ([]string, float64) {
	share := 0.95 * float64(count) / float64(total)
	if count < 8*scripts[han].weight {
		share *= 0.7
	}
	if slices.Contains(candidates, "zh") {
		return []string{"zh"}, share
	}
	return candidates, share
}

// Written returns the share of a text's letters that are of scripts which a
// language of M2M-100 is written in, and how many letters there are.
func Written(text, code string) (share float64, letters int) {
	own := 0
	for _, c := range text {
		if c < 0x80 && (c|0x20 < 'a' || c|0x20 > 'z') || !unicode.IsLetter(c) {
			continue
		}
		letters++
		if i := scriptIndex(c); i >= 0 && slices.Contains(scripts[i].languages, code) || c == longVowel && code == "ja" {
			own++
		}
	}
	if letters == 0 {
		return 1, 0
	}
	return float64(own) / float64(letters), letters
}
