//go:build unix

package wayland

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/watch/clip/selection"
)

func dialFake(t *testing.T, manager string, version uint32) (*Conn, *fakeCompositor) {
	t.Helper()
	f := newFakeCompositor(t, manager, version)
	c, err := Dial(t.Context(), f.path)
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close(context.Background()) })
	f.until("device")
	return c, f
}

// copied waits for the news of a copy and returns its offer.
func copied(t *testing.T, c *Conn) selection.Offer {
	t.Helper()
	select {
	case _, open := <-c.Changes():
		require.True(t, open)
	case <-time.After(20 * time.Second):
		require.Fail(t, "no news")
	}
	o, err := c.Offer(t.Context(), selection.Clipboard)
	require.NoError(t, err)
	return o
}

func TestBothProtocols(t *testing.T) {
	for manager, name := range map[string]string{extManager: "Wayland (ext-data-control)", wlrManager: "Wayland (wlr-data-control)"} {
		c, f := dialFake(t, manager, 2)
		require.Equal(t, name, c.Name())
		_, err := c.Offer(t.Context(), selection.Clipboard)
		require.ErrorIs(t, err, selection.ErrEmpty)

		f.copy("text/plain;charset=utf-8", "x-kde-passwordManagerHint")
		o := copied(t, c)
		require.Equal(t, []string{"text/plain;charset=utf-8", "x-kde-passwordManagerHint"}, o.Formats())
		require.Empty(t, f.asked, "nothing is asked for before anybody reads")
		require.False(t, o.Ours())

		go func() {
			w := <-f.pipes
			_, _ = w.WriteString("Guten Tag")
			w.Close()
		}()
		data, err := o.Read(t.Context(), "text/plain;charset=utf-8", 100)
		require.NoError(t, err)
		require.Equal(t, "Guten Tag", string(data))
		require.Equal(t, "text/plain;charset=utf-8", <-f.asked)

		f.copy("image/png")
		require.Equal(t, []string{"image/png"}, copied(t, c).Formats())
		f.until("destroy offer")
		_, err = o.Read(t.Context(), "text/plain;charset=utf-8", 100)
		require.ErrorIs(t, err, selection.ErrReplaced)
	}
}

func TestOwnersThatMisbehave(t *testing.T) {
	c, f := dialFake(t, extManager, 1)
	for name, owner := range map[string]struct {
		does func(w *os.File)
		want error
	}{
		"hangs": {func(w *os.File) { time.AfterFunc(5*time.Second, func() { w.Close() }) }, selection.ErrHung},
		"gives too much": {func(w *os.File) {
			_, err := w.WriteString(strings.Repeat("x", 4<<20))
			require.NoError(t, err, "its pipe stays open until it has written all")
			w.Close()
		}, selection.TooLong{Size: 65536}},
		"ends in the middle": {func(w *os.File) {
			_, _ = w.WriteString("Guten")
			f.send(f.device, deviceSelected, arguments{}.number(0))
			w.Close()
		}, selection.ErrGone},
	} {
		f.copy("UTF8_STRING")
		o := copied(t, c)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			owner.does(<-f.pipes)
		}()
		_, err := o.Read(t.Context(), "UTF8_STRING", 50_000)
		if long, ok := owner.want.(selection.TooLong); ok {
			require.ErrorAs(t, err, &long, name)
			require.Greater(t, long.Size, 50_000)
		} else {
			require.ErrorIs(t, err, owner.want, name)
		}
		<-ended
	}
	many := make([]string, maxFormats+1)
	for i := range many {
		many[i] = "x"
	}
	f.copy(many...)
	<-c.Changes()
	_, err := c.Offer(t.Context(), selection.Clipboard)
	require.ErrorIs(t, err, selection.ErrRefused, "too many formats could hide a mark")
}

