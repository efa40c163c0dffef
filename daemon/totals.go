package daemon

import (
	"slices"
	"sync"

	"dragoman/daemon/api"
	"dragoman/inference"
)

const (
	// shown is how many of the last jobs the snapshot has.
	shown = 10
	// textsKept is how many texts that ended are remembered at least; nothing of
	// what they said is.
	textsKept = 1000
)

// totals count what was done since the start.
type totals struct {
	mu     sync.Mutex
	counts api.Totals
	recent []api.Job // newest first
	texts  []api.Job // oldest first, at most twice textsKept
}

// add counts the sentences of a text.
func (t *totals) add(s inference.Stats) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.counts.Sentences += int64(s.Sentences)
	t.counts.Remembered += int64(s.Remembered)
}

// ended counts a job and remembers it, unless it is private.
func (t *totals) ended(j api.Job) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case j.State == api.JobFailed:
		t.counts.Failed++
	case j.State == api.JobDone && j.Kind == api.JobFile:
		t.counts.Files++
	case j.State == api.JobDone:
		t.counts.Texts++
	}
	if j.Private {
		return
	}
	t.recent = append([]api.Job{j}, t.recent[:min(len(t.recent), shown-1)]...)
	if j.Kind != api.JobText {
		return
	}
	// Several may have joined one job.
	t.texts = slices.DeleteFunc(t.texts, func(known api.Job) bool { return known.ID == j.ID })
	if len(t.texts) == 2*textsKept {
		t.texts = slices.Delete(t.texts, 0, textsKept)
	}
	t.texts = append(t.texts, j)
}

// again counts a text that joined another.
func (t *totals) again() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.counts.Texts++
}

func (t *totals) now() (api.Totals, []api.Job) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.counts, append([]api.Job{}, t.recent...)
}

// endedTexts are those that are remembered, in the order they ended.
func (t *totals) endedTexts() []api.Job {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.texts)
}
