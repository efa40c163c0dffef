package locate

import (
	"fmt"
	"regexp"
	"strconv"
)

// Version is an OpenVINO release such as 2026.4.1. The zero value means that
// the release is not known.
type Version struct{ Year, Release, Patch int }

// Oldest is the first release that dragoman's binding can talk to: 2025.1
// renumbered the element types of the C API.
var Oldest = Version{Year: 2025, Release: 1}

// IsZero tells whether the release is unknown.
func (v Version) IsZero() bool { return v == Version{} }

// Less tells whether v came out before other.
func (v Version) Less(other Version) bool {
	if v.Year != other.Year {
		return v.Year < other.Year
	}
	if v.Release != other.Release {
		return v.Release < other.Release
	}
	return v.Patch < other.Patch
}

// String gives "2026.4.1", or "unknown".
func (v Version) String() string {
	if v.IsZero() {
		return "unknown"
	}
	return fmt.Sprintf("%d.%d.%d", v.Year, v.Release, v.Patch)
}

var releasePattern = regexp.MustCompile(`(20\d\d)\.(\d{1,2})(?:\.(\d{1,2}))?(?:\D|$)`)

// ParseVersion takes the release out of a text that holds one, as a build
// number ("2026.4.1-22982-e213a147257-releases/2026/4") or a folder's name
// ("openvino_2026.4.1") does. It is the zero Version if there is none.
func ParseVersion(text string) Version {
	m := releasePattern.FindStringSubmatch(text)
	if m == nil {
		return Version{}
	}
	return version(m[1], m[2], m[3])
}

var (
	sonamePattern   = regexp.MustCompile(`\.so\.(\d\d)(\d{1,2})(\d)$`)
	fullNamePattern = regexp.MustCompile(`\.so\.(20\d\d)\.(\d{1,2})\.(\d{1,2})$`)
)

// versionOfName reads the release from the file name of a Linux library. The
// soname joins the year's last two digits, the release and the patch: 2641 is
// 2026.4.1, as OpenVINO's CMake files write it.
func versionOfName(name string) Version {
	if m := fullNamePattern.FindStringSubmatch(name); m != nil {
		return version(m[1], m[2], m[3])
	}
	if m := sonamePattern.FindStringSubmatch(name); m != nil {
		return version("20"+m[1], m[2], m[3])
	}
	return Version{}
}

func version(year, release, patch string) Version {
	var v Version
	v.Year, _ = strconv.Atoi(year) // the patterns let only digits through
	v.Release, _ = strconv.Atoi(release)
	v.Patch, _ = strconv.Atoi(patch)
	return v
}
