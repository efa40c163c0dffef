// Package npublob reads what a model compiled for an Intel NPU says of itself,
// so that one that does not fit is compiled anew instead of being handed to a
// driver. It must not import any package of ours.
package npublob
