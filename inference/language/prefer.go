package language

import "slices"

// nearly is the share of the best answer's confidence from which on a hint
// decides.
const nearly = 0.25

// Prefer settles an unsure finding by the languages that are likely here, such
// as those of the last texts: of the alternatives the likeliest one among them
// counts, unless it is far behind. The finding stays unsure.
func (f Finding) Prefer(likely []string) Finding {
	if !f.Unsure || f.Language == "" || slices.Contains(likely, f.Language) {
		return f
	}
	for i, a := range f.Alternatives { // likeliest first
		if !slices.Contains(likely, a.Language) || a.Confidence < nearly*f.Confidence {
			continue
		}
		f.Alternatives = slices.Clone(f.Alternatives)
		f.Alternatives[i].Language, f.Language = f.Language, a.Language
		f.Alternatives[i].Confidence, f.Confidence = f.Confidence, a.Confidence
		return f
	}
	return f
}
