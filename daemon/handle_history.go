package daemon

import (
	"context"
	"net/http"
	"time"

	"dragoman/daemon/api"
	"dragoman/daemon/store"
)

// recentWait is how long who reads the history waits for texts that were
// answered just now. Another program may keep the database locked.
const recentWait = time.Second

func (d *Daemon) handleHistory(_ http.ResponseWriter, r *http.Request) (answer, error) {
	q, err := api.ParseHistoryQuery(r.URL.Query())
	if err != nil {
		return nil, badRequest(err)
	}
	ctx, cancel := context.WithTimeout(r.Context(), recentWait)
	_ = d.history.flush(ctx) // what there is can be read where nothing can be written
	cancel()
	found, err := d.store.History(r.Context(), store.HistoryQuery{Search: q.Search, Before: q.Before, Limit: q.Limit})
	if err != nil {
		return nil, err
	}
	response := api.HistoryResponse{Enabled: d.settings().History.Enabled, Entries: []api.HistoryEntry{}}
	for _, e := range found {
		response.Entries = append(response.Entries, api.HistoryEntry{
			ID: e.ID, Time: e.Time, Origin: api.Origin(e.Origin), From: e.From, To: e.To, Source: e.Source, Target: e.Target,
		})
	}
	return response, nil
}

func (d *Daemon) handleEraseHistory(_ http.ResponseWriter, r *http.Request) (answer, error) {
	before, err := api.ParseEraseQuery(r.URL.Query())
	if err != nil {
		return nil, badRequest(err)
	}
	if err := d.history.flush(r.Context()); err != nil {
		return nil, err
	}
	erased, err := d.store.EraseHistory(r.Context(), before)
	// The memory holds translations too, and nothing says of which time. What
	// could not be erased from one file keeps nothing else from being erased.
	if before.IsZero() {
		d.models.forget()
		if also := d.store.EraseMemory(r.Context()); err == nil {
			err = also
		}
	}
	return api.ErasedResponse{Entries: erased}, err
}

func (d *Daemon) handleDeleteHistory(_ http.ResponseWriter, r *http.Request) (answer, error) {
	id, err := pathID(r)
	if err != nil {
		return nil, err
	}
	return nil, d.store.DeleteHistory(r.Context(), id)
}
