package trust

// Vocabulary is what golden sources are made of.
type Vocabulary struct {
	Size      int              // tokens, counted from 0
	Languages []int32          // their tokens
	End       int32            // the token that ends a source
	Special   func(int32) bool // tokens that stand for no text
}

// Source is a golden source: a text for a model, as tokens, with the language to
// translate into.
type Source struct {
	Tokens []int32 // language, words, end
	Target int32   // the language's token
	Bucket int     // the static graph that it is for
}

// Golden makes the golden sources of a vocabulary: for each bucket one that
// fills it, which has no padding, and one that fills a good half, whose padding
// must not be seen. They depend on nothing but vocabulary and buckets. Words are
// drawn at random: a device that errs for some values errs for those of a random
// text sooner than for those of a few chosen ones.
func Golden(v Vocabulary, buckets []int) (all []Source) {
	// Knuth's MMIX generator; any would do that is the same everywhere.
	state := uint64(v.Size)
	draw := func(n int) int {
		state = state*6364136223846793005 + 1442695040888963407
		return int(state>>33) % n
	}
	word := func() int32 {
		for {
			if token := int32(draw(v.Size)); !v.Special(token) {
				return token
			}
		}
	}
	for _, bucket := range buckets {
		for _, length := range []int{bucket, bucket*5/8 + 1} {
			tokens := []int32{v.Languages[draw(len(v.Languages))]}
			for len(tokens) < length-1 {
				tokens = append(tokens, word())
			}
			all = append(all, Source{append(tokens, v.End), v.Languages[draw(len(v.Languages))], bucket})
		}
	}
	return all
}

// Cheap are the golden sources of a repeated check: the second of each bucket.
func Cheap(all []Source) (some []Source) {
	for i := 1; i < len(all); i += 2 {
		some = append(some, all[i])
	}
	return some
}
