package ovruntime

import "fmt"

// PinnedVersion is the release that Install takes from the package index.
const PinnedVersion = "2026.4.1"

// Pin is one file of the package index, told by its checksum. Of the wheels,
// which differ in the Python that their bindings are for, always CPython 3.11's
// is taken, whatever Python runs pip: the libraries are the same, and so there
// is one checksum a platform.
type Pin struct {
	Platform string // the wheel's platform tag
	SHA256   string // of the wheel, in hexadecimal
	Size     int64  // of the wheel, in bytes
}

// pins were taken from the wheels as they came from the package index, build
// 22982, in November 2026. There is no wheel for Windows on arm64.
var pins = map[string]Pin{
	"linux/amd64": {
		"manylinux_2_28_x86_64",
		"2d22b1da03f7caf74df30e9f6417d0ab2f637e4a38e08e1dcd294d2c37407aaf", 59130756,
	},
	"linux/arm64": {
		"manylinux_2_35_aarch64",
		"bea1eb3733c34ef331adc945da0ccda5937865031139073663be84c517ffda22", 30348540,
	},
	"windows/amd64": {
		"win_amd64",
		"bfddae6d6d3ad240157b946f180c33d0ddfaaae7487995d929a4e6b4bc12b283", 84956545,
	},
}

// PinFor returns the wheel for a platform, and an error where none is published.
func PinFor(goos, goarch string) (Pin, error) {
	pin, ok := pins[goos+"/"+goarch]
	if !ok {
		return Pin{}, fmt.Errorf("there is no OpenVINO %s in the package index for %s/%s: build OpenVINO from source and name its folder in DRAGOMAN_OPENVINO, or run dragoman on another machine",
			PinnedVersion, goos, goarch)
	}
	return pin, nil
}

// isPinned tells whether sum is the checksum of one of the pinned wheels.
func isPinned(sum string) bool {
	for _, pin := range pins {
		if pin.SHA256 == sum {
			return true
		}
	}
	return false
}
