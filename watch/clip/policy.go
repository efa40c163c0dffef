package clip

import (
	"hash/maphash"
	"time"

	"dragoman/watch/clip/selection"
)

// Mode says which copies are translated.
type Mode int

const (
	Never      Mode = iota
	DoubleCopy      // the same text copied twice in a row
	EveryCopy
)

// Defaults of Policy.
const (
	// DefaultWindow is the time within which the second copy must follow.
	DefaultWindow = time.Second
	// DefaultGap is what a person cannot beat: a second copy after less comes
	// from a program, such as one that sends Ctrl+C after the user did, or an
	// application that fills the clipboard in two steps.
	DefaultGap = 50 * time.Millisecond
)

// Policy is what the user may choose. Zero durations mean the defaults.
type Policy struct {
	Mode   Mode
	Window time.Duration
	Gap    time.Duration
}

// Judge decides which copies deserve a translation. It does no input or output
// and asks no clock: times come with the copies, which must come in order. It
// remembers hashes, no texts. It may be used by one goroutine at a time.
type Judge struct {
	policy Policy
	seed   maphash.Seed

	first    pending // DoubleCopy: may be followed by its twin
	echo     pending // the same text of another application, see double
	last     uint64  // hash of the text accepted last
	accepted bool    // whether last means anything
}

// pending is a copy whose twin is awaited.
type pending struct {
	hash  uint64
	owner selection.Owner
	stamp uint64
	at    time.Time // of its newest occurrence, the synthetic ones too
	open  bool
}

// NewJudge returns one that has seen nothing yet.
func NewJudge(p Policy) *Judge {
	if p.Window <= 0 {
		p.Window = DefaultWindow
	}
	if p.Gap <= 0 {
		p.Gap = DefaultGap
	}
	return &Judge{policy: p, seed: maphash.MakeSeed()}
}

// SetPolicy takes over a change of the settings and keeps what was seen.
func (j *Judge) SetPolicy(p Policy) {
	fresh := NewJudge(p)
	if fresh.policy.Mode != j.policy.Mode {
		j.interrupt()
	}
	j.policy = fresh.policy
}

// Forget lets the text that was accepted last be accepted again: it was not
// translated, or shall be into another language.
func (j *Judge) Forget() { j.accepted = false }

// Judge returns Accepted if c shall be translated now, or why not. Every copy
// has to be shown to it, also the skipped ones: whatever comes between two
// copies of a text ends their being a double.
func (j *Judge) Judge(c Copy) Reason {
	if c.Skip != Accepted {
		if c.Skip != Own {
			j.interrupt()
		}
		return c.Skip
	}
	if j.policy.Mode == Never {
		return Off
	}
	if r := worth(c.Text); r != Accepted {
		j.interrupt()
		return r
	}
	hash := maphash.String(j.seed, trim(c.Text))
	if j.policy.Mode == DoubleCopy {
		return j.double(c, hash)
	}
	if j.accepted && j.last == hash {
		return Repeated
	}
	j.last, j.accepted = hash, true
	return Accepted
}

// interrupt ends what might have become a double copy.
func (j *Judge) interrupt() { j.first, j.echo = pending{}, pending{} }

// double needs two copies of the same text from the same application, by two
// presses of a person within the window. The third and later copies in a row
// ask for nothing new. Some clipboard managers copy each text once more as their
// own, so the same text of one other application may come between.
func (j *Judge) double(c Copy, hash uint64) Reason {
	f := &j.first
	if !f.twin(c, hash) && j.echo.twin(c, hash) {
		j.first, j.echo = j.echo, j.first
	}
	since := c.Time.Sub(f.at)
	switch {
	case !f.twin(c, hash) || since > j.policy.Window:
		j.echo = pending{}
		if f.hash == hash && since <= j.policy.Window && c.Missed == 0 {
			j.echo = *f
		}
		*f = pending{hash: hash, owner: c.Owner, stamp: c.Stamp, at: c.Time, open: true}
		return First
	case since < j.policy.Gap || c.Stamp != 0 && c.Stamp == f.stamp:
		// A burst of a program must not add up to the gap: its end counts.
		f.at = c.Time
		return Synthetic
	case !f.open:
		f.at, f.stamp = c.Time, c.Stamp
		return Repeated
	}
	f.at, f.stamp, f.open = c.Time, c.Stamp, false
	j.echo.open = false
	j.last, j.accepted = hash, true
	return Accepted
}

// twin tells whether a copy could be the second one.
func (p *pending) twin(c Copy, hash uint64) bool {
	return p.hash == hash && p.owner.Same(c.Owner) && !p.at.IsZero() && c.Missed == 0
}
