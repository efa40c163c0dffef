package device

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"
)

// mostRead bounds what is read of one file. What is looked at is smaller;
// /proc/cpuinfo of a server with hundreds of processors is the largest.
const mostRead = 4 << 20

// view looks at roots and writes down what it saw, if that is asked for.
type view struct {
	ctx context.Context
	Roots
	saw *Recording
}

// text returns a file without the space around it, "" where it cannot be read.
func (v view) text(name string) string {
	if v.Files == nil || v.ctx.Err() != nil {
		return ""
	}
	f, err := v.Files.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, mostRead))
	if err != nil {
		return ""
	}
	v.saw.file(name, string(b))
	return strings.TrimSpace(string(b))
}

// is says whether there is something of that name.
func (v view) is(name string) bool {
	if v.Files == nil || v.ctx.Err() != nil {
		return false
	}
	_, err := fs.Stat(v.Files, name)
	if err == nil {
		v.saw.present(name)
	}
	return err == nil
}

// list returns the names in a folder that keep says yes to, in order.
func (v view) list(dir string, keep func(name string) bool) []string {
	if v.Files == nil || v.ctx.Err() != nil {
		return nil
	}
	entries, err := fs.ReadDir(v.Files, dir)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if keep(e.Name()) {
			names = append(names, e.Name())
			v.saw.present(path.Join(dir, e.Name()))
		}
	}
	return names
}

// line returns the first line of a file that holds s, "" if none does. Files
// that are too long to be kept are looked through this way. A zero ends a line
// too, as in modules.builtin.modinfo, which has nothing else between its entries.
func (v view) line(name, s string) string {
	if v.Files == nil || v.ctx.Err() != nil {
		return ""
	}
	f, err := v.Files.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Split(func(data []byte, atEnd bool) (int, []byte, error) {
		if i := bytes.IndexAny(data, "\n\x00"); i >= 0 {
			return i + 1, data[:i], nil
		}
		if atEnd && len(data) > 0 {
			return len(data), data, nil
		}
		return 0, nil, nil
	})
	for lines.Scan() {
		if strings.Contains(lines.Text(), s) {
			v.saw.searched(name, lines.Text()+"\n")
			return lines.Text()
		}
	}
	v.saw.searched(name, "")
	return ""
}

// modified is when a file was last written, in UTC.
func (v view) modified(name string) string {
	info, err := fs.Stat(v.Files, name)
	if err != nil {
		return "unknown time"
	}
	return info.ModTime().UTC().Format(time.RFC3339)
}

func (v view) node(name string) Node {
	n := Node{}
	if v.Node != nil {
		n = v.Node(name)
		v.saw.node(name, n)
	}
	n.Path = "/" + name
	return n
}

func (v view) env(name string) string {
	if v.Getenv == nil {
		return ""
	}
	value := v.Getenv(name)
	v.saw.env(name, value)
	return value
}

func (v view) version(name string) string {
	if v.Version == nil {
		return ""
	}
	s := v.Version(name)
	v.saw.version(name, s)
	return s
}

func (v view) value(key, name string) string {
	if v.Windows.Value == nil || v.ctx.Err() != nil {
		return ""
	}
	s := v.Windows.Value(key, name)
	v.saw.value(key, name, s)
	return s
}

// fields reads lines of the form "name=value" or "name: value".
func fields(text, separator string) map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(line, separator); ok {
			all[strings.TrimSpace(name)] = strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return all
}

func startsWith(prefixes ...string) func(string) bool {
	return func(name string) bool {
		for _, p := range prefixes {
			if strings.HasPrefix(name, p) {
				return true
			}
		}
		return false
	}
}
