package hub

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/gofrs/flock"

	"dragoman/inference/disk"
	"dragoman/internal/english"
)

// ImportOptions say which folder becomes a model of what name.
type ImportOptions struct {
	From string // a checkpoint in Hugging Face's layout, whose content the caller has checked
	Name string
	Dir  string // the folder of all models
	// Progress is called often, from one goroutine at a time; nil is allowed.
	Progress func(Progress)
	// Weights, where not nil, makes model.safetensors of a folder that has none but
	// weights of another kind.
	Weights *Weights
}

// Weights are made while a folder is imported.
type Weights struct {
	Bytes int64
	Write func(ctx context.Context, path string, came func(int64)) error
}

// namePattern is what a model may be called: a folder's name on every system.
var namePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

// CheckName refuses what cannot be a model's name.
func CheckName(name string) error {
	if !namePattern.MatchString(name) || strings.HasSuffix(name, ".") {
		return fmt.Errorf("%q cannot be a model's name: use at most 100 letters, digits, dots, dashes and underscores", english.Short(name, shownName))
	}
	return nil
}

// Import copies the files of a model that loading needs into the folder of
// models, where it appears whole or not at all. What is there of that name must
// be removed first.
func Import(ctx context.Context, o ImportOptions) (Manifest, error) {
	m, err := importFolder(ctx, o)
	if err != nil {
		return Manifest{}, fmt.Errorf("import model %s from %s: %w", o.Name, o.From, elsewhere(o.Dir, err))
	}
	return m, nil
}

// elsewhere says the way out where dir, the folder of models, cannot be written.
func elsewhere(dir string, err error) error {
	var at *os.PathError
	dir = filepath.Clean(dir)
	if !errors.As(err, &at) || !strings.HasPrefix(at.Path, dir) && !strings.HasPrefix(dir, at.Path) {
		return err // of what is read
	}
	if errors.Is(err, syscall.EROFS) || errors.Is(err, os.ErrPermission) {
		return fmt.Errorf("%w: choose a folder that can be written by DRAGOMAN_DATA", err)
	}
	return err
}

func importFolder(ctx context.Context, o ImportOptions) (Manifest, error) {
	if err := CheckName(o.Name); err != nil {
		return Manifest{}, err
	}
	names, total, err := modelFiles(o.From, o.Weights == nil)
	if err != nil {
		return Manifest{}, err
	}
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return Manifest{}, err
	}
	work, target := filepath.Join(o.Dir, markPulling+o.Name), filepath.Join(o.Dir, o.Name)
	lock := flock.New(work + ".lock")
	if got, err := lock.TryLock(); err != nil {
		return Manifest{}, fmt.Errorf("lock %s: %w", o.Dir, err)
	} else if !got {
		return Manifest{}, errBusy
	}
	defer func() { _ = lock.Unlock() }()
	if _, err := os.Lstat(target); err == nil {
		return Manifest{}, fmt.Errorf("there is a model of that name: choose another one by --name, or `dragoman models remove %s`", o.Name)
	}
	if err := os.RemoveAll(work); err != nil {
		return Manifest{}, err
	}
	if err := os.Mkdir(work, 0o755); err != nil {
		return Manifest{}, err
	}
	if o.Weights != nil {
		total += o.Weights.Bytes
	}
	m, err := copyModel(ctx, o, work, names, total)
	if err == nil {
		err = os.Rename(work, target)
	}
	if err != nil {
		return Manifest{}, errors.Join(err, os.RemoveAll(work))
	}
	return m, nil
}

// modelFiles are those in dir that loading reads, with the weights or without.
func modelFiles(dir string, withWeights bool) (names []string, total int64, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, 0, err
	}
	var l listing
	for _, entry := range entries {
		info, err := os.Stat(filepath.Join(dir, entry.Name())) // links are followed, as loading does
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		l.files = append(l.files, File{Path: entry.Name(), Size: info.Size(), Sum: sha256Sum(strings.Repeat("0", 64))})
	}
	files, err := l.choose(withWeights)
	for _, f := range files {
		names, total = append(names, f.Path), total+f.Size
	}
	slices.Sort(names)
	return names, total, err
}

func copyModel(ctx context.Context, o ImportOptions, work string, names []string, total int64) (Manifest, error) {
	free, err := disk.Free(work)
	if err != nil {
		return Manifest{}, err
	}
	if int64(free) < total+spare {
		return Manifest{}, noRoom(o.Dir, free, total)
	}
	p := Progress{Total: total}
	came := func(n int64) {
		p.Done += n
		if o.Progress != nil {
			o.Progress(p)
		}
	}
	for _, name := range names {
		if err := copyFile(ctx, filepath.Join(o.From, name), filepath.Join(work, name), came); err != nil {
			return Manifest{}, err
		}
	}
	if o.Weights != nil {
		if err := o.Weights.Write(ctx, filepath.Join(work, weights[0]), came); err != nil {
			return Manifest{}, err
		}
		names = append(names, weights[0])
	}
	return Describe(work, names)
}

func copyFile(ctx context.Context, from, to string, came func(int64)) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	for err == nil {
		var n int64
		if n, err = io.CopyN(out, in, 8<<20); n > 0 {
			came(n)
		}
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
	}
	if errors.Is(err, io.EOF) {
		err = out.Sync()
	}
	return errors.Join(err, out.Close())
}

// Remove takes a model away, and what was fetched of one. It is no error where
// there is nothing; removed says whether there was.
func Remove(dir, name string) (removed bool, err error) {
	if err := CheckName(name); err != nil {
		return false, err
	}
	work, target := filepath.Join(dir, markPulling+name), filepath.Join(dir, name)
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	lock := flock.New(work + ".lock")
	if got, err := lock.TryLock(); err != nil || !got {
		return false, fmt.Errorf("remove model %s: %w", name, cmp.Or(err, errBusy))
	}
	defer func() { _ = errors.Join(lock.Unlock(), os.Remove(lock.Path())) }()
	for _, at := range []string{target, work} {
		if _, err := os.Lstat(at); err != nil {
			continue
		}
		removed = true
		// Out of the way in one step: half a model must not look like one.
		gone := filepath.Join(dir, markPulling+name+".gone")
		if err := errors.Join(os.RemoveAll(gone), os.Rename(at, gone), os.RemoveAll(gone)); err != nil {
			return removed, fmt.Errorf("remove model %s: %w", name, err)
		}
	}
	return removed, nil
}

// Partial says how many bytes of a model were fetched and are waiting for the
// rest.
func Partial(dir, name string) (bytes int64) {
	entries, err := os.ReadDir(filepath.Join(dir, markPulling+name))
	if err != nil {
		return 0
	}
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil {
			bytes += info.Size()
		}
	}
	return bytes
}

// Begun are the names of the models that a pull has begun and not ended.
func Begun(dir string) (names []string) {
	entries, _ := os.ReadDir(dir) // without a folder none was begun
	for _, entry := range entries {
		if name, begun := strings.CutPrefix(entry.Name(), markPulling); begun && entry.IsDir() && CheckName(name) == nil {
			names = append(names, name)
		}
	}
	return names
}
