package ovruntime

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"dragoman/inference/openvino/locate"

	"github.com/gofrs/flock"
)

// The names in DATA/runtime that are no runtime's.
const (
	temporary = ".tmp-"   // what is being made
	trash     = ".trash-" // what is being removed
	lockFile  = ".lock"   // held during an installation
)

// Phase is a part of an installation.
type Phase string

// The phases, in their order; an installation may leave any out.
const (
	PhaseWait     Phase = "waiting for another installation"
	PhaseDownload Phase = "downloading"
	PhaseUnpack   Phase = "unpacking"
	PhaseVerify   Phase = "verifying"
)

// Progress says how far an installation is. Done and Total are bytes of the
// phase's input; a Total of 0 means that no amount is known.
type Progress struct {
	Phase       Phase
	Done, Total int64
}

// Options say what to install and where.
type Options struct {
	// DataDir is dragoman's data folder; the runtime goes below its runtime/.
	DataDir string
	// From is a wheel or one of Intel's archives (.whl, .zip, .tgz); "" has pip
	// download the pinned wheel.
	From string
	// GOOS and GOARCH are what the runtime is for; "" is this machine.
	GOOS, GOARCH string
	// Pythons are the interpreters to try for pip; nil tries the usual names.
	Pythons []string
	// Progress is called often, from one goroutine at a time; nil is allowed.
	Progress func(Progress)
}

// Result says what an installation did.
type Result struct {
	Dir      string // the runtime's folder, now in use
	Manifest Manifest
	// Reused tells that this very runtime was there and whole, so that nothing
	// was unpacked.
	Reused bool
	// Previous is the folder that was in use before, "" if there was none. It is
	// kept unless it is Dir.
	Previous string
}

// Install makes the runtime of o the one in use. Two calls at the same time, in
// whatever processes, go one after the other. After an error, or a kill, the
// runtime that was in use still is.
func Install(ctx context.Context, o Options) (Result, error) {
	o = o.complete()
	root := filepath.Join(o.DataDir, locate.RuntimeFolder)
	if err := os.MkdirAll(root, 0o755); err != nil {
		return Result{}, fmt.Errorf("install the OpenVINO runtime: %w", err)
	}
	unlock, err := o.lock(ctx, root)
	if err != nil {
		return Result{}, fmt.Errorf("install the OpenVINO runtime: %w", err)
	}
	defer unlock()
	if err := sweep(root); err != nil {
		return Result{}, fmt.Errorf("install the OpenVINO runtime: %w", err)
	}
	work, err := os.MkdirTemp(root, temporary)
	if err != nil {
		return Result{}, fmt.Errorf("install the OpenVINO runtime: %w", err)
	}
	defer os.RemoveAll(work) // what cannot be removed now, the next sweep removes
	result, err := o.install(ctx, root, work)
	if err != nil {
		return Result{}, fmt.Errorf("install the OpenVINO runtime: %w", err)
	}
	return result, nil
}

