package queue

import (
	"cmp"
	"slices"
)

// Pause holds the batch lane until Resume; interactive work goes on.
func (q *Queue[P, R]) Pause() { q.pause(true) }

// Resume ends Pause.
func (q *Queue[P, R]) Resume() { q.pause(false) }

func (q *Queue[P, R]) pause(paused bool) {
	q.mu.Lock()
	news := q.paused != paused
	q.paused = paused
	q.hold()
	q.mu.Unlock()
	if news {
		q.opts.Changed()
	}
}

// Paused says whether Pause holds the batch lane.
func (q *Queue[P, R]) Paused() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.paused
}

// Len counts the tasks that wait in each lane and those that run or are
// stopping.
func (q *Queue[P, R]) Len() (interactive, batch, running int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.waiting[Interactive], q.waiting[Batch], q.running
}

// List returns all tasks that wait, run or are stopping, by id.
func (q *Queue[P, R]) List() []Info {
	q.mu.Lock()
	list := make([]Info, 0, len(q.byID))
	for _, t := range q.byID {
		list = append(list, t.info())
	}
	q.mu.Unlock()
	slices.SortFunc(list, func(a, b Info) int { return cmp.Compare(a.ID, b.ID) })
	return list
}

// Get returns one task that waits, runs or is stopping.
func (q *Queue[P, R]) Get(id int64) (Info, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if t := q.byID[id]; t != nil {
		return t.info(), true
	}
	return Info{}, false
}
