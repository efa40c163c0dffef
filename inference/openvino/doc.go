// Package openvino binds OpenVINO's C API without cgo: the library is loaded
// at run time and every call goes through purego.
//
// It is the only package of dragoman that touches the native runtime, and it
// knows nothing of translation. It must not import any other package of ours.
//
// Values that stand for a native object (Model, CompiledModel, InferRequest,
// Tensor) own it until Close. The Core is the exception: it lives as long as
// the process, because freeing it at exit is reported to crash.
//
// Facts about the C API are from the headers of OpenVINO 2026.4
// (src/bindings/c/include/openvino/c).
package openvino
