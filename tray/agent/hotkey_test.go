package agent

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/tray/desktop"
)

func TestTheHotkeyFollowsTheSettings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAgent(t, "[tray]\nhotkey = 'F9'\n")
		var listening, begun []string
		var fail error
		a.opts.Desktop.ListenHotkey = func(ctx context.Context, keys, does string, _ func()) error {
			require.NotEmpty(t, does)
			begun = append(begun, keys)
			if fail != nil {
				err := fail
				fail = nil
				return err
			}
			listening = append(listening, keys)
			<-ctx.Done()
			listening = listening[1:]
			return nil
		}
		ctx, stop := context.WithCancel(t.Context())
		step := func() {
			a.listenToKeys(ctx)
			synctest.Wait()
		}
		set := func(keys string) {
			require.NoError(t, a.settings.set(map[string]string{"tray.hotkey": quoted(keys)}))
			step()
		}
		step()
		step()
		require.Equal(t, []string{"F9"}, begun)
		set("F8")
		require.Equal(t, []string{"F8"}, listening)
		set("")
		require.Empty(t, listening)
		set("F7")
		require.Equal(t, []string{"F7"}, listening)

		// A portal that was restarted is asked again.
		fail = errors.New("the portal is gone")
		set("F6")
		require.Empty(t, listening)
		time.Sleep(2 * hotkeyPause)
		synctest.Wait()
		require.Equal(t, []string{"F6"}, listening)
		stop()
		a.work.Wait()
		require.Empty(t, listening)
	})
}

func TestWhatIsWrongWithAHotkeyIsTold(t *testing.T) {
	a := newAgent(t, "[tray]\nnotifications = false\n")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go func() {
		for {
			select {
			case f := <-a.inbox:
				f()
			case <-ctx.Done():
				return
			}
		}
	}()
	require.True(t, a.tellHotkey(ctx, "F9", fmt.Errorf("listen: %w", desktop.ErrHotkeyTaken)))
	require.True(t, a.tellHotkey(ctx, "F9", desktop.ErrHotkeyUnsupported))
	require.True(t, a.tellHotkey(ctx, "F99", errors.New("unknown key")))
	require.False(t, a.tellHotkey(ctx, "F9", errors.New("the portal is gone")), "asked again")
}
