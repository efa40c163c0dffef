package agent

import "dragoman/tray/target"

// wish is into which language copies go.
func (a *Agent) wish() target.Wish { return target.New(a.settings.now().Clipboard, a.known()) }

// known is what the agent knows of languages.
func (a *Agent) known() target.Known {
	k := target.Known{Desktop: a.desktopLanguage, Recent: a.memory.Recent}
	for _, l := range a.languages {
		k.Languages = append(k.Languages, l.Code)
	}
	return k
}
