package device

import (
	"io/fs"

	"dragoman/inference/openvino/locate"
)

// Roots are the places that a survey looks at. Host gives those of this machine,
// a Recording those of another.
type Roots struct {
	OS, Arch string // as Go names them; they say which layout the rest has
	// Files is "/" on Linux, the folder of Windows on Windows.
	Files fs.FS
	// Node names a file's group and says whether this process may read and
	// write it, by trying. nil knows nothing.
	Node func(name string) Node
	// Version reads the version resource of a Windows library; "" is unknown.
	Version func(name string) string
	Getenv  func(string) string
	// User is who this process runs as, for the commands of a cure; "" where
	// the command finds that out itself.
	User    string
	Windows Windows
	Runtime Runtime
}

// Windows is what is looked at there apart from files.
type Windows struct {
	// Value reads a string or number below HKEY_LOCAL_MACHINE; "" where it is
	// not there or of another type. nil knows nothing.
	Value func(key, name string) string
	// Devices are what is plugged in at PCI.
	Devices []PnP
	// Counted is what only calls of the system tell.
	Counted Counted
}

// Counted is what Windows says of its processor and memory. On Linux files say it.
type Counted struct {
	Memory   int64    `json:"memory,omitempty"` // bytes
	Threads  int      `json:"threads,omitempty"`
	Cores    []int    `json:"cores,omitempty"` // number of cores by class of efficiency, slowest first
	Features []string `json:"features,omitempty"`
}

// PnP is a device as the Plug and Play manager of Windows lists it.
type PnP struct {
	Instance string `json:"instance"`        // `PCI\VEN_8086&DEV_643E&SUBSYS_…\3&11583659&0&58`
	Class    string `json:"class,omitempty"` // GUID of the class, "" without a driver
	Name     string `json:"name,omitempty"`  // friendly name or description
	Driver   string `json:"driver,omitempty"`
	Service  string `json:"service,omitempty"` // "npu"
	Fault    uint32 `json:"fault,omitempty"`   // CM_PROB_…; 0 is none
}

// Runtime is the OpenVINO that devices would be used through. Its zero value is
// a machine without one.
type Runtime struct {
	Release string         `json:"version,omitempty"` // "2026.4.1", "unknown"; "" is no runtime
	Folder  string         `json:"folder,omitempty"`
	Plugins string         `json:"plugins,omitempty"` // for people
	Version locate.Version `json:"-"`
	Parts   locate.Parts   `json:"-"`
}

// RuntimeOf takes over what was found by package locate.
func RuntimeOf(c locate.Candidate) Runtime {
	return Runtime{Version: c.Version, Release: c.Version.String(), Folder: c.Dir, Parts: c.Parts, Plugins: c.Parts.String()}
}
