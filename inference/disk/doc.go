// Package disk tells how much room is left. It must not import any other
// package of ours.
package disk
