package agent

import (
	"slices"
	"time"

	"dragoman/daemon/api"
	"dragoman/daemon/config"
	"dragoman/tray"
	"dragoman/watch/clip"
)

// state is all that a view is made of.
func (a *Agent) state() tray.State {
	s, w := a.settings.now(), a.wish()
	state := tray.State{
		Snapshot:      a.snapshot,
		Silent:        a.silent,
		Clipboard:     tray.Clipboard{Mode: tray.ClipMode(s.Clipboard.Watch), Impossible: a.impossible},
		Power:         power(a.snapshot.Power),
		Fallback:      fallback(a.snapshot.Model),
		Notifications: s.Tray.Notifications,
		Autostart:     a.autostart,
		BatteryPause:  s.PaceOnBattery() == string(api.PaceWait),
		Fixed:         fixedBy(s),
		CanAddFolder:  a.opts.Desktop.ChooseFolder != nil,
		Now:           time.Now(),
		Texts:         a.texts,
		Target: tray.Target{
			Language:  w.To,
			Recent:    slices.Clone(a.memory.Recent),
			Languages: a.languages,
			TwoWay:    tray.TwoWay{First: w.To, Second: w.Other, On: w.TwoWay},
		},
	}
	if a.clipboard != nil {
		state.Clipboard.Backend = a.clipboard.Backend()
	}
	for _, r := range a.results[:min(len(a.results), tray.MaxResults)] {
		state.Results = append(state.Results, tray.Result{Key: r.key, Source: r.source, Translation: r.translation})
	}
	return state
}

// fixedBy is what the policy keeps the person from changing in the menu: a choice
// writes all of its keys.
func fixedBy(c *config.Config) tray.Fixed {
	fixed := func(keys ...string) bool {
		return slices.ContainsFunc(keys, func(key string) bool { return c.Fixed(key) != nil })
	}
	return tray.Fixed{
		Mode: fixed("clipboard.watch"), Notifications: fixed("tray.notifications"),
		Target: fixed("clipboard.to", "clipboard.two_way"), TwoWay: fixed("clipboard.to", "clipboard.other", "clipboard.two_way"),
		BatteryPause: fixed("tray.battery_pause", "power.on_battery"),
	}
}

// power is what the service says of energy.
func power(p *api.Power) tray.Power {
	if p == nil { // an older service
		return tray.Power{Unknown: tray.PowerNotReported}
	}
	if q := p.JoulesPerText; q != nil {
		return tray.Power{Joules: q.Value * float64(p.Texts), Texts: int64(p.Texts)}
	}
	reasons := map[api.UnknownKind]tray.Why{
		api.UnknownNoMeter: tray.PowerNoMeter, api.UnknownNoPermission: tray.PowerNoPermission, api.UnknownNotMeasured: tray.PowerNotMeasured,
	}
	if why, known := reasons[p.UnknownKind]; known {
		return tray.Power{Unknown: why}
	}
	return tray.Power{Unknown: tray.Why(p.Unknown)}
}

// fallback says why the processor encodes what another device was to encode, ""
// where there is no such device.
func fallback(m api.Model) string {
	if m.FallbackKind == api.FallbackAbsent {
		return ""
	}
	return m.Fallback
}

// waitOnBattery are the settings that turn the waiting of files on battery on, or
// off.
func waitOnBattery(now config.Config) map[string]string {
	waits := now.PaceOnBattery() == string(api.PaceWait)
	values := map[string]string{"tray.battery_pause": yesNo(!waits)}
	if waits && now.Power.OnBattery == string(api.PaceWait) {
		values["power.on_battery"] = quoted(string(api.PaceSlow))
	}
	return values
}

// policy is the settings' for copies.
func policy(s config.Clipboard) clip.Policy {
	modes := map[tray.ClipMode]clip.Mode{tray.ClipOff: clip.Never, tray.ClipDouble: clip.DoubleCopy, tray.ClipEvery: clip.EveryCopy}
	return clip.Policy{Mode: modes[tray.ClipMode(s.Watch)], Window: s.Window}
}

// ClipOptions are for one Clipboard, and follow the settings. It may be called
// from any goroutine.
func (a *Agent) ClipOptions() clip.Options { return clip.Options{Current: a.currentClip} }

// currentClip is asked by the clipboard before it looks at a copy, so that what
// the person has excluded a moment ago is not read once more.
func (a *Agent) currentClip() clip.Options {
	now, _ := a.settings.refresh() // what is wrong is told by the next of the agent
	s := now.Clipboard
	return clip.Options{MaxBytes: int(s.MaxKB) * 1000, Exclude: s.Exclude, Off: tray.ClipMode(s.Watch) == tray.ClipOff}
}
