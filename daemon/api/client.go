package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"net/url"
	"syscall"
)

// Bounds of what a client reads.
const (
	maxLine   = 16 << 20 // bytes of a line of a stream, or of an event
	maxAnswer = 64 << 20 // bytes of any other answer
)

// Client speaks to the daemon. It may be used by several goroutines. It keeps
// no connection between calls: making one takes a tenth of a millisecond, and
// one that lies idle would take the place of another client.
//
// Errors of all its methods: ErrNotRunning where nobody listens, a *Problem
// where the daemon says why not (errors.Is with ErrBusy and its like), the
// context's error. No error quotes a text that was sent or received.
type Client struct {
	http http.Client
}

// NewClient returns a client that gets its connections from dial, which is
// ipc.DialAny for most.
func NewClient(dial func(context.Context) (net.Conn, error)) *Client {
	connect := func(ctx context.Context, _, _ string) (net.Conn, error) {
		c, err := dial(ctx)
		// The same on Windows: no pipe has the name.
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) {
			err = fmt.Errorf("%w (%w)", ErrNotRunning, err)
		}
		if err != nil {
			return nil, dialError{err}
		}
		return c, nil
	}
	return &Client{http: http.Client{
		Transport: &http.Transport{DialContext: connect, DisableKeepAlives: true, DisableCompression: true},
		// The daemon never sends one elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// request is what is asked of the daemon.
type request struct {
	route Route
	path  string // route.Path if ""
	query url.Values
	body  any // sent as JSON, nothing if nil
	head  http.Header
	want  string // media type of the answer, "" for none
}

// ask sends a request and returns the answer of the media type that it wants.
// The caller closes its body.
func (c *Client) ask(ctx context.Context, q request) (*http.Response, error) {
	r, err := q.http(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", q.route, err)
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return nil, q.explain(ctx, err)
	}
	if err := q.check(answer); err != nil {
		_ = answer.Body.Close()
		return nil, err
	}
	return answer, nil
}

// host stands where HTTP wants a name; no name leads to a socket.
const host = "dragoman"

func (q request) http(ctx context.Context) (*http.Request, error) {
	path := q.path
	if path == "" {
		path = q.route.Path
	}
	at := url.URL{Scheme: "http", Host: host, Path: path, RawQuery: q.query.Encode()}
	var body io.Reader
	if q.body != nil {
		data, err := json.Marshal(q.body)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(data)
	}
	r, err := http.NewRequestWithContext(ctx, q.route.Method, at.String(), body)
	if err != nil {
		return nil, err
	}
	for name, values := range q.head {
		r.Header[name] = values
	}
	if q.body != nil {
		r.Header.Set("Content-Type", TypeJSON)
	}
	if q.want != "" {
		r.Header.Add("Accept", q.want)
	}
	r.Header.Add("Accept", TypeProblem)
	return r, nil
}

// check returns an error unless the answer is what was wanted.
func (q request) check(answer *http.Response) error {
	kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	switch {
	case answer.StatusCode >= 400 && kind == TypeProblem:
		p := new(Problem)
		if err := decode(answer.Body, p); err != nil {
			return fmt.Errorf("%s: read the error of the service (status %s): %w", q.route, answer.Status, err)
		}
		if p.Status == 0 {
			p.Status = answer.StatusCode
		}
		return p
	case answer.StatusCode/100 == 2 && kind == q.want:
		return nil
	case kind == "":
		kind = "no content"
	}
	return fmt.Errorf("%s: the answer is %s with %s, not %s: another program or another version of dragoman listens there, see `dragoman service status`",
		q.route, answer.Status, kind, q.wanted())
}

func (q request) wanted() string {
	if q.want == "" {
		return "an empty one"
	}
	return q.want
}

// dialError tells the errors of dial from those of the transport.
type dialError struct{ error }

func (e dialError) Unwrap() error { return e.error }

// explain turns an error of the transport into one for people.
func (q request) explain(ctx context.Context, err error) error {
	var dialed dialError
	var broken *url.Error // of a connection that was made; what it adds is an address that means nothing here
	switch {
	case errors.Is(err, ErrNotRunning) && errors.As(err, &dialed):
		return dialed.error
	case errors.Is(context.Cause(ctx), errSilent):
		return fmt.Errorf("%s: %w", q.route, errSilent)
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", q.route, ctx.Err())
	case errors.As(err, &dialed):
		return dialed.error
	case errors.As(err, &broken):
		err = broken.Err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
	default:
		return fmt.Errorf("%s: %w", q.route, err)
	}
	return fmt.Errorf("%s: the connection ended early: the service is being stopped, has too many clients or does not serve this user: try again, or look at `dragoman service logs` (%w)", q.route, err)
}

// String names a route in messages.
func (r Route) String() string { return r.Method + " " + r.Path }

// call asks for one JSON value.
func call[T any](ctx context.Context, c *Client, q request) (T, error) {
	var value T
	q.want = TypeJSON
	answer, err := c.ask(ctx, q)
	if err != nil {
		return value, err
	}
	defer answer.Body.Close()
	if err := decode(answer.Body, &value); err != nil {
		var none T
		return none, q.explain(ctx, fmt.Errorf("read the answer: %w", err))
	}
	return value, nil
}

// order asks for something that has no answer but an error.
func (c *Client) order(ctx context.Context, q request) error {
	answer, err := c.ask(ctx, q)
	if err != nil {
		return err
	}
	return answer.Body.Close()
}

// decode reads one JSON value of at most maxAnswer bytes.
func decode(from io.Reader, into any) error {
	data, err := io.ReadAll(io.LimitReader(from, maxAnswer+1))
	if err != nil {
		return err
	}
	if len(data) > maxAnswer {
		return fmt.Errorf("it has more than %d MiB: ask for less at once", maxAnswer>>20)
	}
	return unmarshal(data, into)
}

// unmarshal is json.Unmarshal with errors that quote nothing of the data.
func unmarshal(data []byte, into any) error {
	err := json.Unmarshal(data, into)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &syntax):
		return fmt.Errorf("no JSON at byte %d of %d", syntax.Offset, len(data))
	case errors.As(err, &kind):
		return fmt.Errorf("the field %q is not of type %s, as another version of dragoman may send it", kind.Field, kind.Type)
	}
	return fmt.Errorf("JSON of %d bytes that cannot be read", len(data))
}
