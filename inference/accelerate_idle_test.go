package inference

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/inference/device"
	"dragoman/inference/ladder"
)

// On a computer without accelerators the system is asked once and nothing wakes
// up afterwards; where there is one, sleep is watched for.
func TestNothingToAccelerateWithIsIdle(t *testing.T) {
	npu := device.Device{Kind: device.NPU}
	blocked := device.Finding{Device: device.NPU, Problem: device.NoPermission, Blocks: true}
	for name, c := range map[string]struct {
		machine device.Machine
		watched bool
	}{
		"no device":              {device.Machine{}, false},
		"one that is out of use": {device.Machine{Devices: []device.Device{npu}, Findings: []device.Finding{blocked}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rungs, err := ladder.Rungs("")
				require.NoError(t, err)
				surveys := 0
				a := &accelerating{system: &system{ask: func(context.Context) device.Machine {
					surveys++
					return c.machine
				}}}
				a.ladder = ladder.New(rungs, a.changed)
				ctx, stop := context.WithCancel(t.Context())
				go a.ladder.Run(ctx, a.try)
				synctest.Wait()
				require.Equal(t, 1, surveys)
				for _, fall := range a.ladder.Status().Falls {
					require.NotEqual(t, ladder.Waiting, fall.Reason.Kind)
				}
				time.Sleep(24 * time.Hour)
				synctest.Wait()
				require.Equal(t, 1, surveys)
				stacks := make([]byte, 1<<20)
				stacks = stacks[:runtime.Stack(stacks, true)]
				require.Contains(t, string(stacks), "ladder.(*Ladder).Run")
				require.NotContains(t, string(stacks), "accelerating).sample")
				if c.watched {
					require.Contains(t, string(stacks), "system).watchSleep")
				} else {
					require.NotContains(t, string(stacks), "system).watchSleep")
				}
				stop()
			})
		})
	}
}
