package draft

// trace follows an output along an older one that is like it.
type trace struct {
	old    []int32
	begins func(token int32) bool // a word

	at   int // the place of the old token that should come next
	left int // where the output has left its trace
	off  int // tokens in a row that differed
}

func (t *trace) restart() { t.at, t.left, t.off = 0, 0, 0 }

// reach is how far ahead an output is looked for after it has left its trace, and
// after how many tokens it is given up.
const reach = 8

// follow takes the output's next token.
func (t *trace) follow(token int32) {
	if t.at < len(t.old) && t.old[t.at] == token {
		t.at, t.off = t.at+1, 0
		return
	}
	if t.off == 0 {
		t.left = t.at
	}
	for i := t.left; i < min(t.at+reach, len(t.old)); i++ { // the tokens that differed may be in the output only
		if t.old[i] == token {
			t.at, t.off = i+1, 0
			return
		}
	}
	// A word has taken the place of another, with any number of tokens.
	if t.begins(token) || t.off == 0 && t.at < len(t.old) && !t.begins(t.old[t.at]) {
		t.at = t.nextWord()
	}
	t.off++
}

// nextWord is where the next word begins behind the token at.
func (t *trace) nextWord() int {
	for i := t.at + 1; i < min(t.at+reach, len(t.old)); i++ {
		if t.begins(t.old[i]) {
			return i
		}
	}
	return t.at + 1 // there are scripts without spaces
}

// ahead is how the old one goes on.
func (t *trace) ahead() []int32 {
	if t.at >= len(t.old) || t.off > reach {
		return nil
	}
	return t.old[t.at:min(t.at+Most, len(t.old))]
}
