package drop

import (
	"context"
	"slices"
	"sync"
	"time"
)

// backlog holds the files of a folder that were accepted and are not done, each
// once. It is bounded by the number of files in the folder; what survives a
// kill is in the ledger.
type backlog struct {
	wake chan struct{} // capacity 1: "look", never "how many"

	mu    sync.Mutex
	jobs  map[string]*job // by path below the folder
	order []*job          // that wait, oldest first, among some that no longer do
	gate  gate
}

// job is a file that waits, sleeps or is in work.
type job struct {
	rel     string
	waiting bool // it is in order
	again   bool // it was put in while it was in work
	tries   int  // that failed and may go better later
	cancel  context.CancelCauseFunc
	aborted bool // while it was in work
}

func newBacklog(retry time.Duration) *backlog {
	return &backlog{wake: make(chan struct{}, 1), jobs: map[string]*job{}, gate: gate{first: retry}}
}

func (b *backlog) signal() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// put adds files. One that is in work is worked on again afterwards.
func (b *backlog) put(rels ...string) {
	b.mu.Lock()
	for _, rel := range rels {
		j := b.jobs[rel]
		if j == nil {
			j = &job{rel: rel}
			b.jobs[rel] = j
		}
		b.enqueue(j)
	}
	b.mu.Unlock()
	b.signal()
}

func (b *backlog) enqueue(j *job) {
	switch {
	case j.waiting:
	case j.cancel != nil:
		j.again = true
	default:
		j.waiting = true
		b.order = append(b.order, j)
	}
}

// take waits for a file that may be worked on. trying is the trouble that the
// folder had, if this file is to find out whether it is over. It returns nil
// when ctx has ended; the context is the file's.
func (b *backlog) take(ctx context.Context) (context.Context, *job, *trouble) {
	for ctx.Err() == nil {
		b.mu.Lock()
		if j := b.first(); j != nil && b.gate.admits() {
			b.order = b.order[1:]
			b.signal() // for the next worker
			var work context.Context
			work, j.cancel = context.WithCancelCause(ctx)
			j.waiting, j.aborted = false, false
			b.gate.inside = b.gate.cause != nil
			trying := b.gate.cause
			b.mu.Unlock()
			return work, j, trying
		}
		b.mu.Unlock()
		select {
		case <-b.wake:
		case <-ctx.Done():
		}
	}
	return nil, nil, nil
}

// first is the job to be worked on next.
func (b *backlog) first() *job {
	for len(b.order) > 0 && !b.order[0].waiting {
		b.order = b.order[1:]
	}
	if len(b.order) == 0 {
		b.order = nil
		return nil
	}
	return b.order[0]
}

// done ends a take. It returns the trouble that is over with it: good says that
// an output was written, else it only counts where nothing is left to try with.
func (b *backlog) done(j *job, good bool) (over *trouble) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.release(j)
	switch {
	case j.again:
		j.again = false
		b.enqueue(j)
	case !j.waiting:
		delete(b.jobs, j.rel)
	}
	trying := b.gate.trying && b.gate.inside
	if trying {
		b.gate.inside = false
		if good || b.first() == nil {
			over = b.gate.open()
		}
	}
	b.signal()
	return over
}

func (b *backlog) release(j *job) {
	if j.cancel != nil {
		j.cancel(nil)
		j.cancel = nil
	}
}

// troubled ends a take with trouble: the file is the next again, after a pause
// for all. It says whether the trouble is news.
func (b *backlog) troubled(j *job, cause *trouble) (news bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.release(j)
	j.again = false
	if !j.waiting {
		j.waiting = true
		b.order = slices.Insert(b.order, 0, j)
	}
	return b.close(cause)
}

func (b *backlog) close(cause *trouble) (news bool) {
	news, pause := b.gate.close(cause)
	if pause > 0 {
		time.AfterFunc(pause, b.hurry)
	} else {
		b.signal() // for the next try, if that need not wait
	}
	return news
}

// later ends a take: the file is tried again after a pause, without keeping the
// others back.
func (b *backlog) later(j *job, pause time.Duration) {
	b.mu.Lock()
	b.release(j)
	j.tries++
	if b.gate.trying {
		b.gate.inside = false
	}
	b.mu.Unlock()
	b.signal()
	time.AfterFunc(pause, func() { b.wakeUp(j) })
}

func (b *backlog) wakeUp(j *job) {
	b.mu.Lock()
	if b.jobs[j.rel] == j {
		b.enqueue(j)
	}
	b.mu.Unlock()
	b.signal()
}

// drop takes a file out that is not in work, and says whether it is in work.
func (b *backlog) drop(rel string) (inWork bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	j := b.jobs[rel]
	if j == nil {
		return false
	}
	if j.cancel != nil {
		return true
	}
	b.remove(j)
	return false
}

func (b *backlog) remove(j *job) {
	delete(b.jobs, j.rel)
	j.waiting = false
}

// abort ends a file for good, also by telling whoever works on it, and says
// whether there was such a file.
func (b *backlog) abort(rel string, why error) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	j := b.jobs[rel]
	switch {
	case j == nil || j.aborted:
		return false
	case j.cancel != nil:
		j.again, j.aborted = false, true
		j.cancel(why)
	default:
		b.remove(j)
	}
	return true
}

// fail notes trouble that was met outside of a take, and says whether it is news.
func (b *backlog) fail(cause *trouble) (news bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.close(cause)
}

// recovered returns the trouble that is over when the ledger could be written.
func (b *backlog) recovered() *trouble {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.gate.cause == nil || b.gate.cause.what != inLedger {
		return nil
	}
	b.signal()
	return b.gate.open()
}

// hurry ends the pause after trouble.
func (b *backlog) hurry() {
	b.mu.Lock()
	b.gate.again()
	b.mu.Unlock()
	b.signal()
}

func (b *backlog) len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.jobs)
}

func (b *backlog) cause() *trouble {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.gate.cause
}
