package drop

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dragoman/daemon/api"
	"dragoman/watch"
	"dragoman/watch/document"
	"dragoman/watch/folder"
)

// plan is the settings of a folder, checked and completed.
type plan struct {
	id       int64
	settings api.FolderSettings
	root     string // absolute
	base     string // where outputs go, absolute; root for api.PlaceBeside
	pattern  document.Pattern
}

// wrong is the error for settings that make no sense by themselves.
func wrong(format string, args ...any) error {
	return &api.Problem{Type: "about:blank", Title: "Bad folder settings", Status: 400, Code: api.CodeBadRequest, Detail: fmt.Sprintf(format, args...)}
}

// conflict is the error for settings that clash with another folder's.
func conflict(format string, args ...any) error {
	return &api.Problem{Type: "about:blank", Title: "Folders overlap", Status: 409, Code: api.CodeConflict, Detail: fmt.Sprintf(format, args...)}
}

func newPlan(id int64, s api.FolderSettings) (plan, error) {
	if !filepath.IsAbs(s.Path) {
		return plan{}, wrong("the folder %q is not named from the top of the disk: give its whole path", s.Path)
	}
	s.Path = filepath.Clean(s.Path)
	p := plan{id: id, root: s.Path}
	var err error
	if p.pattern, err = document.ParsePattern(s.Name); err != nil {
		return plan{}, wrong("%v", err)
	}
	if err := (folder.Rules{Include: s.Include, Exclude: s.Exclude}).Check(); err != nil {
		return plan{}, wrong("%v", err)
	}
	if s.Glossary != "" && !filepath.IsAbs(s.Glossary) {
		return plan{}, wrong("the glossary %q is not named from the top of the disk: give its whole path", s.Glossary)
	}
	if err := reading(s).Check(); err != nil {
		return plan{}, wrong("%v", err)
	}
	if info, err := os.Stat(p.root); err == nil && !info.IsDir() {
		return plan{}, wrong("%s is a file: name the folder it is in", p.root)
	}
	if err := checkLanguages(s); err != nil {
		return plan{}, err
	}
	switch s.Original {
	case "":
		s.Original = api.OriginalStay
	case api.OriginalStay, api.OriginalDone, api.OriginalBin:
	default:
		return plan{}, wrong("originals can be left (%q) or moved to %q or %q, not %q", api.OriginalStay, api.OriginalDone, api.OriginalBin, s.Original)
	}
	if p.base, err = place(&s); err != nil {
		return plan{}, err
	}
	if s.Place == api.PlaceBeside && !p.pattern.TellsApart() {
		return plan{}, wrong("translations named %q cannot be told from their originals beside them: put a dot or a dash between {name} and {lang}, such as %q, or let them go to a sub-folder", s.Name, document.DefaultPattern)
	}
	p.settings = s
	return p, p.checkExtent()
}

// reading is what the settings say of the files.
func reading(s api.FolderSettings) document.Reading {
	r := document.Reading{Encoding: s.Encoding, JSONPaths: s.JSONPaths, Columns: s.Columns}
	if s.From != api.Auto {
		r.Language = s.From
	}
	return r
}

func checkLanguages(s api.FolderSettings) error {
	if len(s.To) == 0 {
		return wrong("no language to translate into is given")
	}
	for i, lang := range s.To {
		if _, err := document.OutputName("x", lang, false); err != nil {
			return wrong("%q is not a language code", lang)
		}
		if slices.Contains(s.To[:i], lang) {
			return wrong("the language %s is given twice", lang)
		}
		if lang == s.From {
			return wrong("%s cannot be translated into itself", lang)
		}
	}
	if s.From == "" {
		return wrong("no language to translate from is given: use %q to have it found out", api.Auto)
	}
	return nil
}

// place completes Place and Output and returns the folder they mean.
func place(s *api.FolderSettings) (base string, err error) {
	switch s.Place {
	case "", api.PlaceSubfolder:
		s.Place = api.PlaceSubfolder
		if s.Output == "" {
			s.Output = watch.OutputDir
		}
		bad := s.Output != filepath.Base(s.Output) || strings.ContainsAny(s.Output, `/\:`) || s.Output == "." || s.Output == ".."
		if bad || strings.HasPrefix(s.Output, watch.OwnPrefix) || strings.EqualFold(s.Output, document.DoneDir) {
			return "", wrong("%q cannot be the sub-folder for translations: give a plain name, such as %q", s.Output, watch.OutputDir)
		}
		return filepath.Join(s.Path, s.Output), nil
	case api.PlaceBeside:
		if s.Output != "" {
			return "", wrong("translations beside their originals need no output folder, but %q is given", s.Output)
		}
		return s.Path, nil
	case api.PlaceFolder:
		if !filepath.IsAbs(s.Output) {
			return "", wrong("the output folder %q is not named from the top of the disk: give its whole path", s.Output)
		}
		s.Output = filepath.Clean(s.Output)
		at := newLocator()
		if at.leadsInto(s.Path, s.Output) {
			return "", wrong("the output folder %s contains %s, so that outputs would be inputs: choose another", s.Output, s.Path)
		}
		if at.leadsInto(s.Output, filepath.Join(s.Path, document.DoneDir)) {
			return "", wrong("the output folder %s is the one for originals that are done: choose another", s.Output)
		}
		if info, err := os.Stat(s.Output); err == nil && !info.IsDir() {
			return "", wrong("the output folder %s is a file: choose another", s.Output)
		}
		return s.Output, nil
	}
	return "", wrong("translations can be placed in a %q, %q their originals or in another %q, not %q", api.PlaceSubfolder, api.PlaceBeside, api.PlaceFolder, s.Place)
}

// checkExtent refuses folders that hold far more than anyone wants translated.
func (p plan) checkExtent() error {
	home, err := os.UserHomeDir()
	if err != nil {
		home = ""
	}
	holdsAll := func(dir string) bool {
		return filepath.Dir(dir) == dir || (home != "" && newLocator().leadsInto(home, dir))
	}
	switch {
	case filepath.Dir(p.root) == p.root:
		return wrong("%s is a whole disk: name a folder on it", p.root)
	case p.settings.Recursive && holdsAll(p.root):
		return wrong("%s with its sub-folders holds all of a user's files: name a folder in it", p.root)
	case p.settings.Place == api.PlaceFolder && holdsAll(p.base):
		return wrong("the output folder %s holds all of a user's files: name a folder in it", p.base)
	}
	return nil
}

// checkBeside refuses folders that would feed each other or fill the same
// places, whatever links and mounts lead to them.
func (p plan) checkBeside(other plan, at *locator) error {
	overlap := func(a, b string) bool { return at.leadsInto(a, b) || at.leadsInto(b, a) }
	switch {
	case overlap(p.root, other.root):
		return conflict("%s and the drop folder %s contain one another: files would be translated twice", p.root, other.root)
	case overlap(p.base, other.root):
		return conflict("translations of %s would go to %s, where the drop folder %s takes its files from", p.root, p.base, other.root)
	case overlap(p.root, other.base):
		return conflict("%s would take the translations that the drop folder %s puts into %s", p.root, other.root, other.base)
	case overlap(p.base, other.base):
		return conflict("the drop folder %s puts its translations into %s already: choose another folder than %s", other.root, other.base, p.base)
	}
	return nil
}
