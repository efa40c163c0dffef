package tray

import (
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"dragoman/daemon/api"
	"dragoman/tray/message"
)

// AddFolderCommand adds a drop folder where no dialogue can.
const AddFolderCommand = "dragoman folders add"

func (r renderer) menu(status string) []Item {
	say, away, stopped := r.Texts.Say, r.away(), r.Snapshot.State == api.StateStopped
	device, detail := r.device(), r.detail()
	items := []Item{
		line(StatusLine, "", status),
		line(DeviceLine, "", device).unless(device == ""),
		line(DetailLine, "", detail).unless(detail == ""),
		line(PowerLine, "", r.power()),
		button(StartService, "", say(message.ServiceStart), true).unless(!stopped || r.Silent),
		button(RestartService, "", say(message.ServiceRestart), true).unless(!r.Silent),
		separator(),
		r.clipMenu(),
		r.targetMenu(),
		separator(),
	}
	items = append(items, r.results()...)
	items = append(items,
		separator(),
		r.folderMenu(),
		r.pullMenu(),
		r.pauseMenu(),
		button(Resume, "", say(message.Resume), true).unless(r.Snapshot.State != api.StatePaused),
		button(History, "", say(message.History), !away),
		button(Settings, "", say(message.Settings), true),
		button(Help, "", say(message.Help), true),
		separator(),
		check(Autostart, "", say(message.Autostart), r.Autostart, true))
	quit := message.QuitGoesOn
	if stopped {
		quit = message.Quit
	}
	return append(items,
		button(Quit, "", say(quit), true),
		button(QuitAndStop, "", say(message.QuitStop), true).unless(stopped))
}

func (r renderer) clipMenu() Item {
	say, c := r.Texts.Say, r.Clipboard
	if c.Mode == "" {
		c.Mode = ClipOff
	}
	possible := c.Impossible == ""
	now := map[ClipMode]message.ID{
		ClipOff: message.ClipIsOff, ClipDouble: message.ClipIsDouble, ClipEvery: message.ClipIsEvery,
	}[c.Mode]
	how := say(message.ClipBackend, "Backend", short(c.Backend, shortText))
	if !possible {
		now = message.ClipIsImpossible
		how = say(message.ClipImpossible, "Reason", c.Impossible.Say(r.Texts))
	}
	mode := func(m ClipMode, id message.ID) Item {
		return check(SetClipMode, string(m), say(id), possible && c.Mode == m, possible && !r.Fixed.Mode)
	}
	return menu("clip", say(message.Clip, "Mode", say(now)),
		mode(ClipOff, message.ClipOff),
		mode(ClipDouble, message.ClipDouble),
		mode(ClipEvery, message.ClipEvery),
		line(InfoLine, "clip", how).unless(possible && c.Backend == ""),
		separator(),
		check(Notifications, "", say(message.Notifications), r.Notifications, !r.Fixed.Notifications),
		r.fixedLine("clip", r.Fixed.Mode || r.Fixed.Notifications))
}

// fixedLine tells why what stands beside it cannot be chosen.
func (r renderer) fixedLine(of string, fixed bool) Item {
	return line(InfoLine, "fixed."+of, r.Texts.Say(message.Fixed)).unless(!fixed)
}

// results are the last translations below a heading.
func (r renderer) results() []Item {
	heading := message.Results
	if len(r.Results) == 0 {
		heading = message.ResultsNone
	}
	items := []Item{line(InfoLine, "results", r.Texts.Say(heading))}
	for i := range MaxResults {
		if i >= len(r.Results) {
			items = append(items, button(CopyResult, "", "", true).unless(true))
			continue
		}
		label := short(r.Results[i].Source, shortText)
		if label == "" {
			label = "…"
		}
		items = append(items, button(CopyResult, r.Results[i].Key, label, true))
	}
	return items
}

