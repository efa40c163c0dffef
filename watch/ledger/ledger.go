// Package ledger remembers, in a small file in the output folder, which input
// was translated into which output, so that a restart does nothing twice and
// misses nothing that changed while the program was stopped.
//
// It is for programs that work alone; the daemon keeps its jobs in a database.
// It must not import the sources, the daemon or the translator.
package ledger

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"dragoman/watch/document"
)

// ErrBusy is returned by Open when another process holds the same ledger.
var ErrBusy = errors.New("another dragoman translates into this folder")

// Ledger is the memory of one output folder and one target language. Its
// methods may be called from several goroutines.
type Ledger struct {
	dir     string // output folder
	file    string
	lang    string
	recipe  string
	lock    *Lock
	damaged int

	mu      sync.Mutex
	entries map[string]entry  // by input, below the watched folder, with slashes
	outputs map[string]string // folded output name to its input
	torn    bool              // the last append may have left half a line
}

// Open makes outputDir (not its parent) if needed, takes the ledger of lang in
// it and removes temporary files of killed processes. Recipe is whatever else
// shaped the outputs, such as source language and model: entries of another
// recipe are not up to date.
//
// A damaged ledger is no error: what cannot be read counts as not done, see
// Damaged. A folder that cannot be written is a *document.WriteError, a ledger
// in use ErrBusy.
func Open(outputDir, lang, recipe string) (*Ledger, error) {
	base, err := ownName(outputDir, lang)
	if err != nil {
		return nil, err
	}
	lock, err := TakeLock(outputDir, lang)
	if err != nil {
		return nil, err
	}
	l := &Ledger{
		dir: outputDir, file: base + ".jsonl", lang: lang, recipe: recipe, lock: lock,
		entries: map[string]entry{}, outputs: map[string]string{},
	}
	if err := l.load(); err != nil {
		lock.Release()
		return nil, err
	}
	if _, err := document.CleanTemps(outputDir); err != nil {
		lock.Release()
		return nil, err
	}
	return l, nil
}

// Close lets another process open the ledger. Everything recorded was written
// before.
func (l *Ledger) Close() error {
	if err := l.lock.Release(); err != nil {
		return fmt.Errorf("close the ledger of %s: %w", l.dir, err)
	}
	return nil
}

// Damaged returns how many lines of the file could not be read; their inputs
// are translated again.
func (l *Ledger) Damaged() int { return l.damaged }

// Output returns the path the translation of rel is written to. It is what
// document.OutputPath says, unless another input has that name already, also
// in another case or Unicode form, or has a folder or file of it: then the name
// carries a hash. The answer for one rel never changes while the ledger lives.
func (l *Ledger) Output(rel string) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	name, err := l.claim(rel)
	if err != nil {
		return "", err
	}
	return filepath.Join(l.dir, filepath.FromSlash(name)), nil
}

func (l *Ledger) claim(rel string) (string, error) {
	if e, ok := l.entries[rel]; ok {
		return e.Output, nil
	}
	for _, distinct := range []bool{false, true} {
		name, err := document.OutputName(rel, l.lang, distinct)
		if err != nil {
			return "", err
		}
		if l.free(name, rel) {
			l.put(rel, entry{Output: name}) // no hash yet: never up to date
			return name, nil
		}
	}
	return "", fmt.Errorf("name the translation of %q: its name is taken by another file; rename it", rel)
}

// free says whether name clashes with no output of another input.
func (l *Ledger) free(name, rel string) bool {
	folded := fold(name)
	if owner, taken := l.outputs[folded]; taken && owner != rel {
		return false
	}
	for dir := path.Dir(folded); dir != "."; dir = path.Dir(dir) {
		if owner, taken := l.outputs[dir]; taken && owner != isFolder {
			return false
		}
	}
	return true
}

// isFolder marks, among the outputs, a folder that outputs are in. No input has
// such a name: paths have no NUL.
const isFolder = "\x00"

