package api

import (
	"fmt"
	"net/url"
	"strconv"
	"time"
)

// Bounds of the number of entries in one answer.
const (
	MaxLimit            = 1000
	DefaultJobLimit     = 100
	DefaultHistoryLimit = 50
)

// Values returns the query as a URL carries it.
func (q JobQuery) Values() url.Values {
	v := url.Values{}
	setText(v, "state", string(q.State))
	setNumber(v, "folder", q.Folder)
	setNumber(v, "before", q.Before)
	setNumber(v, "limit", int64(q.Limit))
	return v
}

// ParseJobQuery reads what Values wrote and fills in the default limit. Errors
// name the parameter and what it may be.
func ParseJobQuery(v url.Values) (JobQuery, error) {
	q := JobQuery{State: JobState(v.Get("state"))}
	switch q.State {
	case "", JobQueued, JobRunning, JobDone, JobFailed, JobCancelled:
	default:
		return JobQuery{}, fmt.Errorf("state: use queued, running, done, failed or cancelled")
	}
	var err error
	if q.Folder, err = idOf(v, "folder"); err != nil {
		return JobQuery{}, err
	}
	if q.Before, err = idOf(v, "before"); err != nil {
		return JobQuery{}, err
	}
	q.Limit, err = limitOf(v, DefaultJobLimit)
	return q, err
}

// Values returns the query as a URL carries it.
func (q HistoryQuery) Values() url.Values {
	v := url.Values{}
	setText(v, "search", q.Search)
	setNumber(v, "before", q.Before)
	setNumber(v, "limit", int64(q.Limit))
	return v
}

// ParseHistoryQuery reads what Values wrote and fills in the default limit.
// Errors name the parameter and what it may be, never what is searched for.
func ParseHistoryQuery(v url.Values) (HistoryQuery, error) {
	q := HistoryQuery{Search: v.Get("search")}
	var err error
	if q.Before, err = idOf(v, "before"); err != nil {
		return HistoryQuery{}, err
	}
	q.Limit, err = limitOf(v, DefaultHistoryLimit)
	return q, err
}

// eraseValues says up to when DELETE /v1/history erases; the zero time is all.
func eraseValues(before time.Time) url.Values {
	v := url.Values{}
	if !before.IsZero() {
		v.Set("before", before.UTC().Format(time.RFC3339Nano))
	}
	return v
}

// ParseEraseQuery reads the query of DELETE /v1/history: entries older than the
// time are meant, all of them if it is zero. A parameter that is there but
// empty is an error, lest a mistake erase everything.
func ParseEraseQuery(v url.Values) (before time.Time, err error) {
	if !v.Has("before") {
		return time.Time{}, nil
	}
	before, err = time.Parse(time.RFC3339, v.Get("before"))
	if err != nil || before.IsZero() {
		return time.Time{}, fmt.Errorf("before: give a time like 2026-11-27T18:30:00Z, or leave it out to erase everything")
	}
	return before, nil
}

func setText(v url.Values, name, value string) {
	if value != "" {
		v.Set(name, value)
	}
}

func setNumber(v url.Values, name string, value int64) {
	if value != 0 {
		v.Set(name, strconv.FormatInt(value, 10))
	}
}

func idOf(v url.Values, name string) (int64, error) {
	if !v.Has(name) {
		return 0, nil
	}
	id, err := strconv.ParseInt(v.Get(name), 10, 64)
	if err != nil || id < 1 {
		return 0, fmt.Errorf("%s: give a positive number", name)
	}
	return id, nil
}

func limitOf(v url.Values, standard int) (int, error) {
	if !v.Has("limit") {
		return standard, nil
	}
	n, err := strconv.Atoi(v.Get("limit"))
	if err != nil || n < 1 || n > MaxLimit {
		return 0, fmt.Errorf("limit: give a number from 1 to %d", MaxLimit)
	}
	return n, nil
}
