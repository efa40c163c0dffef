package x11

import (
	"errors"
	"sync"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// known are the extensions whose events and errors the library can tell apart,
// by their first numbers. The library keeps those in maps for all connections
// and reads them without a lock, so they are written only when a server has
// other numbers than the one before: in practice once.
var known = struct {
	sync.Mutex
	first map[string][2]byte
}{first: map[string][2]byte{}}

// useExtension does what the Init functions of the library do, but for writing
// again what is there.
func useExtension(x *xgb.Conn, name string) error {
	r, err := xproto.QueryExtension(x, uint16(len(name)), name).Reply()
	switch {
	case err != nil:
		return err
	case !r.Present:
		return errors.New("the server does not have it")
	}
	x.ExtLock.Lock()
	x.Extensions[name] = r.MajorOpcode
	x.ExtLock.Unlock()
	known.Lock()
	defer known.Unlock()
	first := [2]byte{r.FirstEvent, r.FirstError}
	if have, found := known.first[name]; found && have == first {
		return nil
	}
	for n, f := range xgb.NewExtEventFuncs[name] {
		xgb.NewEventFuncs[int(r.FirstEvent)+n] = f
	}
	for n, f := range xgb.NewExtErrorFuncs[name] {
		xgb.NewErrorFuncs[int(r.FirstError)+n] = f
	}
	known.first[name] = first
	return nil
}
