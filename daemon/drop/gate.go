package drop

import (
	"errors"
	"time"
)

// trouble is what keeps a whole folder from getting on, whatever the file:
// nothing can be written, the ledger cannot be, or there is no model.
type trouble struct {
	err  error
	what where
}

// where trouble lies.
type where int

const (
	inLedger where = iota
	inOutput       // it, or its folder, could not be written
	inModel
	inRoot // told by the watch already
)

func (t *trouble) Error() string { return t.err.Error() }
func (t *trouble) Unwrap() error { return t.err }

func asTrouble(err error) *trouble {
	t, _ := errors.AsType[*trouble](err)
	return t
}

// gate closes when there is trouble, lets one file try again after a pause, and
// opens when that went well. It is part of a backlog and guarded by its lock.
type gate struct {
	first  time.Duration // pause after the first failure
	pause  time.Duration // the last one
	cause  *trouble      // nil while open
	trying bool          // half open: the pause is over
	inside bool          // the one that tries has been let in
	hurry  bool          // while it was: something may have been mended since it began
}

// maxPauses bounds the growth of pauses: 10 minutes where the first is 30 s.
const maxPauses = 20

// admits says whether a file may be worked on.
func (g *gate) admits() bool { return g.cause == nil || (g.trying && !g.inside) }

// close notes a failure, says whether it is news and for how long to wait; 0 if
// somebody waits already.
func (g *gate) close(cause *trouble) (news bool, pause time.Duration) {
	news = g.cause == nil
	waiting := !news && !g.trying
	g.cause = cause
	if waiting {
		return false, 0 // was in work when the gate closed
	}
	g.trying, g.inside, g.hurry = g.hurry, false, false
	if g.trying {
		return news, 0
	}
	g.pause = min(max(g.first, 2*g.pause), maxPauses*g.first)
	return news, g.pause
}

// again ends the pause.
func (g *gate) again() {
	g.trying = g.cause != nil
	g.hurry = g.inside
}

// open returns the trouble that is over, nil if there was none.
func (g *gate) open() *trouble {
	over := g.cause
	*g = gate{first: g.first}
	return over
}
