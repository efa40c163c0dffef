package draft

import "slices"

// Sentence guesses the output of one source, token by token.
type Sentence struct {
	watch  *Watch
	memory *Memory
	source []int32
	target int32

	near, told trace
	seen       int // tokens of the output
	guess      []int32
	kind       kind
	buffer     [Most]int32
}

// Sentence begins the output of a source, which has its language token first and
// the end token last, into the language of the target token. told is the output
// that whoever asks thinks likely, nil for none.
func (m *Memory) Sentence(w *Watch, source []int32, target int32, told []int32) *Sentence {
	return &Sentence{
		watch: w, memory: m, source: source, target: target,
		near: trace{old: m.like(source, target), begins: m.begins}, told: trace{old: told, begins: m.begins},
	}
}

// Next guesses what follows an output, whose step has so many tokens without
// guesses and room for so many at most. It is valid until the next call. Where the
// output ends is none of the guesses.
func (s *Sentence) Next(c *Costs, output []int32, without, room int) []int32 {
	if s == nil {
		return nil
	}
	s.learn(output)
	s.best(output)
	return s.guess[:s.watch.pays(c, s.kind, without, min(room, len(s.guess)))]
}

// learn compares the last guess, also one that was not checked, with what came.
func (s *Sentence) learn(output []int32) {
	if len(output) < s.seen { // it was begun anew
		s.near.restart()
		s.told.restart()
		s.seen, s.guess = 0, nil
	}
	came := output[s.seen:]
	s.watch.learn(s.kind, s.guess, came)
	for _, token := range came {
		s.near.follow(token)
		s.told.follow(token)
	}
	s.seen, s.guess = len(output), nil
}

// best takes the guess that is right most often.
func (s *Sentence) best(output []int32) {
	share := 0.0
	offer := func(k kind, guess []int32) {
		if len(guess) == 0 {
			return
		}
		if p := s.watch.share(k); s.guess == nil || p > share {
			s.guess, s.kind, share = guess, k, p
		}
	}
	offer(near+kind(min(s.near.off, 1)), s.near.ahead())
	offer(told+kind(min(s.told.off, 1)), s.told.ahead())
	offer(copied, s.copy(output))
	offer(earlier, s.memory.after(s.buffer[:0], s.target, output))
}

// copy is how the source goes on after the output's last two tokens: names that
// are several tokens, numbers, words that are the same in both languages.
func (s *Sentence) copy(output []int32) []int32 {
	n := len(output)
	if n < 2 || len(s.source) < 4 {
		return nil
	}
	words := s.source[1 : len(s.source)-1]
	for i := 2; i < len(words); i++ {
		if words[i-2] == output[n-2] && words[i-1] == output[n-1] {
			return words[i:min(i+Most, len(words))]
		}
	}
	return nil
}

// Done ends the output and gives it to the memory, unless it is to be forgotten.
func (s *Sentence) Done(output []int32, forget bool) {
	if s == nil {
		return
	}
	s.learn(output)
	if !forget {
		s.memory.put(slices.Clone(s.source), s.target, slices.Clone(output))
	}
}