func (l *Ledger) put(rel string, e entry) {
	l.entries[rel] = e
	folded := fold(e.Output)
	l.outputs[folded] = rel
	for dir := path.Dir(folded); dir != "."; dir = path.Dir(dir) {
		if _, taken := l.outputs[dir]; !taken {
			l.outputs[dir] = isFolder
		}
	}
}

// fold makes names equal that a case-insensitive or normalising file system
// takes for one.
func fold(name string) string { return cases.Fold().String(norm.NFC.String(name)) }

// UpToDate says whether in, the file rel lies at, was translated by this recipe
// in the state it has now and the output still exists. Size and time decide
// where they are as recorded; otherwise the content does, so that a file that
// was only touched is not translated again and a changed one with an old time is.
func (l *Ledger) UpToDate(ctx context.Context, rel, in string) (bool, error) {
	l.mu.Lock()
	e, ok := l.entries[rel]
	l.mu.Unlock()
	if !ok || e.SHA256 == "" || e.Recipe != l.recipe {
		return false, nil
	}
	out, err := os.Stat(filepath.Join(l.dir, filepath.FromSlash(e.Output)))
	if err != nil || !out.Mode().IsRegular() {
		return false, nil
	}
	info, err := os.Stat(in)
	if err != nil {
		return false, fmt.Errorf("compare %s with its translation: %w", in, err)
	}
	if info.Size() != e.Size {
		return false, nil
	}
	if info.ModTime().UnixNano() == e.MTime {
		return true, nil
	}
	if err := ctx.Err(); err != nil {
		return false, err
	}
	now, err := document.StampOf(in)
	if err != nil {
		return false, err
	}
	if now.SHA256 != e.SHA256 {
		return false, nil
	}
	return true, l.Record(rel, now) // the new time, so that the next look is quick
}

// Record remembers that the translation of rel, read with the given stamp, is
// complete at Output(rel). Call it after the output is in place: a kill between
// the two makes the work be done again, never lost.
func (l *Ledger) Record(rel string, source document.Stamp) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	name, err := l.claim(rel)
	if err != nil {
		return err
	}
	e := entry{
		Size: source.Size, MTime: source.ModTime.UnixNano(), SHA256: source.SHA256,
		Output: name, Recipe: l.recipe, Done: time.Now().UTC().Truncate(time.Second),
	}
	if err := l.append(rel, e); err != nil {
		return &document.WriteError{Dir: l.dir, Err: err}
	}
	l.put(rel, e)
	return nil
}

// append opens the file each time: the output folder may have been replaced by
// the user since. It does not wait for the disk; after a power cut the last
// lines may be missing and their inputs are translated again.
func (l *Ledger) append(rel string, e entry) error {
	line, err := e.line(rel)
	if err != nil {
		return err
	}
	if l.torn {
		line = append([]byte{'\n'}, line...)
	}
	f, err := os.OpenFile(l.file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	n, err := f.Write(line)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	l.torn = err != nil && n > 0
	return err
}

// load reads the file and writes it anew when it has damaged or many
// superseded lines. Entries whose output is gone are forgotten.
func (l *Ledger) load() error {
	raw, err := os.ReadFile(l.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the ledger %s: %w; remove it to translate everything again", l.file, err)
	}
	entries, lines, damaged := parse(raw)
	l.damaged = damaged
	dropped := 0
	for rel, e := range entries {
		out, err := os.Lstat(filepath.Join(l.dir, filepath.FromSlash(e.Output)))
		if err != nil || !out.Mode().IsRegular() || !l.free(e.Output, rel) {
			dropped++
			continue
		}
		l.put(rel, e)
	}
	if damaged == 0 && dropped == 0 && lines <= 2*len(entries)+100 {
		return nil
	}
	var compact []byte
	for rel, e := range l.entries {
		line, err := e.line(rel)
		if err != nil {
			return err
		}
		compact = append(compact, line...)
	}
	return document.WriteAtomic(l.file, compact, 0o600)
}
