package host

import (
	"runtime"
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
}

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
func (t *team) run() {
	t.done.Store(0)
	t.next()
	t.work(0)
	wait(func() bool { return int(t.done.Load()) == t.size-1 })
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
		t.work(i + 1)
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

// barrier returns when all members have come to it.
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
	wait(func() bool { return t.phase.Load() != phase })
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
