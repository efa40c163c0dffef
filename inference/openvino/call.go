package openvino

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Status is the ov_status_e of a failed call.
type Status int32

// The statuses that the library tells apart; every other C++ exception comes
// as GeneralError with a text.
const (
	GeneralError   Status = -1
	NotImplemented Status = -2
	RequestBusy    Status = -8
	InferCancelled Status = -13
	InvalidParam   Status = -14
)

var statusNames = map[Status]string{
	-1: "general error", -2: "not implemented", -3: "network not loaded", -4: "parameter mismatch",
	-5: "not found", -6: "out of bounds", -7: "unexpected", -8: "request busy", -9: "result not ready",
	-10: "not allocated", -11: "infer not started", -12: "network not read", -13: "infer cancelled",
	-14: "invalid C parameter", -15: "unknown C error", -16: "C method not implemented", -17: "unknown exception",
}

func (s Status) String() string {
	if name, ok := statusNames[s]; ok {
		return name
	}
	return fmt.Sprintf("status %d", int32(s))
}

// Error is a failed call of the C API.
type Error struct {
	Call    string // name of the C function
	Status  Status
	Message string // the library's own words, often with a C++ source position
}

func (e *Error) Error() string {
	if e.Message == "" {
		return fmt.Sprintf("openvino: %s: %v", e.Call, e.Status)
	}
	return fmt.Sprintf("openvino: %s: %v: %s", e.Call, e.Status, e.Message)
}

// call runs a C function that returns ov_status_e. The arguments may be
// addresses of Go values: the directive keeps them alive and in place.
//
//go:uintptrescapes
func (r *Runtime) call(name string, function uintptr, args ...uintptr) error {
	status, _, _ := purego.SyscallN(function, args...)
	if int32(status) == 0 {
		return nil
	}
	return &Error{Call: name, Status: Status(int32(status)), Message: r.lastMessage()}
}

// free runs a C function whose result says nothing.
//
//go:uintptrescapes
func (r *Runtime) free(function uintptr, args ...uintptr) {
	purego.SyscallN(function, args...)
}

// lastMessage reads the library's last error text. There is one for the whole
// process, so after two failures at the same time both errors may carry the
// text of one of them; their call and status are still their own.
func (r *Runtime) lastMessage() string {
	p, _, _ := purego.SyscallN(r.sym.lastError)
	return strings.TrimSpace(r.takeString(*(**byte)(unsafe.Pointer(&p))))
}
