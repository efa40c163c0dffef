package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"dragoman/daemon/api"
	"dragoman/inference/model"
	"dragoman/inference/model/catalogue"
	"dragoman/inference/model/hub"
	"dragoman/internal/english"
)

const (
	mostPulls = 4                      // side by side
	keptPulls = 8                      // that have ended
	pullNews  = 250 * time.Millisecond // between two snapshots of one that goes on
)

// pulls are the models that clients have asked for. Nothing is fetched unasked.
type pulls struct {
	changed func()
	fetch   func(context.Context, catalogue.Model, func(hub.Progress)) error

	mu     sync.Mutex
	all    []*pull // the oldest first
	last   int64
	closed bool
	group  sync.WaitGroup
}

type pull struct {
	api.Pull
	cancel context.CancelCauseFunc
	told   time.Time
	later  *time.Timer // tells what came since; nil where nothing did
}

var errPullCancelled = errors.New("cancelled")

func (p *pulls) now() []api.Pull {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := make([]api.Pull, 0, len(p.all))
	for _, one := range p.all {
		all = append(all, one.Pull)
	}
	return all
}

// begin fetches a model in the background.
func (p *pulls) begin(m catalogue.Model) (api.Pull, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	running := 0
	for _, one := range p.all {
		if one.State != api.PullRunning {
			continue
		}
		if running++; one.Model == m.Name {
			return api.Pull{}, mistake{api.CodeConflict, fmt.Sprintf("model %s is being fetched already, by pull %d", m.Name, one.ID)}
		}
	}
	switch {
	case p.closed:
		return api.Pull{}, errStopping
	case running >= mostPulls:
		return api.Pull{}, mistake{api.CodeBusy, fmt.Sprintf("%d models are being fetched; wait for one of them, or cancel it", running)}
	}
	p.last++
	ctx, cancel := context.WithCancelCause(context.Background())
	one := &pull{Pull: api.Pull{ID: p.last, Model: m.Name, State: api.PullRunning, Began: time.Now()}, cancel: cancel}
	p.all = append(p.all, one)
	for i := 0; len(p.all)-running-1 > keptPulls && i < len(p.all); {
		if p.all[i].State != api.PullRunning {
			p.all = slices.Delete(p.all, i, i+1)
			continue
		}
		i++
	}
	p.group.Go(func() {
		err := p.fetch(ctx, m, func(now hub.Progress) { p.progress(one, now) })
		p.end(ctx, one, err)
	})
	return one.Pull, nil
}

func (p *pulls) progress(one *pull, now hub.Progress) {
	p.mu.Lock()
	one.Done, one.Total, one.RestMS, one.Message = now.Done, now.Total, now.Rest.Milliseconds(), ""
	if now.Rest > 0 {
		one.Speed = int64(float64(now.Total-now.Done) / now.Rest.Seconds())
	}
	if now.Waiting != "" {
		one.Message = fmt.Sprintf("%s; next try in %s", now.Waiting, english.Duration(now.For))
	}
	since := time.Since(one.told)
	tell := now.Waiting != "" || since >= pullNews
	switch {
	case tell:
		one.toldNow()
	case one.later == nil: // nothing more may come for long
		one.later = time.AfterFunc(pullNews-since, func() {
			p.mu.Lock()
			one.toldNow()
			p.mu.Unlock()
			p.changed()
		})
	}
	p.mu.Unlock()
	if tell {
		p.changed()
	}
}

// toldNow notes that all that is known of a pull is being told.
func (one *pull) toldNow() {
	if one.later != nil {
		one.later.Stop()
	}
	one.told, one.later = time.Now(), nil
}

func (p *pulls) end(ctx context.Context, one *pull, err error) {
	p.mu.Lock()
	one.Ended, one.Message, one.RestMS = time.Now(), "", 0
	switch {
	case err == nil:
		one.State = api.PullDone
		slog.Info("Model was fetched", "model", one.Model, "bytes", one.Total)
	case ctx.Err() != nil:
		one.State = api.PullCancelled
	default:
		one.State, one.Message = api.PullFailed, err.Error()
		slog.Warn("Model was not fetched", "model", one.Model, "err", err)
	}
	one.toldNow()
	one.cancel(nil)
	p.mu.Unlock()
	p.changed()
}

func (p *pulls) stop(id int64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, one := range p.all {
		if one.ID != id {
			continue
		}
		if one.State != api.PullRunning {
			return mistake{api.CodeConflict, fmt.Sprintf("pull %d has ended", id)}
		}
		one.cancel(errPullCancelled)
		return nil
	}
	return mistake{api.CodeNotFound, fmt.Sprintf("there is no pull %d", id)}
}

// close ends all pulls and waits for them. What came of each stays for the next.
func (p *pulls) close() {
	p.mu.Lock()
	p.closed = true
	for _, one := range p.all {
		one.cancel(errStopping)
	}
	p.mu.Unlock()
	p.group.Wait()
}

// fetchModel fetches a model to where models are, and reads enough of it to know
// that it can be used.
func (d *Daemon) fetchModel(ctx context.Context, m catalogue.Model, tell func(hub.Progress)) error {
	dir := d.opts.Paths.ModelsDir()
	if _, err := hub.Pull(ctx, hub.Options{Hub: d.settings().Models.Hub, Model: m, Dir: dir, Progress: tell}); err != nil {
		return err
	}
	c, err := model.Open(filepath.Join(dir, m.Name))
	if err != nil {
		return fmt.Errorf("model %s was fetched, but dragoman cannot read it: %w; `dragoman models remove %s` takes it away", m.Name, err, m.Name)
	}
	return c.Close()
}

func (d *Daemon) handlePulls(http.ResponseWriter, *http.Request) (answer, error) {
	return api.PullsResponse{Pulls: d.pulls.now()}, nil
}

func (d *Daemon) handlePull(_ http.ResponseWriter, r *http.Request) (answer, error) {
	request, err := read[api.PullRequest](r)
	if err != nil {
		return nil, err
	}
	m, ok := catalogue.OnHub(request.Model)
	if !ok {
		return nil, mistake{api.CodeNotFound, fmt.Sprintf("no model that can be fetched is called %q: `dragoman models list` shows them, and OWNER/NAME names others of the hub", request.Model)}
	}
	settings := d.settings()
	if err := settings.AllowModel(m.Name); err != nil {
		return nil, mistake{api.CodeForbidden, err.Error()}
	}
	return orError(d.pulls.begin(m))
}

func (d *Daemon) handleCancelPull(_ http.ResponseWriter, r *http.Request) (answer, error) {
	id, err := pathID(r)
	if err != nil {
		return nil, err
	}
	return nil, d.pulls.stop(id)
}
