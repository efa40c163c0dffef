// Package power says what translating costs in energy, from the counters that
// the machine has, or why that is not known. It owns meters, the arithmetic of
// their differences, the idle share that is taken off, and what the machine
// says of its supply and its heat. It loads nothing native and imports nothing
// of ours.
//
// # What is measured
//
// A meter counts the energy of a scope (the processor's package, the platform,
// the battery) and cannot tell programs apart. The energy of a text is what the
// meter grew by while texts were translated, less what the same machine drew
// just before and after without them. Whatever else ran meanwhile is in that
// figure; the spread of the idle draw widens its interval. A figure whose
// interval reaches zero is not given.
//
// # What measuring costs
//
// Nothing is polled. An [Accumulator] reads its meters when the first of
// several overlapping texts begins and when the last ends. Besides, its owner
// calls [Accumulator.Look] on a clock that ticks anyway: that reads once after
// a busy span (the idle draw), while texts go on without a gap (a counter must
// not go round twice between two readings), and never while nothing happens.
// With two readings of three small files a text the cost is some tens of
// microseconds; BenchmarkSpan has the figure.
package power
