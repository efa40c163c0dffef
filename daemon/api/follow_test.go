package api

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// fakeDaemon answers over net.Pipe, because the fake clock of synctest stands
// still while a real socket is waited for.
type fakeDaemon struct {
	conns  chan net.Conn
	closed chan struct{}
	http   http.Server

	mu       sync.Mutex
	away     bool
	attempts []time.Duration // since the beginning
	begun    time.Time
}

func newFakeDaemon(t *testing.T, h http.HandlerFunc) *fakeDaemon {
	d := &fakeDaemon{conns: make(chan net.Conn), closed: make(chan struct{}), begun: time.Now()}
	d.http.Handler = h
	var ended sync.WaitGroup
	ended.Go(func() { _ = d.http.Serve(d) })
	t.Cleanup(func() {
		_ = d.http.Close()
		ended.Wait()
	})
	return d
}

func (d *fakeDaemon) Accept() (net.Conn, error) {
	select {
	case c := <-d.conns:
		return c, nil
	case <-d.closed:
		return nil, net.ErrClosed
	}
}

func (d *fakeDaemon) Close() error   { close(d.closed); return nil }
func (d *fakeDaemon) Addr() net.Addr { return &net.UnixAddr{} }

func (d *fakeDaemon) setAway(away bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.away = away
}

// tried returns when connections were asked for since the last call, in seconds
// since the beginning.
func (d *fakeDaemon) tried() []float64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	var seconds []float64
	for _, a := range d.attempts {
		seconds = append(seconds, a.Seconds())
	}
	d.attempts = nil
	return seconds
}

func (d *fakeDaemon) dial(context.Context) (net.Conn, error) {
	d.mu.Lock()
	away := d.away
	d.attempts = append(d.attempts, time.Since(d.begun))
	d.mu.Unlock()
	if away {
		return nil, syscall.ECONNREFUSED
	}
	client, server := net.Pipe()
	d.conns <- server
	return client, nil
}

// follow collects what Follow tells.
func follow(t *testing.T, d *fakeDaemon, again <-chan struct{}) (told func() []string) {
	var mu sync.Mutex
	var all []string
	ctx, cancel := context.WithCancel(t.Context())
	var ended sync.WaitGroup
	ended.Go(func() {
		NewClient(d.dial).Follow(ctx, again, func(e Event) {
			mu.Lock()
			defer mu.Unlock()
			all = append(all, fmt.Sprint(e.ID, " ", e.Snapshot.State))
		})
	})
	t.Cleanup(func() {
		cancel()
		ended.Wait()
	})
	return func() []string {
		synctest.Wait()
		mu.Lock()
		defer mu.Unlock()
		told := all
		all = nil
		return told
	}
}

func snapshotOf(w http.ResponseWriter, id int, state State) {
	w.Header().Set("Content-Type", TypeEvents)
	_, _ = fmt.Fprintf(w, "id: %d\nevent: snapshot\ndata: {\"snapshot\":{\"state\":%q}}\n\n", id, state)
	_ = http.NewResponseController(w).Flush()
}

func TestFollowWaitsLongerEachTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newFakeDaemon(t, func(w http.ResponseWriter, r *http.Request) {
			snapshotOf(w, 9, StateReady)
			<-r.Context().Done()
		})
		d.setAway(true)
		told := follow(t, d, nil)
		require.Equal(t, []string{"0 stopped"}, told())
		time.Sleep(100 * time.Second)
		require.Empty(t, told(), "once is enough")
		require.Equal(t, []float64{0, 1, 3, 7, 15, 31, 63}, d.tried())
		d.setAway(false)
		time.Sleep(30 * time.Second)
		require.Equal(t, []string{"9 ready"}, told())
		require.Equal(t, []float64{123}, d.tried())
	})
}

func TestFollowTriesAtOnceWhenItIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newFakeDaemon(t, func(w http.ResponseWriter, r *http.Request) {
			snapshotOf(w, 9, StateReady)
			<-r.Context().Done()
		})
		d.setAway(true)
		again := make(chan struct{})
		told := follow(t, d, again)
		time.Sleep(100 * time.Second)
		require.Equal(t, []string{"0 stopped"}, told())
		again <- struct{}{} // the socket is there, and nobody listens yet
		require.Empty(t, told())
		d.setAway(false)
		time.Sleep(time.Second)
		require.Equal(t, []string{"9 ready"}, told())
		require.Equal(t, []float64{0, 1, 3, 7, 15, 31, 63, 100, 101}, d.tried())
	})
}

func TestASilentDaemonIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newFakeDaemon(t, func(w http.ResponseWriter, r *http.Request) {
			snapshotOf(w, 9, StateReady)
			<-r.Context().Done()
		})
		told := follow(t, d, nil)
		time.Sleep(silence)
		require.Equal(t, []string{"9 ready", "0 stopped"}, told())
	})
}

func TestFollowTakesUpWhereItWas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var named []string
		d := newFakeDaemon(t, func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			named = append(named, r.Header.Get("Last-Event-ID"))
			id := 10 * len(named)
			mu.Unlock()
			snapshotOf(w, id, StateReady)
		})
		told := follow(t, d, nil)
		time.Sleep(2*time.Second + time.Millisecond)
		require.Equal(t, []string{"10 ready", "20 ready", "30 ready"}, told(), "no word of a stop")
		require.Equal(t, []float64{0, 1, 2}, d.tried(), "each stream brought something, so no longer waits")
		d.setAway(true)
		time.Sleep(time.Second)
		require.Equal(t, []string{"0 stopped"}, told())
		d.setAway(false)
		time.Sleep(time.Second)
		require.Equal(t, []string{"40 ready"}, told())
		mu.Lock()
		defer mu.Unlock()
		require.Equal(t, []string{"", "10", "20", "30"}, named)
	})
}

func TestASilentDaemonIsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		beats := 3
		d := newFakeDaemon(t, func(w http.ResponseWriter, r *http.Request) {
			snapshotOf(w, 1, StateReady)
			for ; beats > 0; beats-- {
				time.Sleep(silence - time.Second)
				_, _ = io.WriteString(w, ":\n\n")
				_ = http.NewResponseController(w).Flush()
			}
			<-r.Context().Done()
		})
		start := time.Now()
		err := NewClient(d.dial).Events(t.Context(), 0, func(Event) error { return nil })
		require.ErrorIs(t, err, errSilent)
		require.NotErrorIs(t, err, context.Canceled, "nobody cancelled it")
		require.Equal(t, 3*(silence-time.Second)+silence, time.Since(start))
	})
}

// TestFollowARealSocket ends and starts a real server.
func TestFollowARealSocket(t *testing.T) {
	stop := make(chan struct{}, 1)
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := 1
		if r.Header.Get("Last-Event-ID") == "1" {
			id = 2
		}
		snapshotOf(w, id, StateReady)
		select {
		case <-stop:
		case <-r.Context().Done():
		}
	}))
	events := make(chan string, 8)
	ctx, cancel := context.WithCancel(t.Context())
	var ended sync.WaitGroup
	ended.Go(func() {
		s.Follow(ctx, nil, func(e Event) { events <- fmt.Sprint(e.ID, " ", e.Snapshot.State) })
	})
	require.Equal(t, "1 ready", <-events)
	stop <- struct{}{}
	require.Equal(t, "2 ready", <-events)
	require.NoError(t, s.http.Close())
	require.Equal(t, "0 stopped", <-events)
	cancel()
	ended.Wait()
}
