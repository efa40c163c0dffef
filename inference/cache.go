package inference

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"dragoman/inference/blob"
	"dragoman/inference/m2m100"
	"dragoman/internal/english"
)

// Folders of the cache.
const (
	graphsFolder = "graphs"
	blobsFolder  = "blobs"
)

// CacheContent is what the cache holds: models as graphs with their weights, and
// what was compiled of these for a device.
type CacheContent struct {
	Prepared    []m2m100.Prepared
	Compiled    []blob.Listed
	Doubtful    int // compiled graphs that were set aside
	DoubtfulLen int64
	Left        int // folders that killed programs left, or that were found damaged
	LeftLen     int64
}

// Bytes is the size of everything.
func (c CacheContent) Bytes() (n int64) {
	for _, p := range c.Prepared {
		n += p.Bytes
	}
	for _, b := range c.Compiled {
		n += b.Bytes
	}
	return n + c.DoubtfulLen + c.LeftLen
}

// store opens the compiled graphs; nil where there are none.
func (c Cache) store() *blob.Store {
	dir := filepath.Join(c.Dir, blobsFolder)
	if _, err := os.Stat(dir); err != nil {
		return nil
	}
	return blob.Open(dir, blob.Options{QuotaBytes: c.QuotaBytes})
}

// List tells what the cache holds. A folder that is not there holds nothing.
func (c Cache) List() CacheContent {
	content := CacheContent{Prepared: m2m100.ListPrepared(filepath.Join(c.Dir, graphsFolder))}
	for _, l := range c.left() {
		content.Left, content.LeftLen = content.Left+1, content.LeftLen+l.bytes
	}
	if s := c.store(); s != nil {
		content.Compiled = s.List()
		content.Doubtful, content.DoubtfulLen = s.Quarantined()
	}
	return content
}

// Verify reads everything and calls checked for each part, with what is wrong
// with it. What is damaged is put out of use, so that it is made anew.
func (c Cache) Verify(ctx context.Context, checked func(what string, bytes int64, err error)) error {
	for _, p := range m2m100.ListPrepared(filepath.Join(c.Dir, graphsFolder)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := p.Check()
		if err != nil && !p.Old {
			err = errors.Join(err, p.Doubt())
		}
		checked(p.Dir, p.Bytes, err)
	}
	s := c.store()
	if s == nil {
		return nil
	}
	for _, l := range s.List() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !l.Doubted {
			checked(l.Key.String(), l.Bytes, s.Check(l))
		}
	}
	return nil
}

// Removal is something that Prune removes, and why.
type Removal struct {
	What  string
	Why   string
	Bytes int64
	Err   error // it could not be removed
}

// Prune removes what nobody will use: models that no start has used for three
// months or that an older version wrote, what was compiled of models that are
// not prepared any more, with another OpenVINO than that of the build, "" where
// none is there, or not used for three months, what was found damaged, and what
// killed programs left. With
// all it removes everything that no process is using. Where try is set nothing
// is removed.
func (c Cache) Prune(build string, all, try bool) (removed []Removal) {
	now := time.Now()
	kept := map[string]bool{}
	for _, p := range m2m100.ListPrepared(filepath.Join(c.Dir, graphsFolder)) {
		r := Removal{What: "prepared model " + filepath.Base(p.Dir), Bytes: p.Bytes}
		switch {
		case all:
			r.Why = "all was asked for"
		case p.Old:
			r.Why = "another version of dragoman wrote it"
		case p.Unused(now):
			r.Why = "not used since " + p.Used.Format(time.DateOnly)
		default:
			kept[filepath.Base(p.Dir)] = true
			continue
		}
		if !try {
			r.Err = p.Remove()
		}
		removed = append(removed, r)
	}
	for _, l := range c.left() {
		r := Removal{What: filepath.Base(l.dir), Why: "a program was killed while it wrote it, or it was found damaged", Bytes: l.bytes}
		if !try {
			r.Err = l.remove()
		}
		removed = append(removed, r)
	}
	s := c.store()
	if s == nil {
		return removed
	}
	for _, l := range s.List() {
		why := unwanted(l, build, kept, now)
		if all {
			why = "all was asked for"
		}
		if why == "" {
			continue
		}
		r := Removal{What: "compiled graph " + l.Key.String()[:12], Why: why, Bytes: l.Bytes}
		if l.Known {
			r.What = fmt.Sprintf("%s of %s for %s", l.About.Graph, l.About.Model, deviceOf(l.About))
		}
		if !try && !s.Remove(l) {
			r.Err = errors.New("it is in use, or the folder cannot be written")
		}
		removed = append(removed, r)
	}
	files, bytes := s.Quarantined()
	if files > 0 {
		if !try {
			s.ClearQuarantine()
		}
		removed = append(removed, Removal{What: english.Count(files, "file") + " set aside", Why: "they were damaged or refused", Bytes: bytes})
	}
	return removed
}

// unwanted is why nobody will use a compiled graph, "" where someone may.
func unwanted(l blob.Listed, build string, prepared map[string]bool, now time.Time) string {
	switch {
	case l.Doubted:
		return "it was damaged or refused"
	case l.Known && !prepared[l.About.Prepared]:
		return "its model is not prepared any more"
	case l.Known && build != "" && l.About.Runtime != build:
		return "another OpenVINO made it: " + l.About.Runtime
	case now.Sub(l.Used) >= m2m100.UnusedAfter:
		return "not used since " + l.Used.Format(time.DateOnly)
	}
	return ""
}

func deviceOf(a blob.About) string {
	if a.Architecture == "" {
		return a.Device
	}
	return a.Device + " " + a.Architecture
}
