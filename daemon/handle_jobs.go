package daemon

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"dragoman/daemon/api"
	"dragoman/daemon/drop"
	"dragoman/daemon/store"
)

func (d *Daemon) handleJobs(_ http.ResponseWriter, r *http.Request) (answer, error) {
	q, err := api.ParseJobQuery(r.URL.Query())
	if err != nil {
		return nil, badRequest(err)
	}
	page := jobPage{JobQuery: q}
	if q.Before != 0 {
		last, err := d.jobByID(r.Context(), q.Before)
		if err != nil {
			return nil, err
		}
		page.last = &last
	}
	files, err := d.fileJobs(r.Context(), page)
	if err != nil {
		return nil, err
	}
	jobs := append(d.textJobs(page), files...)
	slices.SortFunc(jobs, newestFirst)
	return api.JobsResponse{Jobs: jobs[:min(len(jobs), q.Limit)]}, nil
}

// jobPage is what is asked for.
type jobPage struct {
	api.JobQuery
	last *api.Job // of the page before, nil for the first
}

// has says whether a job belongs to the page or one behind it.
func (p jobPage) has(j api.Job) bool {
	return (p.State == "" || p.State == j.State) && (p.Folder == 0 || p.Folder == j.Folder) && (p.last == nil || newestFirst(j, *p.last) > 0)
}

// newestFirst orders jobs by the time they were accepted.
func newestFirst(a, b api.Job) int {
	return cmp.Or(b.Accepted.Compare(a.Accepted), cmp.Compare(b.ID, a.ID))
}

// textJobs are the texts that wait or run and those that have ended and are
// remembered.
func (d *Daemon) textJobs(p jobPage) []api.Job {
	jobs := []api.Job{}
	seen := map[int64]bool{}
	take := func(j api.Job) {
		if !seen[j.ID] && p.has(j) {
			jobs = append(jobs, j)
		}
		seen[j.ID] = true
	}
	alive := d.queue.List() // first, lest one that ends meanwhile be missed
	for _, j := range d.totals.endedTexts() {
		take(j)
	}
	for _, info := range alive {
		if j := jobOf(info); j.Origin != api.OriginFolder {
			take(j)
		}
	}
	return jobs
}

// fileJobs are so many rows of the ledger as the page can have.
func (d *Daemon) fileJobs(ctx context.Context, p jobPage) ([]api.Job, error) {
	var states []store.FileState
	switch p.State {
	case "":
		states = []store.FileState{0}
	case api.JobQueued, api.JobRunning:
		states = []store.FileState{store.Pending}
	case api.JobDone:
		states = []store.FileState{store.Done, store.Moved}
	case api.JobFailed:
		states = []store.FileState{store.Failed}
	case api.JobCancelled:
		states = []store.FileState{store.Cancelled}
	}
	running := d.runningFiles()
	if p.State == api.JobRunning {
		return d.rows(ctx, p, running)
	}
	var jobs []api.Job
	for _, state := range states {
		found, err := d.filesIn(ctx, p, state, running)
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, found...)
	}
	return jobs, nil
}

// runningFiles are the files that are being translated, by the ids of their rows.
func (d *Daemon) runningFiles() map[int64]drop.Work {
	running := map[int64]drop.Work{}
	for _, w := range d.folders.Running() {
		running[w.ID] = w
	}
	return running
}

// rows are the jobs of the files that are being translated.
func (d *Daemon) rows(ctx context.Context, p jobPage, running map[int64]drop.Work) (jobs []api.Job, err error) {
	for id := range running {
		f, err := d.store.FileByID(ctx, id)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if j := fileJob(f, running); p.has(j) {
			jobs = append(jobs, j)
		}
	}
	return jobs, nil
}

