package ladder

import (
	"fmt"
	"strings"
)

// Device is a rung, named as OpenVINO names its devices.
type Device string

// The rungs, the best one first.
const (
	NPU Device = "NPU"
	GPU Device = "GPU"
	CPU Device = "CPU" // always there
)

// Rungs are the devices that a setting lets the encoder run on, the best one
// first and the processor last: "" is all of them, "NPU" and "GPU" name one.
func Rungs(setting string) ([]Device, error) {
	switch d := Device(strings.ToUpper(setting)); d {
	case "":
		return []Device{NPU, GPU, CPU}, nil
	case NPU, GPU:
		return []Device{d, CPU}, nil
	case CPU:
		return []Device{CPU}, nil
	}
	return nil, fmt.Errorf("device %q is unknown: use NPU, GPU or CPU", setting)
}

// DecoderRungs are the devices that a setting lets the decoder run on, as Rungs
// are the encoder's. An NPU takes no graph of variable length.
func DecoderRungs(setting string) ([]Device, error) {
	switch d := Device(strings.ToUpper(setting)); d {
	case "", GPU:
		return []Device{GPU, CPU}, nil
	case CPU:
		return []Device{CPU}, nil
	}
	return nil, fmt.Errorf("device %q is none for the decoder: use GPU or CPU", setting)
}
