// Package probe tries an accelerator in a process of its own, so that a driver
// that hangs, crashes or takes all memory cannot do so to the program.
//
// It owns both sides: Run starts the process and bounds it, Main is what runs in
// it. Compiled models are handed over through the store of compiled models. It
// must not import package inference.
package probe
