package language

import "slices"

const (
	// Shares of a text's letters in scripts of none of the given languages, from
	// which on it is wholly or partly foreign. Names and quotations are less.
	whollyForeign = 2.0 / 3
	partlyForeign = 1.0 / 4
	// reliable is the lead in votes from which on another language is taken for
	// the text's.
	reliable = 1.5
	// likely is the lead from which on it is worth mentioning.
	likely = 0.5
	// hopeless is a lead by words and letters that no other language makes up
	// for by its trigrams.
	hopeless = 2 * trigramVote
)

// foreignScripts looks for letters that none of the given languages is written
// with. goOn says that there are enough of others to look at the words.
func foreignScripts(words []word, counts []int, strange int, among []string) (found Finding, goOn bool) {
	total, foreign, most := strange, strange, -1
	for i, n := range counts {
		total += n
		if n == 0 || covers(i, among) {
			continue
		}
		foreign += n
		if most < 0 || n > counts[most] {
			most = i
		}
	}
	share := float64(foreign) / float64(max(total, 1))
	if total == 0 || share < partlyForeign {
		return Finding{}, total > 0
	}
	if most >= 0 && counts[most] >= strange {
		found.Other = ofScript(words, counts, most)
	}
	found.Foreign = Partly
	if share > whollyForeign {
		found.Foreign = Wholly
	}
	return found, found.Foreign == Partly
}

// covers says whether a script is one of the given languages'.
func covers(script int, among []string) bool {
	return slices.ContainsFunc(scripts[script].languages, func(code string) bool { return slices.Contains(among, code) })
}

// ofScript is the most likely language of the words in one script.
func ofScript(words []word, counts []int, script int) string {
	if script == han {
		return "zh"
	}
	candidates := scripts[script].languages
	if len(candidates) == 1 {
		return candidates[0]
	}
	words = slices.DeleteFunc(slices.Clone(words), func(w word) bool { return w.script != script })
	first, _ := vote(words, vote(words, candidates).best(finalists)).winner()
	return first
}

// rival is the most likely language of the text's main script that is not among
// the given ones, its votes, and by how many it leads before the best of those;
// "" where it does not.
func rival(words []word, counts []int, among []string) (other string, score, lead float64) {
	all, _ := narrow(counts, everything)
	given := func(code string) bool { return slices.Contains(among, code) }
	foreign := func(code string) bool { return !given(code) }
	if !slices.ContainsFunc(all, given) || !slices.ContainsFunc(all, foreign) {
		return "", 0, 0
	}
	v := voteByWords(words, all)
	_, inside := v.leader(given)
	if _, outside := v.leader(foreign); inside-outside > hopeless {
		return "", 0, 0
	}
	v.addTrigrams(words)
	best := v.best(finalists)
	if code, _ := v.leader(given); !slices.Contains(best, code) {
		best = append(slices.Clip(best), code)
	}
	v = vote(words, best)
	_, inside = v.leader(given)
	if other, score = v.leader(foreign); other == "" || score <= inside {
		return "", 0, 0
	}
	return other, score, score - inside
}

// near says whether one of the given languages does in place of another.
func near(other string, among []string) bool {
	return slices.ContainsFunc(append([]string{relatives[other]}, nearest[other]...), func(code string) bool {
		return slices.Contains(among, code)
	})
}
