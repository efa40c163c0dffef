// Package device says what this machine can run a model on, and what keeps it
// from running on more: processor, GPUs and NPUs with their drivers, read from
// the system's own files and tables, and findings with a cure each. It also
// says which formats of weights each device may get.
//
// It owns the facts about generations, drivers and formats. It loads nothing
// native, starts nothing and needs no rights; what only the runtime can tell is
// handed in (Device.WithProperties). It imports of ours only the places where a
// runtime is found (openvino/locate). Everything it looks at comes through
// Roots, so that a recording of another machine can be looked at instead.
package device
