package agent

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/tray"
)

func TestFilesWaitWhileOnBattery(t *testing.T) {
	a := newAgent(t, quietSpanish+"tray.battery_pause = true\n")
	service := attach(t, a)
	on := false
	a.opts.Desktop.OnBattery = func() (bool, error) { return on, nil }
	look := func(now bool, state api.State) {
		on, a.snapshot.State = now, state
		a.lookAtBattery(t.Context())
		a.work.Wait() // what it has asked for
	}
	asked := func(want ...string) {
		t.Helper()
		got := []string{}
		for len(service.pauses) > 0 {
			got = append(got, <-service.pauses)
		}
		require.Equal(t, append([]string{}, want...), got)
	}
	click := func(action tray.Action) {
		a.clicked(t.Context(), tray.Click{ID: tray.ID{Action: action}})
		a.work.Wait()
	}

	look(false, api.StateReady)
	asked()
	look(true, api.StateReady)
	asked("/v1/pause")
	look(true, api.StatePaused)
	asked()
	look(false, api.StatePaused)
	asked("/v1/resume")
	look(false, api.StatePaused) // by the person
	look(true, api.StatePaused)
	look(false, api.StatePaused)
	asked()

	// Who resumes on battery has decided, until the plug is back.
	look(true, api.StateReady)
	asked("/v1/pause")
	click(tray.Resume)
	asked("/v1/resume")
	look(true, api.StateReady)
	asked()
	look(false, api.StateReady)
	look(true, api.StateReady)
	asked("/v1/pause")

	a.memory = openMemory(a.opts.MemoryFile) // as the next tray's
	look(false, api.StatePaused)
	asked("/v1/resume")
	look(true, api.StateReady)
	asked("/v1/pause")

	a.snapshot.State = api.StatePaused
	click(tray.BatteryPause) // off
	asked("/v1/resume")
	a.snapshot.State = api.StateReady
	click(tray.BatteryPause)
	asked("/v1/pause")
}

// TestTheServiceWaitsByItself leaves the battery to a service that has the same
// settings, and turns off whichever of them lets files wait.
func TestTheServiceWaitsByItself(t *testing.T) {
	a := newAgent(t, quietSpanish+"tray.battery_pause = true\npower.on_battery = \"wait\"\n")
	service := attach(t, a)
	a.opts.Desktop.OnBattery = func() (bool, error) { return true, nil }
	a.snapshot.State, a.snapshot.Power = api.StateReady, &api.Power{PaceOnBattery: api.PaceWait}
	a.lookAtBattery(t.Context())
	a.work.Wait()
	require.Empty(t, service.pauses)
	require.True(t, a.state().BatteryPause)

	a.clicked(t.Context(), tray.Click{ID: tray.ID{Action: tray.BatteryPause}})
	a.work.Wait()
	require.False(t, a.state().BatteryPause)
	require.Equal(t, "slow", a.settings.now().PaceOnBattery())
	a.clicked(t.Context(), tray.Click{ID: tray.ID{Action: tray.BatteryPause}})
	a.work.Wait()
	require.True(t, a.state().BatteryPause)
}

func TestWhatTheServiceMeasured(t *testing.T) {
	require.Equal(t, tray.Power{Unknown: tray.PowerNotReported}, power(nil))
	require.Equal(t, tray.Power{Joules: 5, Texts: 10}, power(&api.Power{JoulesPerText: &api.Quantity{Value: 0.5}, Texts: 10}))
	require.Equal(t, tray.Power{Unknown: tray.PowerNoPermission}, power(&api.Power{Unknown: "long", UnknownKind: api.UnknownNoPermission}))
	require.Equal(t, tray.Power{Unknown: "it is off"}, power(&api.Power{Unknown: "it is off", UnknownKind: api.UnknownOff}))
}

func TestTheClockStandsStillWhileNobodyWantsToKnow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b battery
		clock := newTick()
		ticks := func(wanted bool) bool {
			b.tick(clock, wanted)
			select {
			case <-clock.C:
				return true
			case <-time.After(2 * lookEvery):
				return false
			}
		}
		require.False(t, ticks(false))
		require.True(t, ticks(true))
		require.False(t, ticks(false))
	})
}

func TestTheBatteryIsWatchedWhileItMatters(t *testing.T) {
	a := newAgent(t, "tray.battery_pause = true\n")
	a.snapshot.State = api.StateReady
	require.False(t, a.watchesBattery(), "nobody can say")
	a.opts.Desktop.OnBattery = func() (bool, error) { return true, nil }
	require.True(t, a.watchesBattery())
	a.snapshot.State = api.StateStopped
	require.False(t, a.watchesBattery(), "there is no service")
	a.snapshot = api.Snapshot{State: api.StateReady, Power: &api.Power{PaceOnBattery: api.PaceWait}}
	require.False(t, a.watchesBattery(), "the service does by itself")

	a = newAgent(t, "")
	a.opts.Desktop.OnBattery = func() (bool, error) { return true, nil }
	a.snapshot.State = api.StatePaused
	require.False(t, a.watchesBattery(), "nobody wants it")
	a.batteryPaused(t.Context(), true)
	require.True(t, a.watchesBattery(), "files wait, though the file of settings was changed since")
}
