package drop

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
)

// locator finds spots. It knows the mounts as they were when it was made: a
// folder that is bound to a second place has one spot, since proc(5) says of
// each mount (mountinfo) which folder of its file system it shows.
type locator struct{ mounts []mount }

type mount struct {
	device string // major:minor
	root   string // of the file system, that the mount shows
	point  string // where it is mounted
}

func newLocator() locator {
	f, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return locator{}
	}
	defer f.Close()
	var l locator
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) < 5 {
			continue
		}
		l.mounts = append(l.mounts, mount{device: fields[2], root: unescape(fields[3]), point: unescape(fields[4])})
	}
	return l
}

// unescape undoes how mountinfo writes blanks and backslashes.
var unescape = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace

func (l locator) spot(path string) spot {
	real, rest := deepest(path, filepath.EvalSymlinks)
	real = filepath.Join(real, rest)
	best := mount{root: "/", point: "/"}
	for _, m := range l.mounts {
		// The last of several at one place hides the others.
		if len(m.point) >= len(best.point) && (spot{path: real}).inside(spot{path: m.point}) {
			best = m
		}
	}
	below, err := filepath.Rel(best.point, real)
	if err != nil {
		return spot{path: real, name: real}
	}
	return spot{disk: best.device, path: filepath.Join(best.root, below), name: real}
}

func sameCase(path string) string { return path }
