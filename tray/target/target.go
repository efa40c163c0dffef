// Package target chooses the language that a copied text goes into, for the tray
// and for the command that translates the clipboard, which must not differ.
//
// It may import daemon/api and daemon/config.
package target

import (
	"cmp"
	"encoding/json"
	"os"
	"slices"

	"golang.org/x/text/language"

	"dragoman/daemon/api"
	"dragoman/daemon/config"
)

// Wish is into which language texts go.
type Wish struct {
	To     string
	Other  string // for texts that are in To already
	TwoWay bool   // whether Other counts
}

// Choose returns into which language a text goes, "" for none: it is in that
// language already. A text of which it is not sure what it is in goes into the
// first language; where that was wrong the model gives back much the same.
func (w Wish) Choose(d api.Detection) string {
	switch {
	case d.Language != w.To || w.To == "":
		return w.To
	case w.TwoWay && w.Other != "" && w.Other != w.To:
		return w.Other
	case d.Unsure && len(d.Alternatives) > 0:
		return w.To
	}
	return ""
}

// From is the language that a text is to be translated from, as it was found out.
func From(d api.Detection) string { return cmp.Or(d.Language, api.Auto) }

// Foreign says that a text is in none of the model's languages.
func Foreign(d api.Detection) bool { return d.Language == "" && d.Foreign != "" }

// Known is what a Wish is completed by where the settings leave it open.
type Known struct {
	Desktop   string   // the desktop's language, as Base returns it
	Recent    []string // that were chosen, the last one first
	Languages []string // of the model; empty while they are not known
}

// New completes the settings: the desktop's language where they name none, or
// English where the model lacks that, and for the way back the last other
// language that was chosen.
func New(s config.Clipboard, k Known) Wish {
	w := Wish{To: s.To, Other: s.Other, TwoWay: s.TwoWay}
	if w.To == "" {
		w.To = "en"
		if k.Has(k.Desktop) {
			w.To = k.Desktop
		}
	}
	if w.Other == "" {
		for _, code := range append(slices.Clone(k.Recent), k.Desktop, "en") {
			if code != w.To && k.Has(code) {
				w.Other = code
				break
			}
		}
	}
	return w
}

// Has says whether the model has a language. While its languages are not known
// it may have each.
func (k Known) Has(code string) bool {
	return len(k.Languages) == 0 || slices.Contains(k.Languages, code)
}

// Base is the first of a person's languages (BCP 47) without its region, as the
// models name it.
func Base(preferred []string) string {
	for _, p := range preferred {
		if tag, err := language.Parse(p); err == nil {
			base, _ := tag.Base()
			return base.String()
		}
	}
	return "en"
}

// ReadRecent returns the languages that were chosen in the tray, the last one
// first, from the file that the tray keeps them in; none where there is none.
func ReadRecent(file string) []string {
	var kept struct {
		Recent []string `json:"recent"`
	}
	data, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(data, &kept) != nil {
		return nil
	}
	return kept.Recent
}
