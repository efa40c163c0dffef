package agent

import (
	"slices"
	"time"

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
		Power:         tray.Power{Unknown: tray.PowerNotReported},
		Notifications: s.Tray.Notifications,
		Autostart:     a.autostart,
		BatteryPause:  s.Tray.BatteryPause,
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
