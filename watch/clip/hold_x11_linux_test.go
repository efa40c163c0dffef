package clip

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestX11HoldEndsWithTheNextCopy(t *testing.T) {
	t.Parallel()
	x := startX(t)
	need(t, "xclip", "xclip")
	x.own(t, text("Guten Tag"))
	c, err := Open(t.Context(), x.options())
	require.NoError(t, err)
	defer c.Close(context.Background())
	hold := func(ctx context.Context) (written chan struct{}, ended chan error) {
		written, ended = make(chan struct{}), make(chan error, 1)
		go func() { ended <- c.Hold(ctx, "Buenos días", func() { close(written) }) }()
		return written, ended
	}
	wait := func(ended chan error) error {
		select {
		case err := <-ended:
			return err
		case <-time.After(20 * time.Second):
			return errors.New("the text is still held")
		}
	}
	written, ended := hold(t.Context())
	<-written
	require.Equal(t, "Buenos días", x.run(t, "xclip", "-o", "-selection", "clipboard"))
	require.Empty(t, ended, "reading is no copy")
	other := x.own(t, text("Auf Wiedersehen"))
	require.NoError(t, wait(ended))
	require.NotContains(t, other.requests(), "UTF8_STRING", "what others copy is not read")

	// News of an earlier copy does not end it.
	_, ended = hold(t.Context())
	require.Eventually(t, func() bool { return x.run(t, "xclip", "-o", "-selection", "clipboard") == "Buenos días" }, 20*time.Second, 5*time.Millisecond)
	c.tellMove()
	require.Equal(t, "Buenos días", x.run(t, "xclip", "-o", "-selection", "clipboard"))
	require.Empty(t, ended)
	require.NoError(t, x.cmd.Process.Kill())
	require.ErrorIs(t, wait(ended), ErrAway)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, ended = hold(ctx)
	require.Error(t, wait(ended))
}
