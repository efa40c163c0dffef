package win32

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/windows"

	"dragoman/watch/clip/selection"
)

const (
	// openLimit is how long another program may keep the clipboard open.
	openLimit = time.Second
	// openFirst and openLast are the pauses between attempts to open it.
	openFirst = time.Millisecond
	openLast  = 50 * time.Millisecond
	// answerLimit is how long an owner may take to answer.
	answerLimit = 2 * time.Second
	// readLimit is how long it may take to make the data as well.
	readLimit = 5 * time.Second
	// againPause is what a remote desktop gets that has announced a text and
	// cannot give it yet.
	againPause = 50 * time.Millisecond
)

// dwords are the formats, besides text, whose value says something: four bytes,
// of whatever size the memory is ("Cloud clipboard and clipboard history
// formats"). The names of formats have no case.
var dwords = []string{"canincludeinclipboardhistory", "canuploadtocloudclipboard"}

// errBusy is that another program has opened the clipboard.
var errBusy = errors.New("another program keeps the clipboard open")

// Read asks for CF_UNICODETEXT or one of dwords; see selection.Offer. A clipboard
// that changed since its formats were looked at is ErrGone: the new owner may be
// a password manager.
//
// Windows lets an owner make its data when it is asked for, and nobody else open
// the clipboard meanwhile. So an owner that does not answer a message of nothing
// is ErrHung, and its clipboard is not opened. If it hangs only then, Read
// returns, and no other is begun before Windows has ended it.
func (o *offer) Read(ctx context.Context, format string, limit int) ([]byte, error) {
	id, found := o.byName[format]
	if !found || id != unicodeText && !slices.Contains(dwords, strings.ToLower(format)) {
		return nil, selection.ErrRefused
	}
	ctx, cancel := context.WithTimeoutCause(ctx, readLimit, selection.ErrHung)
	defer cancel()
	select {
	case o.c.reading <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	type result struct {
		data []byte
		err  error
	}
	// The thread works on its own copy: it may outlast this call.
	own := *o
	done := make(chan result, 1)
	go func() {
		// An open clipboard belongs to the thread.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer func() { <-own.c.reading }()
		data, err := own.read(ctx, id, limit)
		if errors.Is(err, selection.ErrRefused) {
			time.Sleep(againPause)
			data, err = own.read(ctx, id, limit)
		}
		done <- result{data, err}
	}()
	select {
	case r := <-done:
		o.sequence, o.decided = own.sequence, own.decided
		return r.data, r.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (o *offer) read(ctx context.Context, id uint32, limit int) ([]byte, error) {
	if !o.answers() {
		return nil, selection.ErrHung
	}
	// Who opens it without a window opens it also where another did so.
	w, err := newWindow()
	if err != nil {
		return nil, err
	}
	defer func() { _, _, _ = destroyWindow.Call(uintptr(w)) }()
	if err := open(ctx, w); err != nil {
		return nil, err
	}
	defer func() { _, _, _ = closeClipboard.Call() }()
	if !o.same() {
		return nil, selection.ErrGone
	}
	handle, _, _ := getClipboardData.Call(uintptr(id))
	if now := sequence(); now != o.sequence {
		o.c.rendered(o.sequence, now)
		o.sequence = now
	}
	if handle == 0 {
		if o.window != 0 && !windows.IsWindow(o.window) {
			return nil, selection.ErrGone
		}
		return nil, selection.ErrRefused
	}
	data, unlock, ok := memory(handle)
	if !ok {
		return nil, selection.ErrRefused
	}
	defer unlock()
	if id == unicodeText {
		return fromUTF16(asUnits(data), limit)
	}
	o.decided = true
	return append([]byte{}, data[:min(len(data), 4, limit)]...), nil
}

// answers tells whether the owner takes messages. One that has ended needs not:
// Windows has its data.
func (o *offer) answers() bool {
	if o.window == 0 || o.Ours() {
		return true
	}
	ok, _, _ := sendMessageTimeout.Call(uintptr(o.window), wmNull, 0, 0, sendAbort, uintptr(answerLimit.Milliseconds()), 0)
	return ok != 0 || !windows.IsWindow(o.window)
}

// open opens the clipboard for this thread. For a while it waits for a program
// that has opened it.
func open(ctx context.Context, w windows.HWND) error {
	end := time.Now().Add(openLimit)
	for pause := openFirst; ; pause = min(2*pause, openLast) {
		if ok, _, _ := openClipboard.Call(uintptr(w)); ok != 0 {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("%w: %w", selection.ErrHung, busy())
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// busy is errBusy with the name of the program, where Windows tells it.
func busy() error {
	w, _, _ := getOpenClipboardWindow.Call()
	if program := ownerOf(windows.HWND(w)).Process; program != "" {
		return fmt.Errorf("%w: %s", errBusy, program)
	}
	return errBusy
}
