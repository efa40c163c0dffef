package api

import (
	"context"
	"time"
)

// Pull is a model that is fetched, or was. The newest are kept until the service
// ends.
type Pull struct {
	ID      int64     `json:"id"`
	Model   string    `json:"model"` // its name
	State   PullState `json:"state"`
	Done    int64     `json:"done"`              // bytes that are here
	Total   int64     `json:"total"`             // bytes of all files, 0 while that is not known
	Speed   int64     `json:"speed,omitempty"`   // bytes a second so far, 0 while that is not known
	RestMS  int64     `json:"rest_ms,omitempty"` // how long the rest takes at that speed
	Message string    `json:"message,omitempty"` // what it waits for, or why it failed
	Began   time.Time `json:"began"`
	Ended   time.Time `json:"ended,omitzero"`
}

// PullState is how far a pull is.
type PullState string

const (
	PullRunning   PullState = "running"
	PullDone      PullState = "done" // the model is here and can be read
	PullFailed    PullState = "failed"
	PullCancelled PullState = "cancelled" // what came stays for the next pull
)

// PullRequest asks for a model.
type PullRequest struct {
	// Model is a name of the catalogue, or OWNER/NAME of another on the hub.
	Model string `json:"model"`
}

// PullsResponse is the answer to GET /v1/pulls.
type PullsResponse struct {
	Pulls []Pull `json:"pulls"` // the oldest first
}

// The operations on pulls.
var (
	RoutePulls      = Route{"pulls", "GET", Prefix + "/pulls"}
	RoutePull       = Route{"pull", "POST", Prefix + "/pulls"}
	RouteCancelPull = Route{"cancelPull", "DELETE", Prefix + "/pulls/{id}"}
)

// Pulls returns what is fetched and what was.
func (c *Client) Pulls(ctx context.Context) (PullsResponse, error) {
	return call[PullsResponse](ctx, c, request{route: RoutePulls})
}

// Pull begins to fetch a model; the snapshots of Events say how far that is.
// ErrConflict if it is being fetched.
func (c *Client) Pull(ctx context.Context, r PullRequest) (Pull, error) {
	return call[Pull](ctx, c, request{route: RoutePull, body: r})
}

// CancelPull ends a pull; ErrConflict if it has ended.
func (c *Client) CancelPull(ctx context.Context, id int64) error {
	return c.order(ctx, request{route: RouteCancelPull, path: RouteCancelPull.at(id)})
}
