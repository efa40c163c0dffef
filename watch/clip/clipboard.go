package clip

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"dragoman/watch/clip/selection"
)

// DefaultMaxBytes is the length of a text, in bytes, that is still read.
const DefaultMaxBytes = 200_000

// Options are what the user may choose.
type Options struct {
	MaxBytes int // 0 means DefaultMaxBytes
	// Exclude names applications that are never read from: base names of their
	// programs or words of WM_CLASS, without case.
	Exclude []string
	// Off lets Watch ask for nothing: copies come with the reason Off. Read does
	// not heed it.
	Off bool
	// Current returns what the three are by now. It is asked at each copy and
	// Read, before anything is looked at, by one goroutine at a time. nil means
	// that they do not change.
	Current func() Options

	getenv func(string) string // os.Getenv if nil
}

// ErrAway is the error of everything asked of a Clipboard while its window
// system is away.
var ErrAway = errors.New("the clipboard is away")

// Clipboard is a connection to the desktop's clipboard. It comes back by itself
// when the window system goes and returns. All methods may be called from
// several goroutines.
type Clipboard struct {
	own     own
	options Options
	asking  sync.Mutex // held while options.Current is asked
	stop    context.CancelFunc
	done    chan struct{} // closed when the loop has ended

	mu       sync.Mutex
	sys      selection.System // nil while away
	why      error            // why it is away
	watchers map[*watcher]struct{}
	serial   uint64
	moved    chan struct{} // see nextMove; nil while nobody waits
}

// Open connects to the window system of the session that the environment names.
// Its error says which way out there is. ctx bounds the opening only.
func Open(ctx context.Context, o Options) (*Clipboard, error) {
	sys, err := openSystem(ctx, o.getenv)
	if err != nil {
		return nil, err
	}
	life, stop := context.WithCancel(context.WithoutCancel(ctx))
	c := &Clipboard{stop: stop, done: make(chan struct{}), options: o, sys: sys, watchers: map[*watcher]struct{}{}}
	go c.run(life, sys)
	return c, nil
}

// current returns the options as they are by now.
func (c *Clipboard) current() Options {
	o := c.options
	if o.Current != nil {
		c.asking.Lock()
		defer c.asking.Unlock()
		o = o.Current()
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	return o
}

// Backend names the window system for the status line, "" while it is away.
func (c *Clipboard) Backend() string {
	sys, err := c.system()
	if err != nil {
		return ""
	}
	return sys.Name()
}

// Err says why the clipboard is away, nil if it is not.
func (c *Clipboard) Err() error {
	_, err := c.system()
	return err
}

func (c *Clipboard) system() (selection.System, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sys == nil {
		return nil, fmt.Errorf("%w: %w", ErrAway, c.why)
	}
	return c.sys, nil
}

// Read returns what a selection holds now, for a hotkey or command, by the same
// rules as Watch. What the rules forbid comes as a Copy with Skip set and no
// error; an error means that the window system did not answer.
func (c *Clipboard) Read(ctx context.Context, name selection.Name) (Copy, error) {
	sys, err := c.system()
	if err != nil {
		return Copy{}, err
	}
	return within(ctx, "read the "+name.String(), func() (Copy, error) {
		for {
			n, err := c.look(ctx, sys, c.current(), name, selection.Change{Seen: time.Now()})
			if !errors.Is(err, selection.ErrReplaced) || ctx.Err() != nil {
				return n, err
			}
		}
	})
}

// Write fills the clipboard with a text of ours, which Watch will not tell. It
// stays for as long as the Clipboard is open, and longer where a clipboard
// manager takes it over.
func (c *Clipboard) Write(ctx context.Context, text string) error {
	sys, err := c.system()
	if err != nil {
		return err
	}
	c.own.remember(text, time.Now())
	_, err = within(ctx, "write to the clipboard", func() (struct{}, error) {
		return struct{}{}, sys.Write(ctx, text)
	})
	return err
}

// Remember makes a text count as ours though it was not written here: a result
// that was shown, of which the user may copy a part.
func (c *Clipboard) Remember(text string) { c.own.remember(text, time.Now()) }

// Close ends all watches and the connection. A text of ours is handed to a
// clipboard manager, where there is one; the error says that this failed.
func (c *Clipboard) Close(ctx context.Context) error {
	c.stop()
	_, err := within(ctx, "close the clipboard", func() (struct{}, error) {
		<-c.done
		c.mu.Lock()
		sys := c.sys
		c.sys, c.why = nil, errors.New("it was closed")
		c.mu.Unlock()
		if sys == nil {
			return struct{}{}, nil
		}
		return struct{}{}, sys.Close(ctx)
	})
	return err
}

// within returns when do does or ctx ends, whichever is first: a window system
// may hang in places that no deadline reaches.
func within[T any](ctx context.Context, what string, do func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := do()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		if r.err != nil {
			return r.value, fmt.Errorf("%s: %w", what, r.err)
		}
		return r.value, nil
	case <-ctx.Done():
		var none T
		return none, fmt.Errorf("%s: %w", what, ctx.Err())
	}
}
