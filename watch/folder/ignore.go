package folder

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"dragoman/watch"
)

// Rules say which names below a root are not work.
type Rules struct {
	Hidden   bool     // take names that start with a dot
	Temp     bool     // take names that programs give to unfinished files
	Skip     []string // files and folders below the root, with slashes
	Include  []string // patterns of files, see Included
	Exclude  []string // patterns of files and folders
	FoldCase bool     // compare as a case-insensitive file system does
}

// Check refuses patterns that path.Match does not understand.
func (r Rules) Check() error {
	for _, pattern := range slices.Concat(r.Include, r.Exclude) {
		if _, err := path.Match(pattern, ""); err != nil || pattern == "" {
			return fmt.Errorf("%q is not a pattern of names: use *, ? and [a-z], and \\ before a character that is meant itself", pattern)
		}
	}
	return nil
}

// Included says whether the file rel fits a pattern of Include, or there are none.
func (r Rules) Included(rel string) bool {
	return len(r.Include) == 0 || r.matches(r.Include, rel)
}

// matches compares a pattern with the path if it has a slash, and else with the
// name at its end.
func (r Rules) matches(patterns []string, rel string) bool {
	if r.FoldCase {
		rel = strings.ToLower(rel)
	}
	name := path.Base(rel)
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		if r.FoldCase {
			pattern = strings.ToLower(pattern)
		}
		what := name
		if strings.Contains(pattern, "/") {
			what = rel
		}
		ok, _ := path.Match(pattern, what) // Check has seen it
		return ok
	})
}

// Ignored returns why rel (a file or folder below the root, with slashes) is
// not taken, or "" if it is. A rule that holds for a folder holds for all in it.
// What dragoman writes itself is ignored whatever the rules say.
func (r Rules) Ignored(rel string) string {
	for _, skipped := range r.Skip {
		if within(rel, skipped, r.FoldCase) {
			return "excluded"
		}
	}
	if len(r.Exclude) > 0 {
		for at := rel; at != "."; at = path.Dir(at) {
			if r.matches(r.Exclude, at) {
				return "excluded"
			}
		}
	}
	for part := range strings.SplitSeq(rel, "/") {
		switch {
		case strings.HasPrefix(part, watch.OwnPrefix):
			return "written by dragoman"
		case systemNames[strings.ToLower(part)], strings.HasPrefix(part, "._"):
			return "a file of the system"
		case !r.Temp && temporary(part):
			return "a temporary name"
		case !r.Hidden && strings.HasPrefix(part, "."):
			return "hidden"
		}
	}
	return ""
}

// within says whether rel is top or below it.
func within(rel, top string, foldCase bool) bool {
	if foldCase {
		rel, top = strings.ToLower(rel), strings.ToLower(top)
	}
	return rel == top || strings.HasPrefix(rel, top+"/")
}

var systemNames = map[string]bool{
	"thumbs.db": true, "ehthumbs.db": true, "desktop.ini": true, // Windows Explorer
	".ds_store": true, // macOS Finder
}

// Endings of files that are still being downloaded, copied or edited.
var tempExtensions = map[string]bool{
	".crdownload": true, ".opdownload": true, ".download": true, // browsers
	".part": true, ".partial": true, ".filepart": true,
	".tmp": true, ".temp": true,
	".swp": true, ".swo": true, ".swx": true, // vim
}

func temporary(name string) bool {
	lower := strings.ToLower(name)
	switch {
	case tempExtensions[path.Ext(lower)]: // also ~WRL0001.tmp of Word
		return true
	case strings.HasPrefix(name, "~$"): // owner file of Office
		return true
	case strings.HasPrefix(name, ".~"): // LibreOffice's lock and others
		return true
	case strings.HasSuffix(name, "~"): // backup of an editor
		return true
	case len(name) > 1 && name[0] == '#' && name[len(name)-1] == '#': // Emacs
		return true
	case name == "4913": // vim tries out whether it may write in the folder
		return true
	}
	return false
}
