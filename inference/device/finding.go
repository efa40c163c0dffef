package device

// Problem is what keeps a device from serving. Programs compare it, people read
// the finding's text.
type Problem string

const (
	NoHardware    Problem = "no-hardware"      // the machine has no such device
	SwitchedOff   Problem = "switched-off"     // in the firmware's setup or the Device Manager
	ForeignNPU    Problem = "foreign-npu"      // an NPU that OpenVINO has no plugin for
	NewerNPU      Problem = "newer-npu"        // an Intel NPU that this dragoman does not know
	NoModule      Problem = "no-module"        // the kernel's driver is missing, not loaded or too old
	NoNode        Problem = "no-node"          // the kernel's driver could not start the device
	NoPermission  Problem = "no-permission"    // the node is there, this user may not use it
	NoUserDriver  Problem = "no-user-driver"   // the user-mode driver is missing
	NoLoader      Problem = "no-loader"        // the level-zero loader is missing
	DriverFault   Problem = "driver-fault"     // Windows could not start the device
	DriverTooOld  Problem = "driver-too-old"   // for this runtime
	DriverBad     Problem = "driver-known-bad" // a release that is known to fail
	NoRuntime     Problem = "no-runtime"       // there is no OpenVINO
	NoPlugin      Problem = "no-plugin"        // the runtime has no plugin for it
	NoCompiler    Problem = "no-compiler"      // neither runtime nor driver brings the NPU's compiler
	MixedCompiler Problem = "driver-compiler"  // only the driver brings one
	Windows10     Problem = "windows-10"       // out of support
	InWSL         Problem = "wsl"              // WSL 2 passes no NPU through
	NotPassed     Problem = "not-passed"       // the container or virtual machine was not given the device
	Unseen        Problem = "unseen"           // all is there and the runtime still does not list it
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
	return f.Text + " (" + f.Cure + ")"
}
