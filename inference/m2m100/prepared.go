package m2m100

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dragoman/inference/mapped"
)

// Prepared is a model whose graphs are written in a folder.
type Prepared struct {
	Dir    string
	Recipe string // its formats of weights
	Bytes  int64
	Used   time.Time // by the last start
	Old    bool      // of another version of the writer: no start uses it any more
}

// ListPrepared finds the prepared models below parent. What was not finished is
// none.
func ListPrepared(parent string) (all []Prepared) {
	manifests, _ := filepath.Glob(filepath.Join(parent, "*", manifestFile)) // the pattern is sound
	for _, path := range manifests {
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		p := Prepared{Dir: filepath.Dir(path), Bytes: info.Size(), Used: info.ModTime()}
		if strings.HasPrefix(filepath.Base(p.Dir), unfinishedMark) {
			continue
		}
		m, err := readManifest(p.Dir)
		p.Recipe, p.Old = m.Recipe, err != nil || m.Version != graphVersion
		for _, f := range m.Files {
			p.Bytes += f.Size
		}
		all = append(all, p)
	}
	return all
}

// Unused says that no start has used the model for so long that Prepare would
// remove it when it writes another.
func (p Prepared) Unused(now time.Time) bool { return now.Sub(p.Used) >= UnusedAfter }

// Check reads all files of the model and tells which is damaged or missing. A
// model with one is written anew when it is needed next.
func (p Prepared) Check() error {
	m, err := readManifest(p.Dir)
	if err != nil {
		return fmt.Errorf("%w: %s: %w", errDamaged, filepath.Join(p.Dir, manifestFile), err)
	}
	for name, file := range m.Files {
		if err := file.checkFile(filepath.Join(p.Dir, name)); err != nil {
			return err
		}
	}
	return nil
}

func (w written) checkFile(path string) error {
	f, err := mapped.Open(path)
	if err != nil {
		return fmt.Errorf("%w: %w", errDamaged, err)
	}
	defer f.Close()
	return w.check(path, f.Bytes())
}

// Doubt has the next start write the model anew.
func (p Prepared) Doubt() error { return os.Remove(filepath.Join(p.Dir, manifestFile)) }

// Remove deletes the model, unless a process is writing it.
func (p Prepared) Remove() error { return removePrepared(p.Dir) }
