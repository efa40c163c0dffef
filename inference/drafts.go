package inference

import "dragoman/inference/m2m100/draft"

// nearPercent is how much alike a text must be whose translation is worth being
// followed as far as it is right.
const nearPercent = 60

// similar are the tokens of the person's own translation of what is most like a
// sentence, nil where nothing is.
func (j *job) similar(sentence string) []int32 {
	if j.request.Own == nil || !j.engine.Guesses() {
		return nil
	}
	found := j.request.Own.Similar(j.request.From, j.request.To, sentence, nearPercent, 1)
	if len(found) == 0 {
		return nil
	}
	return j.output(found[0].Target)
}

// output is a translation as the tokens that the model would give.
func (j *job) output(translation string) []int32 {
	tokens, err := j.tokenizer.Encode(j.request.To, translation)
	if err != nil || len(tokens) < 2 {
		return nil
	}
	return tokens[1 : len(tokens)-1]
}

// recalled keeps what the request's memory knew for sentences that are like it.
func (j *job) recalled(sentence, translation string) {
	if j.request.Forget || !j.engine.Guesses() {
		return
	}
	source, err := j.encode(sentence)
	target, ok := j.tokenizer.DecoderLanguage(j.request.To)
	if err == nil && ok {
		j.drafts.Learn(source, target, j.output(translation))
	}
}

// guesses are those of a source, nil where nothing checks them.
func (j *job) guesses(source []int32, target int32) *draft.Sentence {
	if !j.engine.Guesses() {
		return nil
	}
	return j.drafts.Sentence(j.watch, source, target, j.likely)
}

// Forget drops what earlier texts left in the memory of the process.
func (t *Translator) Forget() { t.drafts.Forget() }