func TestWriteServesReaders(t *testing.T) {
	c, f := dialFake(t, extManager, 1)
	text := strings.Repeat("学习", 100_000)
	require.NoError(t, c.Write(t.Context(), text))
	f.until("select")
	require.Contains(t, f.offered, "text/plain;charset=utf-8")
	require.Contains(t, f.offered, "UTF8_STRING")
	require.Contains(t, f.offered, selection.Marker)

	// A reader that hangs holds up nobody.
	hung, keep := pipe(t)
	defer hung.Close()
	require.NoError(t, f.client.send(f.source, sourceSend, arguments{}.text("UTF8_STRING"), int(keep.Fd())))
	keep.Close()
	for format, want := range map[string]string{"text/plain;charset=utf-8": text, "UTF8_STRING": text, "image/png": ""} {
		r, w := pipe(t)
		require.NoError(t, f.client.send(f.source, sourceSend, arguments{}.text(format), int(w.Fd())))
		w.Close()
		got, err := io.ReadAll(r)
		require.NoError(t, err)
		require.True(t, want == string(got), format)
		r.Close()
	}
	// What the compositor tells of our own copy is no news.
	f.copy(f.offered...)
	f.send(f.source, sourceCancelled, nil)
	f.until("destroy source")
	f.copy("UTF8_STRING")
	require.Equal(t, []string{"UTF8_STRING"}, copied(t, c).Formats())

	// Numbers of objects are used again.
	for range 20 {
		require.NoError(t, c.Write(t.Context(), "text"))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	require.Less(t, c.last, uint32(20))
}

func TestCloseSaysThatATextIsLost(t *testing.T) {
	c, _ := dialFake(t, extManager, 1)
	require.NoError(t, c.Write(t.Context(), "text"))
	require.ErrorContains(t, c.Close(t.Context()), "leaves the clipboard")
}

func TestCloseLeavesTheTextOfOthers(t *testing.T) {
	c, f := dialFake(t, extManager, 1)
	require.NoError(t, c.Write(t.Context(), "text"))
	f.until("select")
	f.send(f.source, sourceCancelled, nil) // somebody else copies
	f.until("destroy source")
	require.NoError(t, c.Close(t.Context()))
}

func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	return r, w
}

func TestCompositorsThatCannot(t *testing.T) {
	f := newFakeCompositor(t, "", 0)
	_, err := Dial(t.Context(), f.path)
	require.ErrorIs(t, err, ErrNoProtocol)

	_, err = Dial(t.Context(), filepath.Join(t.TempDir(), "wayland-0"))
	require.Error(t, err)

	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = Dial(ctx, newHungCompositor(t))
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
}

// newHungCompositor accepts and says nothing.
func newHungCompositor(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "wayland-1")
	listen, err := listenUnix(path)
	require.NoError(t, err)
	t.Cleanup(func() { listen.Close() })
	return path
}

func TestConnectionEnds(t *testing.T) {
	for name, end := range map[string]func(*fakeCompositor){
		"closed":         func(f *fakeCompositor) { f.client.conn.Close() },
		"protocol error": func(f *fakeCompositor) { f.send(display, displayError, arguments{}.number(1).number(2).text("no")) },
		"seat gone":      func(f *fakeCompositor) { f.send(f.device, deviceFinished, nil) },
		"short message":  func(f *fakeCompositor) { f.send(f.device, deviceOffer, nil) },
		"long string":    func(f *fakeCompositor) { f.copy("x"); f.send(f.next-1, offerFormat, arguments{}.number(1<<31)) },
		"tiny message":   func(f *fakeCompositor) { _, _ = f.client.conn.Write(make([]byte, 8)) },
		"no descriptor":  func(f *fakeCompositor) { f.send(f.source, sourceSend, arguments{}.text("UTF8_STRING")) },
	} {
		c, f := dialFake(t, extManager, 1)
		require.NoError(t, c.Write(t.Context(), "text"))
		f.until("select")
		end(f)
		for range c.Changes() { // until it is closed
		}
		require.Error(t, c.Err(), name)
		_, err := c.Offer(t.Context(), selection.Clipboard)
		require.Error(t, err, name)
		require.Error(t, c.Write(t.Context(), "text"), name)
		require.NoError(t, c.Close(t.Context()), name)
	}
}

func FuzzEvent(f *testing.F) {
	f.Add(uint32(5), uint16(0), []byte{0, 0, 0, 0xff})
	f.Add(uint32(0xff000000), uint16(0), []byte{2, 0, 0, 0, 'x', 0, 0, 0})
	f.Add(uint32(1), uint16(0), []byte{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 'n', 'o', 0, 0})
	f.Fuzz(func(t *testing.T, object uint32, opcode uint16, body []byte) {
		c := &Conn{
			changes: selection.NewMailbox(), waiting: map[uint32]chan struct{}{}, sources: map[uint32]bool{7: true}, source: 8, device: 5, ready: true,
			socket: &socket{}, offers: map[uint32]*offer{}, readers: make(chan struct{}, 1),
		}
		c.offers[0xff000000] = &offer{c: c, id: 0xff000000}
		if object == 8 { // would answer on a socket that is not there
			return
		}
		_ = c.handle(message{object, opcode, body})
	})
}