func (o Options) complete() Options {
	if o.GOOS == "" {
		o.GOOS = runtime.GOOS
	}
	if o.GOARCH == "" {
		o.GOARCH = runtime.GOARCH
	}
	if o.Pythons == nil {
		o.Pythons = interpreters(runtime.GOOS)
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	return o
}

func (o Options) report(phase Phase) func(done, total int64) {
	return func(done, total int64) { o.Progress(Progress{phase, done, total}) }
}

func (o Options) install(ctx context.Context, root, work string) (Result, error) {
	if o.GOOS != "linux" && o.GOOS != "windows" {
		return Result{}, fmt.Errorf("dragoman knows no OpenVINO for %s: name one in %s", o.GOOS, locate.EnvRuntime)
	}
	archive := o.From
	var sum string
	if archive == "" {
		pin, err := PinFor(o.GOOS, o.GOARCH)
		if err != nil {
			return Result{}, err
		}
		sum = pin.SHA256
		if dir, m, found := o.installed(root, sum); found {
			return o.use(root, dir, m, true)
		}
		if archive, err = download(ctx, work, pin, o.Pythons, o.report(PhaseDownload)); err != nil {
			return Result{}, err
		}
	} else {
		var err error
		if sum, _, err = sumFile(archive); err != nil {
			return Result{}, err
		}
		if dir, m, found := o.installed(root, sum); found {
			return o.use(root, dir, m, true)
		}
	}

	made := filepath.Join(work, "runtime")
	if err := os.Mkdir(made, 0o755); err != nil {
		return Result{}, err
	}
	content, err := unpack(ctx, archive, made, o.GOOS, o.GOARCH, defaultBounds, o.report(PhaseUnpack))
	if err != nil {
		return Result{}, err
	}
	m := Manifest{
		GOOS: o.GOOS, GOARCH: o.GOARCH, Source: filepath.Base(archive),
		SourceSHA256: sum, Pinned: isPinned(sum), Files: content.files,
	}
	if m.Version, err = o.release(made, archive, content.version); err != nil {
		return Result{}, err
	}
	dir, err := o.publish(root, made, m)
	if err != nil {
		return Result{}, err
	}
	return o.use(root, dir, m, false)
}

// release tells the version of the unpacked libraries in dir, by their names
// where these tell (Linux), else by what the archive says of itself, and refuses
// those that the binding cannot talk to.
func (o Options) release(dir, archive string, said locate.Version) (string, error) {
	v := said
	all := locate.All(locate.Options{
		Getenv: func(string) string { return "" }, Configured: dir,
		LibraryDirs: []string{}, GOOS: o.GOOS, GOARCH: o.GOARCH,
	})
	if len(all) > 0 && !all[0].Version.IsZero() {
		v = all[0].Version
	}
	if v.IsZero() {
		v = locate.ParseVersion(filepath.Base(archive))
	}
	if v.IsZero() {
		return "", fmt.Errorf("%s does not say which release of OpenVINO it is: use an unchanged wheel or archive under its own name", archive)
	}
	if v.Less(locate.Oldest) {
		return "", fmt.Errorf("%s is OpenVINO %s, and dragoman needs %d.%d or later: use %s", archive, v, locate.Oldest.Year, locate.Oldest.Release, PinnedVersion)
	}
	return v.String(), nil
}

// publish completes the runtime in made, checks what is on the disk and gives
// the folder its name in root.
func (o Options) publish(root, made string, m Manifest) (string, error) {
	if err := m.write(made); err != nil {
		return "", err
	}
	// Made now, since Hold may later run where the folder cannot be written.
	if err := writeSynced(filepath.Join(made, holdFile), nil); err != nil {
		return "", err
	}
	if err := o.verify(made, m); err != nil {
		return "", err
	}
	if err := syncTree(made); err != nil {
		return "", err
	}
	base := m.Version + "-" + m.SourceSHA256[:12]
	dir := filepath.Join(root, base)
	// A folder of that name is damaged, or installed would have found it. It may
	// still be in use, so that the good one gets another name.
	for n := 2; ; n++ {
		if _, err := os.Lstat(dir); errors.Is(err, os.ErrNotExist) {
			break
		}
		dir = filepath.Join(root, fmt.Sprintf("%s.%d", base, n))
	}
	if err := rename(made, dir); err != nil {
		return "", err
	}
	return dir, syncDir(root)
}

func (o Options) verify(dir string, m Manifest) error {
	o.Progress(Progress{PhaseVerify, 0, m.Bytes()})
	if err := Verify(dir); err != nil {
		return err
	}
	o.Progress(Progress{PhaseVerify, m.Bytes(), m.Bytes()})
	return nil
}

// installed returns a whole runtime in root that came from the file with this
// checksum and is for this machine.
func (o Options) installed(root, sum string) (string, Manifest, bool) {
	for _, dir := range runtimes(root) {
		m, err := ReadManifest(dir)
		if err != nil || m.SourceSHA256 != sum || m.GOOS != o.GOOS || m.GOARCH != o.GOARCH {
			continue
		}
		if o.verify(dir, m) == nil {
			return dir, m, true
		}
	}
	return "", Manifest{}, false
}

// use makes dir the runtime in use and removes all but it and the one before.
func (o Options) use(root, dir string, m Manifest, reused bool) (Result, error) {
	previous, err := locate.Current(o.DataDir)
	if err != nil {
		previous = "" // a choice that cannot be read is replaced
	}
	r := Result{Dir: dir, Manifest: m, Reused: reused, Previous: previous}
	if previous == dir {
		return r, nil
	}
	if err := replaceFile(filepath.Join(root, locate.CurrentFile), []byte(filepath.Base(dir)+"\n")); err != nil {
		return Result{}, err
	}
	for _, old := range runtimes(root) {
		if old == dir || old == previous || held(old) {
			continue
		}
		discard(root, old)
	}
	return r, nil
}

// discard removes a runtime. It takes the name away first, in one step, so that
// no half of a runtime is ever found; where that is refused, as by Windows for
// libraries in use, the runtime stays until a later installation.
func discard(root, dir string) {
	gone := filepath.Join(root, trash+filepath.Base(dir))
	if os.Rename(dir, gone) == nil {
		_ = os.RemoveAll(gone) // the rest is for the next sweep
	}
}

// sweep removes what an interrupted installation left behind.
func sweep(root string) error {
	entries, err := os.ReadDir(root)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), temporary) || strings.HasPrefix(entry.Name(), trash) {
			if err := os.RemoveAll(filepath.Join(root, entry.Name())); err != nil && runtime.GOOS != "windows" {
				return err // on Windows a library in trash may be in use
			}
		}
	}
	return nil
}

// runtimes returns the folders in root that are runtimes by their name.
func runtimes(root string) []string {
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil
	}
	var dirs []string
	for _, entry := range entries {
		if entry.IsDir() && !strings.HasPrefix(entry.Name(), ".") && !locate.ParseVersion(entry.Name()).IsZero() {
			dirs = append(dirs, filepath.Join(root, entry.Name()))
		}
	}
	return dirs
}

// lock waits until no other installation is at work.
func (o Options) lock(ctx context.Context, root string) (unlock func(), err error) {
	lock := flock.New(filepath.Join(root, lockFile))
	ok, err := lock.TryLock()
	if err == nil && !ok {
		o.Progress(Progress{Phase: PhaseWait})
		ok, err = lock.TryLockContext(ctx, 100*time.Millisecond)
	}
	if err != nil || !ok {
		return nil, fmt.Errorf("wait for another installation in %s: %w", root, err)
	}
	return func() { _ = lock.Close() }, nil
}
