package locate

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// EnvRuntime is the environment variable that names OpenVINO's folder or C
// library and wins over every other place.
const EnvRuntime = "DRAGOMAN_OPENVINO"

// Source says by which rule a library was found.
type Source string

// The sources, in the order in which they are asked.
const (
	SourceEnvironment Source = EnvRuntime
	SourceConfig      Source = "the configuration (inference.runtime)"
	SourceExecutable  Source = "beside the executable"
	SourceData        Source = "dragoman's data folder"
	SourceSystem      Source = "the system's libraries"
	SourcePython      Source = "the active Python environment"
)

// ErrNotFound is what Find's error is when no place has an OpenVINO that can be
// used, and none was named by a setting.
var ErrNotFound = errors.New("no OpenVINO runtime was found")

// Options is everything that the search depends on. Host fills it in.
type Options struct {
	Getenv     func(string) string
	Configured string // the configuration file's inference.runtime, "" if unset
	Executable string // this program's file, "" to leave its neighbours out
	DataDir    string // dragoman's data folder, "" to leave it out
	// LibraryDirs replaces the system's library folders, with filepath.Glob's
	// wildcards; nil takes those of GOOS and GOARCH. The loader's search path
	// variable is asked in any case.
	LibraryDirs  []string
	GOOS, GOARCH string
}

// Host returns the options of this process for the configuration's value and
// dragoman's data folder.
func Host(configured, dataDir string) Options {
	exe, err := os.Executable()
	if err != nil {
		exe = "" // the other places remain
	}
	return Options{
		Getenv: os.Getenv, Configured: configured, Executable: exe, DataDir: dataDir,
		GOOS: runtime.GOOS, GOARCH: runtime.GOARCH,
	}
}

// Candidate is one OpenVINO on this machine, or one setting that names none.
type Candidate struct {
	Library string // the C library's path; with a Problem, what the setting names
	Dir     string // its folder
	Source  Source
	Version Version // zero where no name around it tells
	Parts   Parts
	// Preload lists the libraries to load by full path before Library, in this
	// order. They lie with it; the loader may not find them by itself.
	Preload []string
	// Problem is why it cannot be used, nil if nothing speaks against it.
	Problem error
}

// Find returns the runtime to use: the first place that has one. A setting
// (DRAGOMAN_OPENVINO, then the configuration) that names none is an error and
// never passed over; a runtime that is too old is passed over where nobody
// asked for it. If nothing is found the error is ErrNotFound with the places.
func Find(o Options) (Candidate, error) {
	var tooOld []string
	for c := range o.candidates() {
		if c.Problem == nil {
			return c, nil
		}
		switch c.Source {
		case SourceEnvironment, SourceConfig:
			return Candidate{}, fmt.Errorf("cannot use the OpenVINO runtime that %s names, %s: %w: correct or remove the setting, or run `dragoman runtime install` and name no runtime",
				c.Source, c.Library, c.Problem)
		default:
			tooOld = append(tooOld, fmt.Sprintf("%s: %v", c.Library, c.Problem))
		}
	}
	also := ""
	if len(tooOld) > 0 {
		also = "; passed over: " + strings.Join(tooOld, ", ")
	}
	return Candidate{}, fmt.Errorf("%w in %s%s: run `dragoman runtime install`", ErrNotFound, strings.Join(o.places(), ", "), also)
}

// All returns every OpenVINO that Find would consider, in the order in which
// they are considered, those that cannot be used with their Problem. A library
// that several places lead to appears once, for the first.
func All(o Options) []Candidate {
	var all []Candidate
	seen := map[string]bool{}
	for c := range o.candidates() {
		real, err := filepath.EvalSymlinks(c.Library)
		if err != nil {
			real = c.Library
		}
		if seen[real] {
			continue
		}
		seen[real] = true
		all = append(all, c)
	}
	return all
}

func (o Options) candidates() iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		for _, setting := range []struct {
			source Source
			value  string
		}{{SourceEnvironment, o.Getenv(EnvRuntime)}, {SourceConfig, o.Configured}} {
			if setting.value == "" {
				continue
			}
			c, err := o.named(setting.value, setting.source)
			if err != nil {
				c = Candidate{Library: setting.value, Source: setting.source, Problem: err}
			}
			if !yield(checked(c)) {
				return
			}
		}
		for _, dir := range o.besideExecutable() {
			if c, err := o.directly(dir, SourceExecutable); err == nil && !yield(checked(c)) {
				return
			}
		}
		if c, found := o.installed(); found && !yield(checked(c)) {
			return
		}
		for _, dir := range o.system() {
			if c, err := o.directly(dir, SourceSystem); err == nil && !yield(checked(c)) {
				return
			}
		}
		for _, dir := range o.python() {
			if c, err := o.directly(dir, SourcePython); err == nil && !yield(checked(c)) {
				return
			}
		}
	}
}

// installed returns the runtime of the data folder; found is false if none was
// ever installed. A choice that leads nowhere is a candidate with a Problem.
func (o Options) installed() (c Candidate, found bool) {
	if o.DataDir == "" {
		return Candidate{}, false
	}
	broken := Candidate{Library: filepath.Join(o.DataDir, RuntimeFolder, CurrentFile), Source: SourceData}
	dir, err := Current(o.DataDir)
	if err != nil {
		broken.Problem = err
		return broken, true
	}
	if dir == "" {
		return Candidate{}, false
	}
	c, err = o.within(dir, SourceData)
	if err != nil {
		broken.Problem = fmt.Errorf("there is no %s in %s, which it names", o.pattern(), dir)
		return broken, true
	}
	return c, true
}

func checked(c Candidate) Candidate {
	if c.Problem == nil && !c.Version.IsZero() && c.Version.Less(Oldest) {
		c.Problem = fmt.Errorf("it is release %s, and %d.%d or later is needed", c.Version, Oldest.Year, Oldest.Release)
	}
	return c
}

// places lists what Find looks at, for its message.
func (o Options) places() []string {
	var places []string
	places = append(places, o.besideExecutable()...)
	if o.DataDir != "" {
		places = append(places, filepath.Join(o.DataDir, RuntimeFolder))
	}
	places = append(places, o.system()...)
	if dirs := o.python(); len(dirs) > 0 {
		places = append(places, dirs...)
	} else {
		places = append(places, "a Python environment (none is active)")
	}
	return places
}
