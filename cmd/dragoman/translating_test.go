package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference"
	"dragoman/inference/device"
	"dragoman/inference/ladder"
)

func TestADeviceThatDidNotServeIsTold(t *testing.T) {
	npu := device.Device{Kind: device.NPU}
	none := device.Finding{Device: device.NPU, Problem: device.NoHardware, Blocks: true, Text: "there is no NPU"}
	waiting := &ladder.Reason{Kind: ladder.Waiting, Device: ladder.NPU}
	for name, c := range map[string]struct {
		reason  *ladder.Reason
		machine device.Machine
		want    string
	}{
		"it is there":      {waiting, device.Machine{Devices: []device.Device{npu}}, "the NPU is being prepared"},
		"nobody knows":     {waiting, device.Machine{}, "the NPU is being prepared"},
		"there is none":    {waiting, device.Machine{Findings: []device.Finding{none}}, "there is no NPU"},
		"it was tried":     {&ladder.Reason{Kind: ladder.Hung, Device: ladder.NPU}, device.Machine{Findings: []device.Finding{none}}, "did not finish"},
		"nothing is known": {&ladder.Reason{Kind: ladder.Hung, Device: ladder.GPU}, device.Machine{}, "not ready yet"},
	} {
		var out bytes.Buffer
		d := inference.Devices{Encoder: "CPU", Falls: []ladder.Fall{{Reason: c.reason}}}
		tellDevice(&out, d, "NPU", func() device.Machine { return c.machine })
		require.Contains(t, out.String(), "the encoder ran on CPU, not on NPU: ", name)
		require.Contains(t, out.String(), c.want, name)
	}
}
