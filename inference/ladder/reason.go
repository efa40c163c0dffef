package ladder

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"dragoman/internal/english"
)

// Kind is why a device does not serve.
type Kind string

// The kinds of reasons.
const (
	Absent      Kind = "absent"        // no such device, or the runtime does not see it
	Unusable    Kind = "unusable"      // it is there; rights, driver or compiler are missing
	Mismatch    Kind = "mismatch"      // driver and compiler do not fit each other
	Unsupported Kind = "unsupported"   // the device does not take the model's graphs
	Compile     Kind = "compile"       // compiling failed
	Slow        Kind = "slow"          // opening it took longer than it may
	Crashed     Kind = "crashed"       // the process that tried it ended
	Memory      Kind = "memory"        // out of memory
	Lost        Kind = "lost"          // the device was lost
	Inference   Kind = "inference"     // running a graph failed
	Hung        Kind = "hung"          // running a graph did not end
	NotFinite   Kind = "not-finite"    // NaN or infinity in the results
	Empty       Kind = "empty"         // results of nothing but zeros
	Wrong       Kind = "wrong"         // results that differ from the processor's
	Slower      Kind = "slower"        // the processor does the part better
	Store       Kind = "store"         // the compiled model could not be handed over
	Unclean     Kind = "unclean"       // the program ended while the device was in use
	Other       Kind = "other"         // none of these
	Asleep      Kind = "asleep"        // the computer slept; the device is being opened anew
	Waiting     Kind = "not-tried-yet" // it is being opened for the first time
)

// again says when a device that failed may be tried again.
type again int

const (
	afterPause  again = iota // and less and less often
	afterWake                // when the computer, if it has such a device, wakes up, or the service starts
	afterChange              // when driver, runtime or model have changed
)

// rules are what follows from a reason. %s is the device's name.
var rules = map[Kind]struct {
	again    again
	sentence string
}{
	Absent:      {afterWake, "this computer shows no %s"},
	Unusable:    {afterWake, "the %s cannot be used"},
	Mismatch:    {afterWake, "the driver of the %s does not fit the compiler of the OpenVINO runtime: install a newer driver, or another runtime with `dragoman runtime install`"},
	Unsupported: {afterChange, "the %s does not take the graphs of this model"},
	Compile:     {afterPause, "the model could not be compiled for the %s"},
	Slow:        {afterPause, "the %s was not ready in time"},
	Crashed:     {afterPause, "the driver of the %s ended the process that tried it: a newer driver may help"},
	Memory:      {afterPause, "the %s has not enough memory for the model"},
	Lost:        {afterPause, "the %s stopped answering (device lost): if it stays so, restart the computer or reload the driver"},
	Inference:   {afterPause, "the %s failed to run the model"},
	Hung:        {afterPause, "the %s did not finish a text in time"},
	NotFinite:   {afterPause, "the %s computed values that are no numbers"},
	Empty:       {afterPause, "the %s gave empty results"},
	Wrong:       {afterChange, "the %s computes wrongly: it is left alone until its driver, the runtime or the model changes"},
	Slower:      {afterChange, "the %s was measured and the processor does better: it is left alone until its driver, the runtime or the model changes"},
	Store:       {afterPause, "the model that was compiled for the %s could not be stored"},
	Unclean:     {afterPause, "dragoman ended unexpectedly while it used the %s"},
	Other:       {afterPause, "the %s could not be used"},
	Asleep:      {afterPause, "the computer slept, the %s is being opened anew"},
	Waiting:     {afterPause, "the %s is being prepared"},
}

// Reason is why a device does not serve. It is an error.
type Reason struct {
	Kind   Kind
	Device Device
	Name   string // the device's full name, "" where it is not known
	Driver string // version, "" where it is not known
	Detail string // the runtime's or driver's own words, or figures
	Text   string // the whole sentence, where somebody knows better than this package
}

// Error is a sentence for people, with the way out where there is one.
func (r *Reason) Error() string {
	if r.Text != "" {
		return r.Text
	}
	name := string(r.Device)
	if about := join(r.Name, driver(r.Driver)); about != "" {
		name += " (" + about + ")"
	}
	text := fmt.Sprintf(rules[r.known()].sentence, name)
	if r.Detail != "" {
		text += ": " + r.Detail
	}
	return text
}

func (r *Reason) known() Kind {
	if _, ok := rules[r.Kind]; !ok {
		return Other
	}
	return r.Kind
}

func driver(version string) string {
	if version == "" {
		return ""
	}
	return "driver " + version
}

func join(a, b string) string {
	if a == "" || b == "" {
		return cmp.Or(a, b)
	}
	return a + ", " + b
}

// words tell the kind of a failure by what the runtime says of it. The first
// that fits counts: the texts are those of the NPU plugin's Level Zero calls, of
// the core and of the C++ library.
var words = []struct {
	text string
	kind Kind
}{
	{"DEVICE_LOST", Lost},
	{"OUT_OF_DEVICE_MEMORY", Memory},
	{"OUT_OF_HOST_MEMORY", Memory},
	{"bad_alloc", Memory},
	{"UNSUPPORTED_VERSION", Mismatch},
	{"Unsupported configuration key", Mismatch},
	{"Metadata version", Mismatch},
	{"to_shape was called on a dynamic shape", Unsupported},
	{"Upper bounds are not specified", Unsupported},
	{"No available devices", Absent},
	{"not registered in the OpenVINO Runtime", Absent},
	{"No backend registered", Unusable},
	{"Cannot load library", Unusable},
}

// Because makes a reason of a failure: what the runtime's words tell, else the
// kind that the stage suggests. A Reason stays what it is.
func Because(d Device, otherwise Kind, err error) *Reason {
	var known *Reason
	if errors.As(err, &known) {
		return known
	}
	r := &Reason{Kind: otherwise, Device: d, Detail: firstLine(err.Error())}
	for _, w := range words {
		if strings.Contains(err.Error(), w.text) {
			r.Kind = w.kind
			break
		}
	}
	return r
}

// longestDetail is how much of a runtime's message a status shows.
const longestDetail = 300

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return english.Short(s, longestDetail)
}
