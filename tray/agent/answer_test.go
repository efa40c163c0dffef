package agent

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/tray"
	"dragoman/tray/message"
	"dragoman/tray/notify"
)

// fakeProcess is a service that can hang as a process does which was stopped by
// a signal: it takes connections and says nothing until it goes on. It speaks over
// net.Pipe, for the fake clock of synctest.
type fakeProcess struct {
	t      *testing.T
	awake  chan struct{} // closed when it goes on
	absent atomic.Bool   // nobody is there
	slow   atomic.Bool   // texts take for ever, all else is answered
	dialed atomic.Int64
}

func (p *fakeProcess) dial(context.Context) (net.Conn, error) {
	p.dialed.Add(1)
	if p.absent.Load() {
		return nil, syscall.ECONNREFUSED
	}
	here, there := net.Pipe()
	go p.serve(there)
	return here, nil
}

func (p *fakeProcess) serve(c net.Conn) {
	defer c.Close()
	select {
	case <-p.awake:
	case <-p.t.Context().Done():
		return
	}
	r, err := http.ReadRequest(bufio.NewReader(c))
	if err != nil {
		return
	}
	if p.slow.Load() && r.URL.Path == api.RouteDetect.Path {
		<-p.t.Context().Done()
		return
	}
	const snapshot = `{"state":"ready"}`
	if r.URL.Path == api.RouteEvents.Path {
		fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\nid: 1\ndata: {\"snapshot\":%s}\n\n", api.TypeEvents, snapshot)
		<-p.t.Context().Done()
		return
	}
	fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", api.TypeJSON, len(snapshot), snapshot)
}

// start runs an agent that a fakeProcess serves. status is the first line of its
// menu, offers whether an item is in it.
func (p *fakeProcess) start(t *testing.T) (a *Agent, status func() string, offers func(tray.Action) bool) {
	p.t, p.awake = t, make(chan struct{})
	a = newAgent(t, "tray.notifications = false\n")
	a.opts.Client, a.opts.Notifier = api.NewClient(p.dial), notify.Open(notify.Options{})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		a.Run(ctx)
	}()
	t.Cleanup(func() {
		stop()
		<-ended
	})
	var last tray.View
	look := func() tray.View {
		synctest.Wait()
		select {
		case last = <-a.views:
		default:
		}
		return last
	}
	status = func() string { return look().Menu[0].Label }
	offers = func(action tray.Action) bool {
		for _, i := range look().Menu {
			if i.ID.Action == action {
				return !i.Hidden
			}
		}
		return false
	}
	return a, status, offers
}

func TestAServiceThatHangsIsNoticedByWhoAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p fakeProcess
		a, status, offers := p.start(t)
		time.Sleep(time.Minute)
		require.EqualValues(t, 1, p.dialed.Load(), "nobody asks while nobody waits")
		a.do(t.Context(), func() { a.enqueue(t.Context(), task{text: "The dog is black."}) })
		a.do(t.Context(), func() { a.enqueue(t.Context(), task{text: "The cat is white."}) })
		time.Sleep(doubtAfter + signWithin + time.Second)
		require.Equal(t, message.New().Say(message.StatusSilent), status())
		require.True(t, offers(tray.RestartService))
		require.False(t, offers(tray.StartService))
		asked := p.dialed.Load()
		time.Sleep(time.Minute)
		require.Equal(t, asked, p.dialed.Load(), "nobody asks again, nor for the text that waited")
		close(p.awake)
		require.Equal(t, message.New().Say(message.StatusReady), status())
		require.False(t, offers(tray.RestartService))
	})
}

func TestAClickNoticesAServiceThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p fakeProcess
		a, status, offers := p.start(t)
		a.clicks <- tray.Click{ID: tray.ID{Action: tray.Pause, Arg: tray.ForAnHour}}
		time.Sleep(doubtAfter + signWithin + time.Second)
		require.Equal(t, message.New().Say(message.StatusSilent), status())
		require.True(t, offers(tray.RestartService))
	})
}

func TestAServiceThatIsSlowLives(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p fakeProcess
		p.slow.Store(true)
		a, status, _ := p.start(t)
		close(p.awake)
		var failed string
		after := func(d time.Duration) {
			time.Sleep(d)
			require.Equal(t, message.New().Say(message.StatusReady), status())
			a.do(t.Context(), func() { failed = a.failed })
			synctest.Wait()
		}
		a.do(t.Context(), func() { a.enqueue(t.Context(), task{text: "The dog is black."}) })
		after(patience - time.Second)
		require.Empty(t, failed)
		after(2 * time.Second)
		require.Equal(t, errSlow.Error(), failed)
	})
}

func TestAServiceThatIsAwayIsLookedForOnceAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p fakeProcess
		p.absent.Store(true)
		a, status, _ := p.start(t)
		require.Equal(t, message.New().Say(message.StatusAway), status())
		time.Sleep(10 * time.Minute)
		before := p.dialed.Load()
		time.Sleep(10 * time.Minute)
		require.EqualValues(t, 10, p.dialed.Load()-before)
		p.absent.Store(false)
		close(p.awake)
		a.clicks <- tray.Click{} // whatever it is
		require.Equal(t, message.New().Say(message.StatusReady), status())
	})
}
