// Package folder finds files in a drop folder that are ready to be worked on.
// The scan is the truth and fsnotify only hints at where to look, so nothing is
// missed when events are lost, were never sent or happened while we were not
// running.
//
// It reads names, sizes and times, never contents, and is the only user of
// fsnotify. It must not import the daemon, the translator, document or ledger.
package folder

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"dragoman/watch"
)

// Options of a Folder. The zero value of all but Root is usable.
type Options struct {
	Root      string   // the folder to watch; it may be missing for a time
	Recursive bool     // sub-folders too; symbolic links to folders are never followed
	OutputDir string   // below Root or absolute, never taken as input; watch.OutputDir if empty and Own is nil
	Skip      []string // files and folders never taken, such as an own log; below Root or absolute
	// Include and Exclude are patterns of path.Match, for the name or for the
	// path below Root. A file is taken that fits any of Include, or if there are
	// none, unless it or a folder it is in fits one of Exclude.
	Include, Exclude []string
	// Accept says whether a file (below Root, with slashes) is of interest by
	// its name; nil accepts every one.
	Accept func(rel string) bool
	// Known says whether a file that is new to Run is known in this state (bytes,
	// nanoseconds since 1970), so that it counts as told. It is asked from the
	// goroutine of Run, before Own.
	Known func(rel string, size, mtime int64) bool
	// Own says whether a file is an output that lies among the inputs. It is
	// asked when a file is new or has changed, from the goroutine of Run.
	Own        func(rel string) bool
	TakeHidden bool // files and folders that are hidden
	TakeTemp   bool // names that programs give to unfinished files

	Quiet    time.Duration // how long size and time must stay the same; 1 s
	Rescan   time.Duration // pace of the scan that finds what events missed; 1 min
	Poll     time.Duration // pace of the look for new files where events cannot be had, and at most that of the scan there; 5 s
	NoEvents bool          // scan at the pace of Poll even where events can be had

	Notify  func(Notice) // what the user should know; slog if nil
	Changed func()       // State has changed; from the goroutine of Run, must not block
}

// Folder watches one root.
type Folder struct {
	root  string
	opts  Options
	rules Rules
	again chan struct{}
	open  func() (*notifier, error)
	state atomic.Pointer[State]
}

// New checks the options and returns a Folder; nothing is watched until Run.
// A root that does not exist is no error, see Check.
func New(o Options) (*Folder, error) {
	if o.Root == "" {
		return nil, errors.New("watch a folder: no folder is given")
	}
	root, err := filepath.Abs(o.Root)
	if err != nil {
		return nil, fmt.Errorf("watch %s: %w", o.Root, err)
	}
	if info, err := os.Stat(root); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("watch %s: it is a file; name the folder it is in", root)
	}
	if o.OutputDir == "" && o.Own == nil {
		o.OutputDir = watch.OutputDir
	}
	if o.OutputDir != "" && within(toAbs(root, root), toAbs(root, o.OutputDir), foldCase) {
		return nil, fmt.Errorf("watch %s: the output folder %s contains it, so that outputs would be inputs; choose another", root, o.OutputDir)
	}
	o.Quiet = orDefault(o.Quiet, time.Second)
	o.Rescan = orDefault(o.Rescan, time.Minute)
	o.Poll = min(orDefault(o.Poll, 5*time.Second), o.Rescan)

	rules := Rules{Hidden: o.TakeHidden, Temp: o.TakeTemp, FoldCase: foldCase, Include: o.Include, Exclude: o.Exclude}
	if err := rules.Check(); err != nil {
		return nil, fmt.Errorf("watch %s: %w", root, err)
	}
	for _, path := range append([]string{o.OutputDir}, o.Skip...) {
		if path != "" {
			rules.Skip = append(rules.Skip, belowRoot(root, path)...)
		}
	}
	f := &Folder{root: root, opts: o, rules: rules, again: make(chan struct{}, 1), open: openNotifier}
	f.state.Store(&State{})
	return f, nil
}

// Root is the absolute, cleaned path that items carry.
func (f *Folder) Root() string { return f.root }

// Check returns an error unless the root is there and can be listed, for a
// command that should not wait for a mistyped name. It wraps ErrMissing or the
// cause.
func (f *Folder) Check() error {
	info, err := os.Stat(f.root)
	if err = rootError(f.root, info, err); err != nil {
		return err
	}
	d, err := os.Open(f.root)
	if err != nil {
		return fmt.Errorf("watch %s: %w; allow this user to read it", f.root, cause(err))
	}
	return d.Close()
}

// Rescan makes Run forget what it has told and tell every file again, for a
// consumer that had to drop items or whose output could not be written.
func (f *Folder) Rescan() { signal(f.again) }

// Run tells emit about settled and vanished files until ctx ends; it returns
// the error of ctx and leaves no goroutine. At the start every file is new.
// A file is told again only when its size or time changed. emit is called from
// one goroutine and must not block for long.
func (f *Folder) Run(ctx context.Context, emit func(watch.Item)) error {
	s := newSession(f, emit)
	defer s.stopHints()
	defer f.state.Store(&State{})
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-f.again:
			s.forgetSent()
		case <-s.wake():
			s.takeNews(ctx, time.Now())
		case <-timer.C:
		}
		s.step(ctx, time.Now())
		timer.Reset(time.Until(s.next()))
	}
}

func orDefault(d, or time.Duration) time.Duration {
	if d <= 0 {
		return or
	}
	return d
}

// rootError says what is wrong with the root, given the result of os.Stat.
func rootError(root string, info os.FileInfo, err error) error {
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("watch %s: %w; make it or name another one", root, ErrMissing)
	case err != nil:
		return fmt.Errorf("watch %s: %w", root, cause(err))
	case !info.IsDir():
		return fmt.Errorf("watch %s: %w, a file has its place; move the file", root, ErrMissing)
	}
	return nil
}

// cause drops the path that os adds, where the message has it already.
func cause(err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// Inside says whether path is the folder top or below it, as the usual file
// system here compares names and after symbolic links were followed. Neither
// has to exist; both are absolute.
func Inside(path, top string) bool { return within(toAbs(path, path), toAbs(top, top), foldCase) }

// belowRoot returns path relative to root with slashes, as written and with
// links resolved, where that is below root.
func belowRoot(root, path string) []string {
	path = filepath.Clean(path)
	if !filepath.IsAbs(path) {
		path = filepath.Join(root, path)
	}
	var found []string
	for _, pair := range [][2]string{{root, path}, {resolve(root), resolve(path)}} {
		rel, err := filepath.Rel(pair[0], pair[1])
		if err == nil && filepath.IsLocal(rel) && rel != "." && (len(found) == 0 || found[0] != filepath.ToSlash(rel)) {
			found = append(found, filepath.ToSlash(rel))
		}
	}
	return found
}

// toAbs resolves path, taken from root if relative, into slashes.
func toAbs(root, path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(root, path)
	}
	return strings.TrimSuffix(filepath.ToSlash(resolve(path)), "/")
}

// resolve follows symbolic links in the part of path that exists.
func resolve(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		return real
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(resolve(parent), filepath.Base(path))
}
