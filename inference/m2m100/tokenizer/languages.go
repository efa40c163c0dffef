package tokenizer

import (
	"fmt"
	"slices"
	"strings"
)

// languageOrders are the languages in the order of their tokens, by the name
// that tokenizer_config.json calls them (language_codes); the orders are those
// of transformers' M2M100Tokenizer.
var languageOrders = map[string][]string{
	"m2m100": strings.Fields(`
		af am ar ast az ba be bg bn br bs ca ceb cs cy da de el en es et fa ff fi fr fy ga gd gl gu
		ha he hi hr ht hu hy id ig ilo is it ja jv ka kk km kn ko lb lg ln lo lt lv mg mk ml mn mr
		ms my ne nl no ns oc or pa pl ps pt ro ru sd si sk sl so sq sr ss su sv sw ta th tl tn tr uk
		ur uz vi wo xh yi yo zh zu`),
	"wmt21": strings.Fields(`en ha is ja cs ru zh de`),
}

// setLanguages numbers the language tokens: first, as transformers does, the
// known order from the end of vocab.json on, whatever other files say; then
// languages that only added_tokens.json names. Of these the model translates
// the trained ones, or all where the checkpoint does not say.
func (t *Tokenizer) setLanguages(c *configuration) error {
	order, ok := languageOrders[c.languageCodes]
	if !ok {
		return fmt.Errorf("tokenizer_config.json: language_codes %q: only m2m100 and wmt21 are known", c.languageCodes)
	}
	all := make(map[string]int32, len(order))
	for i, lang := range order {
		all[lang] = int32(t.vocab.size() + i)
	}
	t.size = t.vocab.size() + len(order)
	if err := t.addLanguages(c.addedTokens, all); err != nil {
		return fmt.Errorf("added_tokens.json: %w", err)
	}
	if err := t.setSize(c); err != nil {
		return err
	}
	t.languages = all
	if len(c.trainedLanguages) > 0 {
		t.languages = make(map[string]int32, len(c.trainedLanguages))
		for _, lang := range c.trainedLanguages {
			id, ok := all[lang]
			if !ok {
				return fmt.Errorf("tokenizer_config.json: trained_languages: %q has no language token", lang)
			}
			t.languages[lang] = id
		}
	}
	for lang := range t.languages {
		t.languageNames = append(t.languageNames, lang)
	}
	slices.Sort(t.languageNames)
	return nil
}

func (t *Tokenizer) addLanguages(added, all map[string]int32) error {
	first := t.size
	taken := make(map[int32]bool)
	for token, id := range added {
		lang, ok := languageOf(token)
		if _, known := all[lang]; !ok || known {
			continue
		}
		if int(id) < first || id >= maxVocabulary || taken[id] {
			return fmt.Errorf("the language token %q has the number %d, which is another token's or no token's", token, id)
		}
		taken[id] = true
		all[lang] = id
		t.size = max(t.size, int(id)+1)
	}
	return nil
}

// languageOf takes the language out of a language token, `__de__`.
func languageOf(token string) (string, bool) {
	lang, prefixed := strings.CutPrefix(token, "__")
	lang, suffixed := strings.CutSuffix(lang, "__")
	return lang, prefixed && suffixed && lang != ""
}

// setSize fills up with made-up words to the vocabulary size of the model's
// configuration, which may be larger than their stated number (converters pad);
// without a configuration their number counts.
func (t *Tokenizer) setSize(c *configuration) error {
	if c.vocabSize == 0 {
		t.size += c.madeUpWords
		return nil
	}
	if c.vocabSize < t.size {
		return fmt.Errorf("config.json: vocab_size %d is too small for %d entries of vocab.json and %d language tokens: these files are of different models",
			c.vocabSize, t.vocab.size(), t.size-t.vocab.size())
	}
	t.size = c.vocabSize
	return nil
}
