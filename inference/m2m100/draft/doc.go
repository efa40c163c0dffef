// Package draft guesses how an output goes on, so that a decoder can check several
// tokens in one step (Stern et al. 2018; Leviathan et al. 2023, with a lookup in
// the place of a smaller model). Guesses change no token of an output, only how
// soon it is there.
//
// It owns where guesses are from, and when they pay. It works on token ids, keeps
// nothing on the disk, writes no log and must not import anything of ours.
package draft

// Most is how many tokens are guessed at once. A step with more takes longer by
// as much as it gives.
const Most = 7

// kind is where a guess is from: each is right more or less often.
type kind int

const (
	near     kind = iota // the output of a source like this one, which the output agrees with
	nearLost             // the same behind a token that differs
	told                 // a translation like the one that is wanted, by whoever asks
	toldLost
	copied  // the source, behind two tokens that are copied from it
	earlier // what followed the last tokens in other outputs
	kinds
)
