package main

import "fmt"

// texts makes sentences of about 17 tokens that all differ, so that the
// translation memory knows none of them.
type texts struct{ made int }

var (
	adjectives = []string{"old", "young", "new", "kind", "tired", "famous", "quiet", "happy", "strange", "small", "busy", "clever"}
	people     = []string{"teacher", "doctor", "farmer", "writer", "student", "neighbour", "driver", "cook", "singer", "nurse", "judge", "baker", "painter"}
	deeds      = []string{"bought a house", "found a letter", "lost a key", "saw a horse", "read a book", "wrote a story", "sold a car", "met a friend", "built a bridge", "opened a shop", "planted a tree"}
	places     = []string{"river", "station", "church", "market", "school", "garden", "harbour"}
	times      = []string{"winter", "summer", "rain", "night", "train"}
)

// variants is the number of different sentences.
var variants = len(adjectives) * len(people) * len(deeds) * len(places) * len(times)

// stride lets neighbours differ in several words. It is prime and divides
// no number of words, so that all variants are met.
const stride = 7919

// sentence returns another one each time, as long as there are any.
func (t *texts) sentence() string {
	n := t.made * stride % variants
	t.made++
	pick := func(words []string) string {
		word := words[n%len(words)]
		n /= len(words)
		return word
	}
	return fmt.Sprintf("The %s %s %s near the %s before the %s came.", pick(adjectives), pick(people), pick(deeds), pick(places), pick(times))
}

// sentences returns n of them.
func (t *texts) sentences(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = t.sentence()
	}
	return all
}

// short is a file's text.
func (t *texts) short() string { return t.sentence() + "\n" }

// files are the texts of n files.
func (t *texts) files(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = t.short()
	}
	return all
}
