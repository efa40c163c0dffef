package device

import (
	"fmt"
	"strings"
)

// Problems that only show when a device is used.
const (
	Lost        Problem = "lost"           // it stopped answering
	NoMemory    Problem = "no-memory"      // of the device or for its compiler
	NotCompiled Problem = "not-compiled"   // the compiler gave up
	NotStatic   Problem = "not-static"     // a graph of dynamic shape went to an NPU: a mistake of ours
	BadFormat   Problem = "bad-format"     // weights of a format that it does not take
	BlobRefused Problem = "blob-refused"   // a compiled graph of another time
	Unexplained Problem = "unexplained"    // none of the known texts
	Denied      Problem = "runtime-denied" // the runtime found no backend: driver or rights
)

// known are texts in what the runtime says when a device fails, with what they
// mean. The first that fits counts.
var known = []struct {
	all     []string // that must be in the text
	problem Problem
	text    string
	source  string
}{
	{[]string{"DEVICE_LOST"}, Lost, "the %s stopped answering", "level-zero, ZE_RESULT_ERROR_DEVICE_LOST; linux-npu-driver issue 87"},
	{[]string{"Unsupported data type"}, BadFormat, "the %s does not take weights of this format", "seen here: compiler for 3720 and 4000 with f8e4m3"},
	{[]string{"Unsupported configuration key: NPU_"}, DriverTooOld, "the driver of the %s is older than the runtime, which asks it for something that it does not know", "seen with driver 1.32 and OpenVINO 2026.4"},
	{[]string{"UNSUPPORTED_VERSION"}, DriverTooOld, "driver and compiler of the %s are of different ages", "linux-npu-driver issue 28"},
	{[]string{"UNSUPPORTED_FEATURE"}, DriverTooOld, "the driver of the %s is older than the runtime", "seen with driver 1.32 and OpenVINO 2026.2 on 5020"},
	{[]string{"Cannot load library", "npu_compiler"}, NoCompiler, "neither runtime nor driver brings the compiler of the %s", "openvino issue 36374; seen here"},
	{[]string{"Cannot load library", "ze_loader"}, NoLoader, "the level-zero loader of the %s is missing", "openvino, NPU plugin"},
	{[]string{"No backend registered"}, Denied, "the runtime reaches no driver of the %s", "seen here: importing a compiled graph without a driver"},
	{[]string{"No available backend"}, Denied, "the runtime reaches no driver of the %s", "seen here: NPU_DRIVER_VERSION without a driver"},
	{[]string{"No available devices"}, Denied, "the runtime finds no %s", "openvino, NPU plugin"},
	{[]string{"no supported devices found"}, Denied, "the runtime finds no %s", "seen here: GPU plugin without a GPU"},
	{[]string{"OUT_OF_DEVICE_MEMORY"}, NoMemory, "the %s has no memory left", "level-zero, ze_result_t"},
	{[]string{"OUT_OF_HOST_MEMORY"}, NoMemory, "there is no memory left for the %s", "level-zero, ze_result_t"},
	{[]string{"bad_alloc"}, NoMemory, "there is no memory left to prepare the model for the %s", "C++"},
	{[]string{"to_shape was called on a dynamic shape"}, NotStatic, "a graph of variable length went to the %s, which is a fault of dragoman", "openvino issue 34617"},
	{[]string{"pper bound"}, NotStatic, "a graph of variable length went to the %s, which is a fault of dragoman", "openvino issue 34617; seen here"},
	{[]string{"Blob is not compatible"}, BlobRefused, "a compiled graph does not fit this %s", "openvino, NPU plugin, metadata"},
	{[]string{"ZE_RESULT_ERROR_UNKNOWN"}, DriverFault, "the driver of the %s failed without saying why", "openvino issues 27099, 29930"},
	{[]string{"Compilation failed"}, NotCompiled, "the compiler of the %s gave up", "seen here"},
	{[]string{"Failed to compile"}, NotCompiled, "the compiler of the %s gave up", "openvino issue 36473"},
}

// Explain says in a sentence what the runtime's error about a device means. An
// error that is not known is Unexplained, with its last line, which names the
// cause; those before it name lines of OpenVINO's source.
func Explain(k Kind, err error) (Problem, string) {
	message := err.Error()
	for _, e := range known {
		fits := true
		for _, part := range e.all {
			fits = fits && strings.Contains(message, part)
		}
		if fits {
			return e.problem, fmt.Sprintf(e.text, k)
		}
	}
	last := ""
	for line := range strings.Lines(message) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "Exception from ") {
			last = line
		}
	}
	if last == "" {
		last = strings.TrimSpace(message)
	}
	return Unexplained, last
}

// Unlisted is the finding where a device should work as far as the system's
// files tell, and the runtime does not list it.
func Unlisted(k Kind) Finding {
	f := Finding{Device: k, Problem: Unseen, Blocks: true,
		Text: fmt.Sprintf("all that the %s needs is there, but the runtime does not list it", k)}
	if k == NPU {
		f.Cure = "restart the machine; if that does not help, update its driver; OV_NPU_LOG_LEVEL=LOG_INFO dragoman doctor shows what the runtime tried"
	}
	return f
}
