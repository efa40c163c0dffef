// Package trust finds out whether a device computes what the processor
// computes, and keeps on record what was found.
//
// It owns the golden sources, the limits and the record. It runs nothing: what
// devices gave is handed in. It must not import any package of ours.
package trust
