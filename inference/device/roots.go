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
	// Owner names a file's group and says whether this process may read and
	// write it, by trying.
	Owner func(name string) (group string, open bool)
	// Version reads a library's own version: the soname of ELF, the version
	// resource of PE. "" is unknown.
	Version func(name string) string
	Getenv  func(string) string
	User    string // who this process runs as, for the commands of a cure
	Windows Registry
	Runtime Runtime
}

// Registry is what is looked at on Windows apart from files.
type Registry interface {
	// Value reads a string or number below HKEY_LOCAL_MACHINE; "" where it is
	// not there or of another type.
	Value(key, name string) string
	// Devices lists what is plugged in of a class of devices, by the class's GUID.
	Devices(class string) []PnP
}

// PnP is a device as the Plug and Play manager of Windows lists it.
type PnP struct {
	Instance string // `PCI\VEN_8086&DEV_643E&SUBSYS_…\3&11583659&0&58`
	Name     string // friendly name or description
	Driver   string // key below Control\Class, `{f01a9d53-…}\0000`; "" without a driver
	Service  string // "npu"
	Fault    uint32 // CM_PROB_…; 0 is none
}

// Runtime is the OpenVINO that devices would be used through.
type Runtime struct {
	Version locate.Version `json:"-"`
	Release string         `json:"version,omitempty"` // "" is no runtime
	Folder  string         `json:"folder,omitempty"`
	Parts   locate.Parts   `json:"-"`
	Plugins string         `json:"plugins,omitempty"`
}

// RuntimeOf takes over what was found by package locate.
func RuntimeOf(c locate.Candidate) Runtime {
	return Runtime{Version: c.Version, Release: c.Version.String(), Folder: c.Dir, Parts: c.Parts, Plugins: c.Parts.String()}
}
