package daemon

import (
	"sync"

	"dragoman/daemon/api"
	"dragoman/inference"
)

// shown is how many of the last jobs the snapshot has.
const shown = 10

// totals count what was done since the start.
type totals struct {
	mu     sync.Mutex
	counts api.Totals
	recent []api.Job // newest first
}

// add counts the sentences of a text.
func (t *totals) add(s inference.Stats) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.counts.Sentences += int64(s.Sentences)
	t.counts.Remembered += int64(s.Remembered)
}

// ended counts a job.
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
	t.recent = append([]api.Job{j}, t.recent[:min(len(t.recent), shown-1)]...)
}

func (t *totals) now() (api.Totals, []api.Job) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.counts, append([]api.Job{}, t.recent...)
}
