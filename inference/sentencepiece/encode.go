package sentencepiece

// Token is one piece of a text.
type Token struct {
	// Text is the piece with U+2581 for spaces. Where ID is the unknown piece,
	// it is the whole run of text that no piece covers.
	Text string
	ID   int32 // in [0, Size)
}

// Tokenize cuts text, at most 128 MiB, into pieces. Neighbouring stretches of
// unknown text are one token, as SentencePiece hands them out.
func (m *Model) Tokenize(text string) []Token {
	return m.cut(m.normalizer.normalize(text), nil)
}

// TokenizeFrom is Tokenize that also says where in text each token begins, its space
// counted; the end of text is behind them. A character that became several tokens
// begins all of them.
func (m *Model) TokenizeFrom(text string) (tokens []Token, from []int32) {
	var bytes []int32
	normalized := m.normalizer.normalizeFrom(text, &bytes)
	tokens = m.cut(normalized, func(start int32) { from = append(from, bytes[start]) })
	return tokens, append(from, int32(len(text)))
}

// cut cuts normalised text. begin, where not nil, is told where each token begins.
func (m *Model) cut(normalized string, begin func(start int32)) []Token {
	if normalized == "" {
		return nil
	}
	g := newMerger(m, normalized)
	g.run()
	tokens := make([]Token, 0, len(g.symbols)/3+2)
	unknownStart := int32(-1) // where the run of unknown text began
	g.emit(func(start, end, id int32) {
		if begin != nil && (id != m.unknown || unknownStart < 0) {
			begin(start)
		}
		if id != m.unknown {
			unknownStart = -1
			tokens = append(tokens, Token{Text: normalized[start:end], ID: id})
			return
		}
		if unknownStart < 0 {
			unknownStart = start
			tokens = append(tokens, Token{ID: id})
		}
		tokens[len(tokens)-1].Text = normalized[unknownStart:end]
	})
	return tokens
}

// Encode cuts text into pieces: Tokenize without the numbers.
func (m *Model) Encode(text string) []string {
	tokens := m.Tokenize(text)
	pieces := make([]string, len(tokens))
	for i, t := range tokens {
		pieces[i] = t.Text
	}
	return pieces
}
