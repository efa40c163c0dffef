package systray

import (
	"context"
	"time"
)

// link stands for what Windows does not have: its icons need no bus.
type link struct{ over <-chan struct{} }

// begun is how long Windows may take to accept an icon, which is long while a
// user is being logged on.
const begun = 30 * time.Second

func connect() (*link, error) { return &link{}, nil }

// begin is called just before the library begins.
func (l *link) begin() {
	over := make(chan struct{})
	time.AfterFunc(begun, func() { close(over) })
	l.over = over
}

func (*link) lost() <-chan struct{} { return nil }

func (*link) settled() <-chan struct{} { return always }

func (l *link) late() <-chan struct{} { return l.over }

func (*link) close() {}

var always = func() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// WaitForBus returns at once: Windows needs none.
func WaitForBus(context.Context) error { return nil }
