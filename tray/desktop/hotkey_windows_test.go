package desktop

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// press has Windows take keys for pressed by a person, one after the other, and
// let go in the same order.
func press(virtual ...uintptr) {
	keybdEvent := user32.NewProc("keybd_event")
	for _, up := range []uintptr{0, 2} {
		for _, v := range virtual {
			_, _, _ = keybdEvent.Call(v, 0, up, 0)
		}
	}
}

func TestListenHotkey(t *testing.T) {
	const control, menu = 0x11, 0x12
	ctx, cancel := context.WithCancel(t.Context())
	pressed, ended := make(chan struct{}, 64), make(chan error, 1)
	go func() {
		ended <- ListenHotkey(ctx, "Ctrl+Alt+F11", "Translate", func() { pressed <- struct{}{} })
	}()
	require.Eventually(t, func() bool {
		press(control, menu, 0x7a)
		select {
		case <-pressed:
			return true
		case err := <-ended:
			require.NoError(t, err)
			return false
		case <-time.After(50 * time.Millisecond):
			return false
		}
	}, 20*time.Second, time.Millisecond)

	err := ListenHotkey(t.Context(), "Alt+Control+f11", "Translate", func() {})
	require.ErrorIs(t, err, ErrHotkeyTaken)
	require.ErrorContains(t, err, "Ctrl+Alt+F11")

	cancel()
	require.NoError(t, <-ended)
	// The keys are free again.
	ctx, cancel = context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	require.NoError(t, ListenHotkey(ctx, "Ctrl+Alt+F11", "Translate", func() {}))
	require.False(t, errors.Is(ListenHotkey(t.Context(), "F", "", func() {}), ErrHotkeyTaken))
}
