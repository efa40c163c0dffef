// Package devicetest has other machines to look at, for test code only: the
// recordings in machines/, whose README says where each comes from. It turns a
// recording into the roots that package device surveys, and imports nothing
// else of ours.
package devicetest

import (
	"embed"
	"encoding/json"
	"io/fs"
	"path"
	"strings"
	"testing/fstest"

	"dragoman/inference/device"
	"dragoman/inference/openvino/locate"
)

//go:embed machines/*.json
var machines embed.FS

// Names returns the recorded machines, in order.
func Names() []string {
	entries, err := fs.ReadDir(machines, "machines")
	if err != nil {
		panic(err) // they are part of the program
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".json"))
	}
	return names
}

// Load returns the recording of a machine. A name that is none is a mistake in
// the test.
func Load(name string) device.Recording {
	b, err := machines.ReadFile(path.Join("machines", name+".json"))
	if err != nil {
		panic(err)
	}
	var r device.Recording
	if err := json.Unmarshal(b, &r); err != nil {
		panic(name + ": " + err.Error())
	}
	return r
}

// Roots returns the roots of a recorded machine.
func Roots(name string) device.Roots { return Replay(Load(name)) }

// Replay turns a recording into roots that show what it saw and nothing else.
func Replay(r device.Recording) device.Roots {
	files := fstest.MapFS{}
	for _, name := range r.Present {
		files[name] = &fstest.MapFile{}
	}
	for name, text := range r.Files {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	for name := range files { // a folder that was listed is one
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			delete(files, dir)
		}
	}
	return device.Roots{
		OS: r.OS, Arch: r.Arch, Files: files, User: "someone",
		Node:    func(name string) device.Node { return r.Nodes[name] },
		Version: func(name string) string { return r.Versions[name] },
		Getenv:  func(name string) string { return r.Env[name] },
		Windows: device.Windows{
			Value:   func(key, name string) string { return r.Registry[key][name] },
			Devices: r.Devices, Counted: r.Counted,
		},
		Runtime: runtimeOf(r.Runtime),
	}
}

func runtimeOf(r device.RecordedRuntime) device.Runtime {
	if r.Version == "" {
		return device.Runtime{}
	}
	return device.RuntimeOf(locate.Candidate{
		Dir: r.Folder, Version: locate.ParseVersion(r.Version),
		Parts: locate.Parts{CPU: true, Frontend: true, GPU: r.GPU, NPU: r.NPU, NPUCompiler: r.NPUCompiler},
	})
}
