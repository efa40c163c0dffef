// Package cases tests accelerators from the translator down, with a device that
// plays faults (inference/openvino/ovtest): in each case the text is translated
// as on the processor and the reason is told. docs/npu-cases.md lists the cases.
// It holds nothing but tests.
package cases