func (r renderer) folderMenu() Item {
	say, away := r.Texts.Say, r.away()
	items := []Item{
		button(AddFolder, "", say(message.FolderAdd), !away).unless(!r.CanAddFolder),
		line(InfoLine, "folder.add", say(message.FolderAddCommand, "Command", AddFolderCommand)).unless(r.CanAddFolder),
	}
	names := map[string]int{}
	for _, f := range r.Snapshot.Folders {
		names[filepath.Base(f.Settings.Path)]++
	}
	for _, f := range r.Snapshot.Folders {
		name, number := filepath.Base(f.Settings.Path), strconv.FormatInt(f.ID, 10)
		if names[name] > 1 {
			name = f.Settings.Path
		}
		paused := f.Settings.Paused || f.Status.State == api.FolderPaused
		items = append(items, menu("folder."+number, short(name, shortText),
			line(InfoLine, "folder."+number, r.folderStatus(f.Status)),
			button(OpenFolder, number, say(message.FolderOpen), f.Status.State != api.FolderMissing),
			button(PauseFolder, number, say(message.FolderPause), !away).unless(paused),
			button(ResumeFolder, number, say(message.FolderResume), !away).unless(!paused)))
	}
	return menu("folders", say(message.Folders), items...)
}

// pullMenu is there while models are fetched.
func (r renderer) pullMenu() Item {
	var items []Item
	var done, total int64
	for _, p := range r.Snapshot.Pulls {
		if p.State != api.PullRunning || r.away() {
			continue
		}
		done, total = done+p.Done, total+p.Total
		number, name := strconv.FormatInt(p.ID, 10), short(p.Model, shortText)
		items = append(items,
			line(InfoLine, "pull."+number, r.pullLine(p, name)),
			button(StopPull, number, r.Texts.Say(message.PullStop, "Model", name), true))
	}
	percent := int64(0)
	if total > 0 {
		percent = 100 * done / total
	}
	return menu("pulls", r.Texts.Say(message.Pulls, "Percent", strconv.FormatInt(percent, 10)), items...).unless(len(items) == 0)
}

// pullLine says how far a pull is, and how fast and how long where that is known.
func (r renderer) pullLine(p api.Pull, name string) string {
	line := r.Texts.Say(message.PullLine, "Model", name, "Done", r.megabytes(p.Done), "Total", r.megabytes(p.Total))
	if p.Speed == 0 || p.RestMS == 0 {
		return line
	}
	return r.Texts.Say(message.PullPace, "Line", line, "Speed", r.Texts.Number(float64(p.Speed)/1e6), "Rest", clock(p.RestMS))
}

// clock is a time in minutes and seconds, with hours where there are any.
func clock(ms int64) string {
	s := (ms + 500) / 1000
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

func (r renderer) megabytes(n int64) string { return r.Texts.Whole(n / 1e6) }

func (r renderer) folderStatus(s api.FolderStatus) string {
	counted := map[api.FolderState]message.ID{
		api.FolderWatching: message.FolderWatching,
		api.FolderPolling:  message.FolderPolling,
		api.FolderPaused:   message.FolderPaused,
	}
	if id, ok := counted[s.State]; ok {
		return r.Texts.Count(id, int64(s.Waiting))
	}
	switch s.State {
	case api.FolderMissing:
		return r.Texts.Say(message.FolderMissing)
	case api.FolderFailed:
		return r.Texts.Say(message.FolderFailed)
	}
	return r.Texts.Say(message.FolderStarting)
}

func (r renderer) pauseMenu() Item {
	say, away := r.Texts.Say, r.away()
	return menu("pause", say(message.Pause),
		button(Pause, ForAnHour, say(message.PauseHour), !away),
		button(Pause, TillTomorrow, say(message.PauseTomorrow), !away),
		check(BatteryPause, "", say(message.PauseBattery), r.BatteryPause, !r.Fixed.BatteryPause),
		r.fixedLine("pause", r.Fixed.BatteryPause))
}

// Tomorrow is when a pause until tomorrow ends: at the next six o'clock in the
// morning of now's time zone. Who asks in the three hours before that means
// the day after.
func Tomorrow(now time.Time) time.Time {
	const hour, near = 6, 3 * time.Hour
	t := time.Date(now.Year(), now.Month(), now.Day(), hour, 0, 0, 0, now.Location())
	for t.Sub(now) < near {
		t = time.Date(t.Year(), t.Month(), t.Day()+1, hour, 0, 0, 0, now.Location())
	}
	return t
}
