package ipc

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/internal/transcript"
)

// serve echoes at o.Address until the test ends. The channel gets the peer of
// each connection that was let in.
func serve(t testing.TB, o Options) <-chan Identity {
	t.Helper()
	l, err := Listen(o)
	require.NoError(t, err)
	peers := make(chan Identity, 64)
	var all sync.WaitGroup
	all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			id, ok := Peer(c)
			if !ok {
				id.User = "Peer knows nothing of an accepted connection"
			}
			peers <- id
			all.Go(func() {
				defer c.Close()
				_, _ = io.Copy(c, c)
			})
		}
	})
	t.Cleanup(func() {
		require.NoError(t, l.Close())
		all.Wait()
	})
	return peers
}

// knock connects and sends one byte; it returns the open connection if the byte
// came back.
func knock(t testing.TB, a Address) (net.Conn, error) {
	t.Helper()
	c, err := Dial(t.Context(), a)
	if err != nil {
		return nil, err
	}
	require.NoError(t, c.SetDeadline(time.Now().Add(2*time.Second)))
	echo := make([]byte, 1)
	if _, err = c.Write([]byte("x")); err == nil {
		_, err = io.ReadFull(c, echo)
	}
	if err != nil {
		_ = c.Close()
		return nil, err
	}
	t.Cleanup(func() { _ = c.Close() })
	return c, nil
}

// open knocks until someone answers: under wine the first connection to a pipe
// is lost, and a place is free only after the server saw its client leave.
func open(t testing.TB, a Address) net.Conn {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); ; {
		c, err := knock(t, a)
		if err == nil {
			return c
		}
		require.True(t, time.Now().Before(end), "nobody answers: %v", err)
	}
}

func TestAcceptedConnectionsKnowTheirPeer(t *testing.T) {
	a := testAddress(t)
	peers := serve(t, Options{Address: a})
	open(t, a)
	require.Equal(t, Identity{User: self(t), PID: os.Getpid()}, <-peers)
}

func TestPeerOfAnotherConnectionIsUnknown(t *testing.T) {
	here, there := net.Pipe()
	defer here.Close()
	defer there.Close()
	_, ok := Peer(here)
	require.False(t, ok)
}

func TestOneClientTooManyIsTurnedAway(t *testing.T) {
	a := testAddress(t)
	var log transcript.Transcript
	serve(t, Options{Address: a, MaxClients: 2, Log: slog.New(slog.NewTextHandler(&log, nil))})
	first := open(t, a)
	open(t, a)
	for range 2 {
		_, err := knock(t, a)
		require.Error(t, err)
		require.NotErrorIs(t, err, os.ErrDeadlineExceeded, "it was not closed at once")
	}
	require.Equal(t, 1, strings.Count(log.String(), "too many clients"), "once a crowd: %s", &log)
	require.NoError(t, first.Close())
	open(t, a)
}

func TestDialWithoutADaemon(t *testing.T) {
	_, err := Dial(t.Context(), testAddress(t))
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = Dial(t.Context(), "")
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = Listen(Options{})
	require.Error(t, err)
}

func TestDialAnyTakesTheFirstThatAnswers(t *testing.T) {
	missing, living := testAddress(t), testAddress(t)
	peers := serve(t, Options{Address: living})
	open(t, living)
	<-peers
	c, err := DialAny(t.Context(), "", missing, living)
	require.NoError(t, err)
	defer c.Close()
	<-peers

	_, err = DialAny(t.Context(), missing, testAddress(t))
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, string(missing), "the first address is the one to speak of")
	_, err = DialAny(t.Context())
	require.ErrorIs(t, err, fs.ErrNotExist)

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = DialAny(ended, living, living)
	require.True(t, errors.Is(err, context.Canceled), "%v", err)
}

func TestALivingDaemonKeepsItsAddress(t *testing.T) {
	skipUnderWine(t, "it lets a second process make the first instance of a pipe")
	a := testAddress(t)
	serve(t, Options{Address: a})
	_, err := Listen(Options{Address: a})
	require.ErrorIs(t, err, ErrInUse)
	open(t, a)
}

func TestAnAddressIsFreeAfterClose(t *testing.T) {
	a := testAddress(t)
	for range 2 {
		l, err := Listen(Options{Address: a})
		require.NoError(t, err)
		require.NoError(t, l.Close())
	}
	_, err := Dial(t.Context(), a)
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// BenchmarkRoundTrip connects, sends a byte and gets it back.
func BenchmarkRoundTrip(b *testing.B) {
	a := testAddress(b)
	peers := serve(b, Options{Address: a})
	open(b, a)
	<-peers
	for b.Loop() {
		c, err := Dial(b.Context(), a)
		require.NoError(b, err)
		_, err = c.Write([]byte("x"))
		require.NoError(b, err)
		_, err = io.ReadFull(c, make([]byte, 1))
		require.NoError(b, err)
		require.NoError(b, c.Close())
		<-peers
	}
}