// filesIn looks through the rows of a state until there are enough for a page:
// the ledger does not tell all states of jobs apart.
func (d *Daemon) filesIn(ctx context.Context, p jobPage, state store.FileState, running map[int64]drop.Work) (jobs []api.Job, err error) {
	q := store.FileQuery{Folder: p.Folder, State: state, ByTime: true, Limit: p.Limit}
	if p.last != nil {
		q.Before, q.BeforeTime = p.last.ID, p.last.Accepted
	}
	for {
		files, err := d.store.Files(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			if j := fileJob(f, running); p.has(j) {
				jobs = append(jobs, j)
			}
			q.Before, q.BeforeTime = f.ID, f.Accepted
		}
		if len(files) < q.Limit || len(jobs) >= p.Limit {
			return jobs, nil
		}
	}
}

func fileJob(f store.File, running map[int64]drop.Work) api.Job {
	j := api.Job{
		ID: f.ID, Kind: api.JobFile, Lane: api.LaneBatch, Origin: api.OriginFolder, To: f.Lang, State: api.JobQueued,
		Folder: f.Folder, Path: f.Path, Output: f.Output, Error: f.Error, Accepted: f.Accepted, Finished: f.Finished,
	}
	switch f.State {
	case store.Done, store.Moved:
		j.State = api.JobDone
	case store.Failed:
		j.State = api.JobFailed
	case store.Cancelled:
		j.State = api.JobCancelled
	}
	if w, ok := running[f.ID]; ok && f.State == store.Pending {
		j.State, j.Done, j.Total, j.RestMS = api.JobRunning, w.Done, w.Total, w.Rest.Milliseconds()
	}
	return j
}

// job finds a job by the id in the path.
func (d *Daemon) job(r *http.Request) (api.Job, error) {
	id, err := pathID(r)
	if err != nil {
		return api.Job{}, err
	}
	return d.jobByID(r.Context(), id)
}

func (d *Daemon) jobByID(ctx context.Context, id int64) (api.Job, error) {
	if id < api.FirstText {
		f, err := d.store.FileByID(ctx, id)
		if err == nil {
			return fileJob(f, d.runningFiles()), nil
		}
		if !errors.Is(err, store.ErrNotFound) {
			return api.Job{}, err
		}
	} else {
		for _, j := range d.textJobs(jobPage{}) {
			if j.ID == id {
				return j, nil
			}
		}
	}
	return api.Job{}, mistake{api.CodeNotFound, fmt.Sprintf("there is no job %s: see `dragoman jobs`", api.Job{ID: id}.Name())}
}

// pathID is the id in a request's path.
func pathID(r *http.Request) (int64, error) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		return 0, mistake{api.CodeBadRequest, "the id in the path must be a whole number"}
	}
	return id, nil
}

func (d *Daemon) handleJob(_ http.ResponseWriter, r *http.Request) (answer, error) {
	return orError(d.job(r))
}

// orError makes an answer of a value that may not be there.
func orError[T any](value T, err error) (answer, error) {
	if err != nil {
		return nil, err
	}
	return value, nil
}

func (d *Daemon) handleCancelJob(_ http.ResponseWriter, r *http.Request) (answer, error) {
	j, err := d.job(r)
	if err != nil {
		return nil, err
	}
	ended := mistake{api.CodeConflict, fmt.Sprintf("job %s has ended already", j.Name())}
	if j.Kind == api.JobText {
		if !d.queue.Cancel(j.ID) {
			return nil, ended
		}
		return nil, nil
	}
	switch found, err := d.folders.Cancel(r.Context(), j.Folder, j.Path); {
	case err != nil:
		return nil, err
	case !found:
		return nil, ended
	}
	return nil, nil
}

func (d *Daemon) handleRetryJob(_ http.ResponseWriter, r *http.Request) (answer, error) {
	j, err := d.job(r)
	switch {
	case err != nil:
		return nil, err
	case j.Kind == api.JobText:
		return nil, mistake{api.CodeConflict, "texts are not kept: ask for the translation again"}
	case j.State != api.JobFailed && j.State != api.JobCancelled:
		return nil, mistake{api.CodeConflict, fmt.Sprintf("job %s has not failed", j.Name())}
	}
	if err := d.folders.Retry(r.Context(), j.Folder, j.Path); err != nil {
		return nil, err
	}
	j.State, j.Error = api.JobQueued, ""
	return j, nil
}
