package drop

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
)

// mounts are those of this process: a folder that is bound to a second place has
// one spot, since proc(5) says of each mount (mountinfo) which folder of its file
// system it shows. They have to be read for each look. The kernel tells when
// something is mounted (poll on mountinfo), but not when a folder above a mount
// is renamed, which changes what is to be read there as well.
type mounts []mount

type mount struct {
	device string // major:minor
	root   string // of the file system, that the mount shows
	point  string // where it is mounted
}

func readMounts() (all mounts) {
	f, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return nil
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.SplitN(lines.Text(), " ", 6)
		if len(fields) < 6 {
			continue
		}
		all = append(all, mount{device: fields[2], root: unescape(fields[3]), point: unescape(fields[4])})
	}
	return all
}

// unescape undoes how mountinfo writes blanks and backslashes.
var unescape = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace

func (l *locator) find(path string) spot {
	real, rest := deepest(path, filepath.EvalSymlinks)
	l.real[path] = real
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
