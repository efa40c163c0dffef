// Package queue holds the work that waits for the model: two bounded lanes,
// interactive before batch, one task a key, results streamed piece by piece.
//
// It owns the order of work, its cancellation and the goroutines that run it.
// It must not import anything of ours: what a task does, what its pieces are
// and what is kept of it is the caller's business.
//
// Batch work is held while the batch lane is paused and while interactive work
// waits or runs. A held lane starts nothing, and batch tasks that run already
// stop at their next [Stream.Gate]. There is no bound to that: interactive work
// without end leaves no time for batch work.
package queue
