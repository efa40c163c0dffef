package agent

import "dragoman/daemon/api"

// wish is into which language copies go.
type wish struct {
	to     string
	other  string // for texts that are in to already
	twoWay bool   // whether other counts
}

// choose returns into which language a text goes, "" for none: it is in that
// language already. A text of which it is not sure what it is in goes into the
// first language; where that was wrong the model gives back much the same.
func (w wish) choose(d api.Detection) string {
	switch {
	case d.Language != w.to || w.to == "":
		return w.to
	case w.twoWay && w.other != "" && w.other != w.to:
		return w.other
	case d.Unsure && len(d.Alternatives) > 0:
		return w.to
	}
	return ""
}

// foreign says that a text is in none of the model's languages.
func foreign(d api.Detection) bool { return d.Language == "" && d.Foreign != "" }

// language completes the wish of the settings: the desktop's language where
// they name none, or English where the model lacks that, and for the way back
// the last other language that was chosen.
func (a *Agent) wish() wish {
	s := a.settings.now().Clipboard
	w := wish{to: s.To, other: s.Other, twoWay: s.TwoWay}
	if w.to == "" {
		w.to = a.known(a.desktopLanguage, "en")
	}
	if w.other == "" {
		for _, code := range append(a.memory.Recent, a.desktopLanguage, "en") {
			if code != w.to && a.known(code, "") != "" {
				w.other = code
				break
			}
		}
	}
	return w
}

// known is code if the model has it or the model's languages are not known yet,
// else the other.
func (a *Agent) known(code, other string) string {
	if len(a.languages) == 0 {
		return code
	}
	for _, l := range a.languages {
		if l.Code == code {
			return code
		}
	}
	return other
}
