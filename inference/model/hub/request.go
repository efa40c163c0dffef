package hub

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"dragoman/internal/english"
)

// permanent is an error that asking again cannot change.
type permanent struct{ error }

func (p permanent) Unwrap() error { return p.error }

// later is an error with the time that the hub asks for.
type later struct {
	error
	after time.Duration
}

func (l later) Unwrap() error { return l.error }

// tries is how often in a row nothing may come before a call gives up. Each byte
// that comes begins the count anew.
const tries = 6

// longestWait is the longest that a hub's wish to wait is followed.
const longestWait = 5 * time.Minute

// patiently calls try until it succeeds, with growing pauses.
func (p *puller) patiently(ctx context.Context, what string, try func() error) error {
	pause := p.pause
	for n := 1; ; n++ {
		err := try()
		var final permanent
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.As(err, &final):
			return fmt.Errorf("%s: %w", what, final.error)
		}
		var came progress
		if errors.As(err, &came) {
			n, pause = 1, p.pause
		}
		if n >= tries {
			return fmt.Errorf("%s: %w (tried %d times; what is here already stays, so call again later)", what, err, n)
		}
		wait := pause
		var wish later
		if errors.As(err, &wish) {
			wait = max(wait, min(wish.after, longestWait))
		}
		p.told(Progress{Waiting: err.Error(), For: wait})
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		pause *= 2
	}
}

// progress is an error after which more was there than before.
type progress struct{ error }

func (p progress) Unwrap() error { return p.error }

// get asks for a URL with headers. Its answer may have any status.
func (p *puller) get(ctx context.Context, url string, header http.Header) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, permanent{err}
	}
	if header != nil {
		request.Header = header
	}
	request.Header.Set("User-Agent", "dragoman")
	// The checksums and ranges are of the files as they are.
	request.Header.Set("Accept-Encoding", "identity")
	response, err := p.client.Do(request)
	var refused refusedRedirect
	if errors.As(err, &refused) {
		return nil, permanent{refused}
	}
	return response, wrongClock(err)
}

// wrongClock says so where a certificate is not valid at this machine's time: more
// often the clock is wrong than the hub.
func wrongClock(err error) error {
	var invalid x509.CertificateInvalidError
	if !errors.As(err, &invalid) || invalid.Reason != x509.Expired || invalid.Cert == nil {
		return err
	}
	const day = "2006-01-02 15:04"
	return permanent{fmt.Errorf("the hub's certificate is valid from %s to %s, and this machine's clock says %s: set the clock and call again",
		invalid.Cert.NotBefore.Format(day), invalid.Cert.NotAfter.Format(day), time.Now().Format(day))}
}

// refusedRedirect is a way that is not gone.
type refusedRedirect struct{ to string }

func (r refusedRedirect) Error() string {
	return "the hub sends on to an address that is not encrypted, as its own is: " + english.Short(r.to, shownAddress)
}

// checkRedirect follows the hub to where it keeps its files, but not out of TLS.
func checkRedirect(next *http.Request, via []*http.Request) error {
	if via[0].URL.Scheme == "https" && next.URL.Scheme != "https" {
		return refusedRedirect{next.URL.Redacted()}
	}
	if len(via) >= 10 {
		return permanent{errors.New("the hub sends in a circle")}
	}
	return nil
}

// statusError says what an answer other than the one hoped for means.
func statusError(r *http.Response, what string) error {
	err := fmt.Errorf("the hub answers %q for %s", english.Short(r.Status, shownAnswer), what)
	switch {
	case r.StatusCode == http.StatusTooManyRequests || r.StatusCode == http.StatusServiceUnavailable:
		return later{err, retryAfter(r.Header.Get("Retry-After"))}
	case r.StatusCode >= 500 || r.StatusCode == http.StatusRequestTimeout:
		return err
	case r.StatusCode == http.StatusUnauthorized || r.StatusCode == http.StatusForbidden:
		return permanent{fmt.Errorf("%w: it does not give this model to everybody; fetch it elsewhere and use `dragoman models import`", err)}
	case r.StatusCode == http.StatusNotFound:
		return permanent{fmt.Errorf("%w: this hub does not have it", err)}
	}
	return permanent{err}
}

// retryAfter reads the header of that name (RFC 9110, 10.2.3).
func retryAfter(value string) time.Duration {
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(max(seconds, 0)) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(time.Until(at), 0)
	}
	return 0
}

// errStalled is the cause of a connection that was given up.
var errStalled = errors.New("nothing came for too long")

// watcher ends a request from which nothing comes.
type watcher struct {
	ctx   context.Context
	timer *time.Timer
	end   context.CancelCauseFunc
	after time.Duration
}

func (p *puller) watch(ctx context.Context) (context.Context, *watcher) {
	ctx, end := context.WithCancelCause(ctx)
	w := &watcher{ctx: ctx, end: end, after: p.stall}
	w.timer = time.AfterFunc(p.stall, func() { end(errStalled) })
	return ctx, w
}

func (w *watcher) stop() {
	w.timer.Stop()
	w.end(nil)
}

// reader reads as r does and tells the watcher that something came.
func (w *watcher) reader(r io.Reader) io.Reader { return watched{r, w} }

type watched struct {
	io.Reader
	*watcher
}

func (w watched) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if n > 0 {
		w.timer.Reset(w.after)
	}
	return n, err
}

// explain says why a request ended, instead of that it did.
func (w *watcher) explain(err error) error {
	if cause := context.Cause(w.ctx); cause != nil {
		return fmt.Errorf("%w", cause)
	}
	// The address of a mirror may hold a password.
	var at *url.Error
	if errors.As(err, &at) {
		return brief{at.Err}
	}
	return brief{err}
}
