package m2m100

import (
	"errors"
	"strconv"

	"dragoman/inference/openvino"
)

// Target is a device to compile for and what its compiled graphs depend on.
type Target struct {
	Device       string // as OpenVINO names it: CPU, GPU, NPU
	Architecture string // of an NPU its platform, such as 4000
	Tiles        string
	Driver       string // version
	Compiler     string // version
	Properties   openvino.Properties
	// Compiler properties besides, that say what the fields above say: graphs are
	// not found by them.
	Offline openvino.Properties
	// Stored takes graphs from the store and compiles none: ErrNotStored where
	// one is missing.
	Stored bool
	// Fits, where not nil, says before a stored graph is imported why the device
	// cannot take it.
	Fits func(blob []byte) error
}

// ErrNotStored is the error of a graph that must come from the store and is not
// there, or that the device refuses.
var ErrNotStored = errors.New("the compiled model is not in the store")

// processor asks for the precision instead of leaving it to the default, which
// is bf16 where the processor has it, for activations that are not rounded to eight
// bits, as they are by default where the processor has VNNI, and for a cache of keys
// and values as exact as the rest.
func processor(threads int) Target {
	p := openvino.Properties{
		"PERFORMANCE_HINT":                "LATENCY",
		"NUM_STREAMS":                     "1",
		"INFERENCE_PRECISION_HINT":        "f32",
		"DYNAMIC_QUANTIZATION_GROUP_SIZE": "0",
		"KV_CACHE_PRECISION":              "f32",
	}
	if threads > 0 {
		p["INFERENCE_NUM_THREADS"] = strconv.Itoa(threads)
	}
	return Target{Device: "CPU", Properties: p}
}
