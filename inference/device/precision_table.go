package device

import (
	"fmt"
	"slices"
	"strings"
)

// Rule says whether a kind of device may get weights of a format. A rule that
// refuses says why; one that has no bounds allows always.
type Rule struct {
	Device  Kind
	Format  Format
	Refused string // why not; "" where it may
	// MinGeneration is the oldest NPU that takes it.
	MinGeneration Generation
	// MaxParameters bounds the size of models that it is for.
	MaxParameters int64
	Note          string // what a user should know about it
	Source        string
}

// Where group-wise scales end being the better choice on an NPU.
const manyParameters = 4_000_000_000

// Sources. Those that begin with "testdata" were seen here.
const (
	run      = "testdata/formats: run with OpenVINO 2026.4.1"
	compiled = "testdata/formats: compiled for each generation with OpenVINO 2026.4.1"
	genaiNPU = "openvino, docs: OpenVINO GenAI on NPU (00d69bc, 2026.3)"
	npuDoc   = "openvino, docs: NPU device (04a9864), supported inference data types"
	gpuDoc   = "openvino, docs: GPU device (04908d3), supported inference data types"
	cpuDoc   = "openvino, docs: CPU device (00ff2fd), floating point data types specifics"
	wcDoc    = "openvino, docs: 4-bit weight quantization (2b49732)"
)

// rules is the one table of what may go where, in the order in which formats
// are offered: the first that a device takes is dragoman's choice.
var rules = []Rule{
	{Device: CPU, Format: Int8, Source: run + ", and every test of m2m100"},
	{Device: CPU, Format: F32, Source: run + ", and every test of m2m100"},
	{Device: CPU, Format: F16, Note: "computed in f32, as dragoman asks for", Source: run + "; " + cpuDoc},
	{Device: CPU, Format: BF16, Note: "computed in f32, as dragoman asks for", Source: run + "; " + cpuDoc},
	{Device: CPU, Format: Int4, Source: run + "; " + wcDoc},
	{Device: CPU, Format: Int4Row, Source: run + "; " + wcDoc},
	{Device: CPU, Format: Int8Asym, Source: run + "; " + wcDoc + ", backup_mode"},
	{Device: CPU, Format: Int4Asym, Source: run + "; " + wcDoc},
	{Device: CPU, Format: NF4, Source: run},
	{Device: CPU, Format: FP8, Source: run},

	{Device: GPU, Format: Int8, Source: gpuDoc},
	{Device: GPU, Format: F16, Source: gpuDoc},
	{Device: GPU, Format: F32, Source: gpuDoc},
	{Device: GPU, Format: Int4, Source: "openvino, pull request 20572"},
	{Device: GPU, Format: Int4Row, Source: "openvino, pull request 20572"},
	{Device: GPU, Format: Int8Asym, Source: gpuDoc},
	{Device: GPU, Format: Int4Asym, Source: "openvino, pull request 20572"},
	{Device: GPU, Format: BF16, Refused: "it computes in f16 or f32", Source: gpuDoc},
	{Device: GPU, Format: NF4, Refused: "it is not among what the GPU is documented to take", Source: gpuDoc},
	{Device: GPU, Format: FP8, Refused: "it is not among what the GPU is documented to take", Source: gpuDoc},

	{Device: NPU, Format: Int8, Source: compiled + "; " + npuDoc},
	{Device: NPU, Format: F16, Source: compiled + "; " + npuDoc},
	{Device: NPU, Format: F32, Note: "kept and computed in f16", Source: compiled + "; " + npuDoc},
	{Device: NPU, Format: Int4Row, Note: "coarser than int4: measure what it costs", Source: compiled + "; " + genaiNPU + ", for models above 4 or 5 billion parameters"},
	{Device: NPU, Format: Int4, MaxParameters: manyParameters, Note: "the compiler unpacks it to f16 outside of OpenVINO's pipelines for language models: nothing is gained",
		Source: compiled + "; " + genaiNPU + ", group size 128 up to 4 or 5 billion parameters"},
	{Device: NPU, Format: NF4, MinGeneration: NPU4000, Source: compiled + "; " + genaiNPU + ", Lunar Lake and newer, a scale a row"},
	{Device: NPU, Format: FP8, MinGeneration: NPU5010, Source: compiled + "; openvino, pull request 30426"},
	{Device: NPU, Format: BF16, Refused: "its compiler unpacks them to f16, which does not reach as far as bf16", Source: compiled + "; " + npuDoc},
	{Device: NPU, Format: Int8Asym, Refused: "it takes symmetric weights only, and its compiler unpacks these to f16", Source: compiled + "; " + genaiNPU + ", weights must be symmetric"},
	{Device: NPU, Format: Int4Asym, Refused: "it takes symmetric weights only, and its compiler unpacks these to f16", Source: compiled + "; " + genaiNPU + ", weights must be symmetric"},
}

// Rules returns the table, for documents and tests.
func Rules() []Rule { return slices.Clone(rules) }

func ruleFor(f Format, k Kind) (Rule, bool) {
	i := slices.IndexFunc(rules, func(r Rule) bool { return r.Device == k && r.Format == f })
	if i < 0 {
		return Rule{}, false
	}
	return rules[i], true
}

// Formats returns what a device may get in a model of that many parameters
// (0 is unknown), the first being dragoman's choice.
func Formats(d Device, parameters int64) []Format {
	var all []Format
	for _, r := range rules {
		if r.Device == d.Kind && r.refuse(d, parameters) == "" {
			all = append(all, r.Format)
		}
	}
	return all
}

func join(formats []Format) string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = string(f)
	}
	return strings.Join(names, ", ")
}

func count(parameters int64) string {
	if parameters >= 1_000_000_000 {
		return fmt.Sprintf("%.3g billion", float64(parameters)/1e9)
	}
	return fmt.Sprintf("%.3g million", float64(parameters)/1e6)
}
