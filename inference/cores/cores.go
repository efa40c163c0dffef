// Package cores counts the processor cores that computing threads are worth
// starting on: physical ones, since two threads of a core share the units that
// multiply, of the kind that is fast where there are two, and only those that the
// process may use. It knows the systems' own records of the processor and must not
// import any other package of ours.
package cores

import "runtime"

// core is a physical core that the process may use.
type core struct {
	speed int // larger is faster; only compared within a processor
}

// slowWorth is how many times more slow cores than fast ones there must be for the
// slow ones to be used, too: they are about half as fast, and the fast ones wait for
// them at the end of each part of the work.
const slowWorth = 2

// Count is how many threads are worth starting, 1 at least. What Go's runtime
// allows, which knows the limits of containers, is the most.
func Count() int {
	return max(1, min(worth(found()), runtime.GOMAXPROCS(0)))
}

// worth is how many of the cores are worth a thread, all of what Go knows where the
// system has told nothing.
func worth(all []core) int {
	if len(all) == 0 {
		return runtime.NumCPU()
	}
	fastest := all[0].speed
	for _, c := range all {
		fastest = max(fastest, c.speed)
	}
	fast := 0
	for _, c := range all {
		// Cores of a kind may differ a little in what they are rated at.
		if 4*c.speed >= 3*fastest {
			fast++
		}
	}
	if slow := len(all) - fast; slow > slowWorth*fast {
		return len(all)
	}
	return fast
}
