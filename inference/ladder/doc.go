// Package ladder decides which device runs the encoder: the best one that
// works, and the processor whenever none does. It owns the order, the reasons
// for each fall and when a device is tried again. It runs nothing itself and
// must not import any package of ours.
package ladder
