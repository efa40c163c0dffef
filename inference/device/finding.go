package device

import "fmt"

// Problem is what keeps a device from serving. Programs compare it, people read
// the finding's text.
type Problem string

const (
	NoHardware     Problem = "no-hardware"      // the machine has no such device
	ForeignNPU     Problem = "foreign-npu"      // an NPU that OpenVINO has no plugin for
	NewerNPU       Problem = "newer-npu"        // an Intel NPU that this dragoman does not know
	NoModule       Problem = "no-module"        // the kernel's driver is not loaded or too old
	NoNode         Problem = "no-node"          // the kernel's driver is loaded but made no node
	NoPermission   Problem = "no-permission"    // the node is there, this user may not use it
	NoUserDriver   Problem = "no-user-driver"   // the user-mode driver is missing
	NoLoader       Problem = "no-loader"        // the level-zero loader is missing
	NoDriver       Problem = "no-driver"        // Windows: the device has no driver
	DriverFault    Problem = "driver-fault"     // Windows: the driver could not start the device
	DriverTooOld   Problem = "driver-too-old"   // older than the runtime needs
	DriverFaulty   Problem = "driver-known-bad" // a release that is known to fail
	NoPlugin       Problem = "no-plugin"        // the runtime has no plugin for it
	NoCompiler     Problem = "no-compiler"      // neither runtime nor driver brings the NPU's compiler
	NoRuntime      Problem = "no-runtime"       // there is no OpenVINO
	Windows10      Problem = "windows-10"       // out of support
	InWSL          Problem = "wsl"              // WSL2 passes no NPU through
	InContainer    Problem = "container"        // a container that was not given the device
	InVM           Problem = "virtual-machine"  // a virtual machine that was not given the device
	NotOnARM       Problem = "arm"              // OpenVINO has neither GPU nor NPU plugin for ARM
	RuntimeRefuses Problem = "runtime-refuses"  // all is there and the runtime still does not list it
)

// Finding is one thing that was found out about a device, with the way out.
type Finding struct {
	Device  Kind    `json:"device"`
	Problem Problem `json:"problem"`
	Text    string  `json:"text"`           // what is so, in plain English
	Cure    string  `json:"cure,omitempty"` // what to do, with exact commands; "" where nothing helps
	// Blocks says that the device cannot serve until this is cured.
	Blocks bool `json:"blocks"`
}

// String is the finding in one line.
func (f Finding) String() string {
	if f.Cure == "" {
		return f.Text
	}
	return fmt.Sprintf("%s: %s", f.Text, f.Cure)
}
