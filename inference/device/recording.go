package device

import (
	"context"
	"strings"
)

// Recording is what a survey saw of a machine: enough to survey it again
// elsewhere, and nothing else of it. It is what a report of a fault should
// bring along, and what tests of other machines are made from.
type Recording struct {
	About string `json:"about,omitempty"` // where it comes from
	OS    string `json:"os"`
	Arch  string `json:"arch"`
	// Files that were read, by their path below the root. Of files that are
	// looked through only the line that was found is kept.
	Files    map[string]string            `json:"files,omitempty"`
	Present  []string                     `json:"present,omitempty"` // looked for and found, not read
	Nodes    map[string]Node              `json:"nodes,omitempty"`
	Env      map[string]string            `json:"env,omitempty"`
	Versions map[string]string            `json:"versions,omitempty"`
	Registry map[string]map[string]string `json:"registry,omitempty"` // key, name, value
	Devices  []PnP                        `json:"devices,omitempty"`
	Counted  Counted                      `json:"counted,omitzero"`
	Runtime  RecordedRuntime              `json:"runtime,omitzero"`
}

// RecordedRuntime is an OpenVINO by what matters for devices.
type RecordedRuntime struct {
	Version     string `json:"version,omitempty"`
	Folder      string `json:"folder,omitempty"`
	GPU         bool   `json:"gpu,omitempty"`
	NPU         bool   `json:"npu,omitempty"`
	NPUCompiler bool   `json:"npu_compiler,omitempty"`
}

// Record surveys a machine and returns what was seen on the way.
func Record(ctx context.Context, r Roots) (Machine, Recording) {
	rec := &Recording{
		OS: r.OS, Arch: r.Arch, Devices: r.Windows.Devices, Counted: r.Windows.Counted,
		Runtime: RecordedRuntime{Version: r.Runtime.Release, Folder: r.Runtime.Folder,
			GPU: r.Runtime.Parts.GPU, NPU: r.Runtime.Parts.NPU, NPUCompiler: r.Runtime.Parts.NPUCompiler},
	}
	return survey(view{ctx, r, rec}), *rec
}

// A nil recording writes nothing down.

func (r *Recording) file(name, text string) {
	if r != nil {
		put(&r.Files, name, text)
	}
}

// searched notes a file that was looked through, with the line that was found.
func (r *Recording) searched(name, line string) {
	if r != nil && (line == "" || !strings.Contains(r.Files[name], line)) {
		put(&r.Files, name, r.Files[name]+line)
	}
}

func (r *Recording) present(name string) {
	if r != nil {
		r.Present = append(r.Present, name)
	}
}

func (r *Recording) node(name string, n Node) {
	if r != nil {
		put(&r.Nodes, name, n)
	}
}

func (r *Recording) env(name, value string) {
	if r != nil && value != "" {
		put(&r.Env, name, value)
	}
}

func (r *Recording) version(name, value string) {
	if r != nil && value != "" {
		put(&r.Versions, name, value)
	}
}

func (r *Recording) value(key, name, value string) {
	if r == nil || value == "" {
		return
	}
	values := r.Registry[key]
	put(&values, name, value)
	put(&r.Registry, key, values)
}

func put[V any](m *map[string]V, key string, value V) {
	if *m == nil {
		*m = map[string]V{}
	}
	(*m)[key] = value
}
