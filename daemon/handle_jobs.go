package daemon

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"dragoman/daemon/api"
	"dragoman/daemon/store"
)

// firstText is the least id of a text; those of files are the ledger's and stay
// below. Ids of texts begin anew with each start of the daemon.
const firstText = 1 << 40

func (d *Daemon) handleJobs(_ http.ResponseWriter, r *http.Request) (answer, error) {
	q, err := api.ParseJobQuery(r.URL.Query())
	if err != nil {
		return nil, badRequest(err)
	}
	texts := d.textJobs(q)
	files, err := d.fileJobs(r.Context(), q)
	if err != nil {
		return nil, err
	}
	jobs := append(texts, files...)
	return api.JobsResponse{Jobs: jobs[:min(len(jobs), q.Limit)]}, nil
}

// textJobs are the texts that wait or run and those that ended last, newest
// first. There is one page of them.
func (d *Daemon) textJobs(q api.JobQuery) []api.Job {
	jobs := []api.Job{}
	if q.Folder != 0 || q.Before != 0 && q.Before <= firstText {
		return jobs
	}
	for _, info := range d.queue.List() {
		if j := jobOf(info); j.Origin != api.OriginFolder {
			jobs = append(jobs, j)
		}
	}
	slices.Reverse(jobs)
	_, recent := d.totals.now()
	for _, j := range recent {
		if j.Kind == api.JobText {
			jobs = append(jobs, j)
		}
	}
	return slices.DeleteFunc(jobs, func(j api.Job) bool {
		return q.State != "" && j.State != q.State || q.Before != 0 && j.ID >= q.Before
	})
}

// fileJobs are rows of the ledger.
func (d *Daemon) fileJobs(ctx context.Context, q api.JobQuery) ([]api.Job, error) {
	var states []store.FileState
	switch q.State {
	case "":
		states = []store.FileState{0}
	case api.JobQueued: // the ledger does not tell those apart that run
		states = []store.FileState{store.Pending}
	case api.JobDone:
		states = []store.FileState{store.Done, store.Moved}
	case api.JobFailed:
		states = []store.FileState{store.Failed}
	case api.JobCancelled:
		states = []store.FileState{store.Cancelled}
	}
	var jobs []api.Job
	for _, state := range states {
		files, err := d.store.Files(ctx, store.FileQuery{Folder: q.Folder, State: state, Before: q.Before, Limit: q.Limit})
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			jobs = append(jobs, d.fileJob(f))
		}
	}
	slices.SortFunc(jobs, func(a, b api.Job) int { return int(b.ID - a.ID) })
	return jobs, nil
}

func (d *Daemon) fileJob(f store.File) api.Job {
	j := api.Job{
		ID: f.ID, Kind: api.JobFile, Lane: api.LaneBatch, Origin: api.OriginFolder, To: f.Lang,
		Folder: f.Folder, Path: f.Path, Output: f.Output, Error: f.Error, Accepted: f.Accepted, Finished: f.Finished,
	}
	switch f.State {
	case store.Done, store.Moved:
		j.State = api.JobDone
	case store.Failed:
		j.State = api.JobFailed
	case store.Cancelled:
		j.State = api.JobCancelled
	default:
		j.State = api.JobQueued
	}
	return j
}

// job finds a job by the id in the path.
func (d *Daemon) job(r *http.Request) (api.Job, error) {
	id, err := pathID(r)
	if err != nil {
		return api.Job{}, err
	}
	if id < firstText {
		f, err := d.store.FileByID(r.Context(), id)
		if err == nil {
			return d.fileJob(f), nil
		}
		if !errors.Is(err, store.ErrNotFound) {
			return api.Job{}, err
		}
	} else {
		for _, j := range d.textJobs(api.JobQuery{}) {
			if j.ID == id {
				return j, nil
			}
		}
	}
	return api.Job{}, mistake{api.CodeNotFound, fmt.Sprintf("there is no job %d: see `dragoman jobs`", id)}
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
	ended := mistake{api.CodeConflict, fmt.Sprintf("job %d has ended already", j.ID)}
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
		return nil, mistake{api.CodeConflict, fmt.Sprintf("job %d has not failed", j.ID)}
	}
	if err := d.folders.Retry(r.Context(), j.Folder, j.Path); err != nil {
		return nil, err
	}
	j.State, j.Error = api.JobQueued, ""
	return j, nil
}
