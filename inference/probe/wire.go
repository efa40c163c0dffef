package probe

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"dragoman/inference/device"
	"dragoman/inference/ladder"
	"dragoman/inference/m2m100"
	"dragoman/inference/npublob"
	"dragoman/inference/openvino"
	"dragoman/inference/openvino/locate"
)

// Request says what to try. It is the one line that the process reads.
type Request struct {
	Device     ladder.Device       `json:"device"`
	Decoder    bool                `json:"decoder,omitempty"` // this part, not the encoder
	Properties openvino.Properties `json:"properties"`
	Runtime    locate.Candidate    `json:"runtime"`
	ModelDir   string              `json:"model"`
	ContentKey string              `json:"content_key"`
	Recipe     string              `json:"recipe"`
	Forbidden  []int32             `json:"forbidden"`
	GraphDir   string              `json:"graphs"`
	BlobDir    string              `json:"blobs"`
	QuotaBytes int64               `json:"quota_bytes"`
	Sources    [][]int32           `json:"sources"` // to be encoded at the end
}

// message is one line that the process writes. One field is set.
type message struct {
	Device *device.Device `json:"device,omitempty"`
	Step   *m2m100.Step   `json:"step,omitempty"`
	Tried  int            `json:"tried,omitempty"` // sources that were encoded
	Done   bool           `json:"done,omitempty"`
	Failed *failure       `json:"failed,omitempty"`
}

// failure is why the process gave up.
type failure struct {
	Kind   ladder.Kind `json:"kind"`
	Detail string      `json:"detail"`
}

// TargetOf is what a device's compiled graphs depend on. The driver of a GPU is
// known only where the system told it.
func TargetOf(rt *openvino.Runtime, d device.Device, name ladder.Device, p openvino.Properties) m2m100.Target {
	t := m2m100.Target{Device: string(name), Architecture: d.Key(), Driver: d.Driver.Key(), Compiler: d.Driver.Compiler, Properties: p}
	if d.Tiles > 0 {
		t.Tiles = strconv.Itoa(d.Tiles)
	}
	if d.Kind == device.NPU {
		t.Architecture = string(d.Generation)
		t.Fits = func(blob []byte) error {
			needs, err := npublob.Read(blob)
			if err != nil {
				return nil // the driver knows more forms than we do
			}
			return needs.Fits(t.Architecture, t.Tiles, rt.Version())
		}
	}
	return t
}

// Facts ask system and runtime about a device. A device that the runtime does not
// list is a Reason.
func Facts(ctx context.Context, core *openvino.Core, rt locate.Candidate, name ladder.Device) (device.Device, error) {
	listed, err := core.Devices()
	if err != nil {
		return device.Device{}, err
	}
	found := slices.ContainsFunc(listed, func(d string) bool { // GPU, or GPU.0 and GPU.1
		d, _, _ = strings.Cut(d, ".")
		return d == string(name)
	})
	if !found {
		return device.Device{}, &ladder.Reason{Kind: ladder.Absent, Device: name, Detail: "the OpenVINO runtime lists only " + strings.Join(listed, ", ")}
	}
	d, _ := device.Survey(ctx, device.Host(device.RuntimeOf(rt))).Find(device.Kind(name))
	d.Kind = device.Kind(name) // where the system knows of none, the runtime does
	return d.WithProperties(func(key string) (string, error) {
		return core.Property(string(name), key)
	}), nil
}
