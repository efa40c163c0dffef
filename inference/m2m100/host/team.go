package host

import (
	"errors"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"dragoman/inference/kernel"
)

// team is goroutines that work on one step together, in phases. A step of a
// small model has some hundred phases of microseconds, so its members wait for
// each other without giving their thread away for a short time.
type team struct {
	size int
	work func(member int) // of the step under way

	round   atomic.Uint32 // counts steps
	quit    atomic.Bool
	members []worker // all but the caller, who is number 0
	ended   sync.WaitGroup

	arrived, phase atomic.Uint32 // of the barrier
	done           atomic.Uint32
	broken         atomic.Bool // a member could not read the weights
}

// ErrUnreadable is the error of weights whose file was cut short, or whose disk
// failed, while they were multiplied.
var ErrUnreadable = errors.New("the prepared model cannot be read any more: its file was cut short or its disk failed while it was in use; restart what translates to have it made anew")

// left is what members panic with who need not work on.
type left struct{}

// worker is a goroutine of the team.
type worker struct {
	parked atomic.Bool
	wake   chan struct{}
}

// How long a member looks for work before it sleeps: longer than the host's part
// of a step.
const (
	spins  = 400 // about 50 µs
	yields = 50
)

// startTeam starts size-1 goroutines; the caller of run is the last member.
func startTeam(size int, work func(member int)) *team {
	t := &team{size: size, work: work, members: make([]worker, size-1)}
	for i := range t.members {
		t.members[i].wake = make(chan struct{}, 1)
		t.ended.Go(func() { t.serve(i) })
	}
	return t
}

// run has all members do the work once.
func (t *team) run() error {
	t.done.Store(0)
	t.next()
	t.member(0)
	wait(func() bool { return int(t.done.Load()) == t.size-1 })
	return t.outcome()
}

// alone has the caller do the work once, as if there were no other member.
func (t *team) alone() error {
	t.member(0)
	return t.outcome()
}

// outcome is the error of work that has ended.
func (t *team) outcome() error {
	if t.broken.Swap(false) {
		t.arrived.Store(0)
		return ErrUnreadable
	}
	return nil
}

// member does its part. A page of a mapped file that cannot be read would end
// the process.
func (t *team) member(number int) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		r := recover()
		if _, ok := r.(left); r == nil || ok {
			return
		}
		// Such a page faults with its address; any other panic is a mistake of ours.
		if fault, ok := r.(interface{ Addr() uintptr }); !ok || fault.Addr() == 0 {
			panic(r)
		}
		t.broken.Store(true)
	}()
	t.work(number)
}

// next begins a round and wakes who sleeps.
func (t *team) next() {
	t.round.Add(1)
	for i := range t.members {
		if m := &t.members[i]; m.parked.CompareAndSwap(true, false) {
			m.wake <- struct{}{}
		}
	}
}

func (t *team) serve(i int) {
	m := &t.members[i]
	for seen := uint32(0); ; seen++ {
		m.await(func() bool { return t.round.Load() != seen })
		if t.quit.Load() {
			return
		}
		t.member(i + 1)
		t.done.Add(1)
	}
}

// await returns when something has happened. It sleeps where that takes long;
// whoever makes it happen wakes members that sleep.
func (m *worker) await(happened func() bool) {
	for n := range spins + yields {
		if happened() {
			return
		}
		pause(n)
	}
	m.parked.Store(true)
	if happened() && m.parked.CompareAndSwap(true, false) {
		return
	}
	<-m.wake
}

// barrier returns when all members have come to it, and panics where one never
// will.
func (t *team) barrier() {
	if t.size == 1 {
		return
	}
	phase := t.phase.Load()
	if int(t.arrived.Add(1)) == t.size {
		t.arrived.Store(0)
		t.phase.Add(1)
		return
	}
	wait(func() bool { return t.phase.Load() != phase || t.broken.Load() })
	if t.broken.Load() {
		panic(left{})
	}
}

// wait is for what other members do in microseconds, unless the system has taken
// their thread away.
func wait(happened func() bool) {
	for n := 0; !happened(); n++ {
		if n < spins+yields {
			pause(n)
			continue
		}
		time.Sleep(20 * time.Microsecond)
	}
}

func pause(n int) {
	if n < spins {
		kernel.Pause()
		return
	}
	runtime.Gosched()
}

// stop ends the goroutines.
func (t *team) stop() {
	t.quit.Store(true)
	t.next()
	t.ended.Wait()
}
