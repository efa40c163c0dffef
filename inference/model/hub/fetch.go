package hub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"dragoman/internal/english"
)

// partSuffix is of files that are not whole yet.
const partSuffix = ".part"

// fetch brings one file into dir, where an earlier call may have begun it.
func (p *puller) fetch(ctx context.Context, dir string, f File) error {
	path := filepath.Join(dir, f.Path)
	switch whole, err := sameFile(ctx, path, f); {
	case err != nil:
		return err
	case whole:
		p.had(f.Size)
		return nil
	}
	part, err := openPart(ctx, path+partSuffix, f)
	if err != nil {
		return err
	}
	defer part.Close()
	p.had(part.size)
	wrong := 0
	err = p.patiently(ctx, f.Path, func() error {
		before := part.size
		err := p.fetchRest(ctx, part, f)
		if err == nil && !f.Sum.is(part.hash) {
			// Once may be a file that changed between two requests.
			if wrong++; wrong > 1 {
				return permanent{errors.Join(errDamaged, p.again(part, f))}
			}
			return errors.Join(errDamaged, p.again(part, f))
		}
		if err != nil && part.size > before {
			return progress{err}
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := errors.Join(part.Sync(), part.Close()); err != nil {
		return fmt.Errorf("%s: %w", f.Path, err)
	}
	return os.Rename(path+partSuffix, path)
}

var errDamaged = errors.New("what came has not the checksum that the hub promises")

// again begins the file from nothing.
func (p *puller) again(part *part, f File) error {
	p.had(-part.size)
	return part.reset(f)
}

// fetchRest asks for what is missing of a file.
func (p *puller) fetchRest(ctx context.Context, part *part, f File) error {
	if part.size == f.Size {
		return nil
	}
	ctx, watch := p.watch(ctx)
	defer watch.stop()
	header := http.Header{}
	if part.size > 0 {
		header.Set("Range", fmt.Sprintf("bytes=%d-", part.size))
	}
	response, err := p.get(ctx, p.address(f), header)
	if err != nil {
		return watch.explain(err)
	}
	defer response.Body.Close()
	switch response.StatusCode {
	case http.StatusOK: // from the start, whatever was asked for
		if part.size > 0 {
			if err := p.again(part, f); err != nil {
				return permanent{err}
			}
		}
	case http.StatusPartialContent:
		if at, total, ok := contentRange(response.Header.Get("Content-Range")); !ok || at != part.size || total != f.Size {
			if err := p.again(part, f); err != nil {
				return permanent{err}
			}
			return fmt.Errorf("the hub answers another part than was asked for (%q)", english.Short(response.Header.Get("Content-Range"), shownName))
		}
	case http.StatusRequestedRangeNotSatisfiable: // the file is shorter now
		if err := p.again(part, f); err != nil {
			return permanent{err}
		}
		return errors.New("the file on the hub is shorter than the part that is here")
	default:
		return statusError(response, f.Path)
	}
	return p.copy(part, watch, response.Body, f)
}

func (p *puller) copy(part *part, watch *watcher, body io.Reader, f File) error {
	r := watch.reader(body)
	sums := newSummer(part.hash)
	defer sums.end()
	for {
		buffer := <-sums.free
		// Whether more comes than was promised does not matter.
		n, err := r.Read(buffer[:min(int64(len(buffer)), f.Size-part.size)])
		written, failed := part.Write(buffer[:n])
		sums.add(buffer[:written])
		if failed != nil {
			return permanent{failed}
		}
		p.came(int64(n))
		switch {
		case part.size == f.Size:
			return nil
		case errors.Is(err, io.EOF):
			return fmt.Errorf("the connection ended after %d of %d bytes", part.size, f.Size)
		case err != nil:
			return watch.explain(err)
		}
	}
}

// address of a file's content.
func (p *puller) address(f File) string {
	return p.hub.JoinPath(p.model.Repository, "resolve", p.revision, f.Path).String()
}

// contentRange reads "bytes first-last/total" (RFC 9110, 14.4).
func contentRange(value string) (first, total int64, ok bool) {
	value, found := strings.CutPrefix(value, "bytes ")
	span, size, cut := strings.Cut(value, "/")
	from, _, dash := strings.Cut(span, "-")
	first, err1 := strconv.ParseInt(from, 10, 64)
	total, err2 := strconv.ParseInt(size, 10, 64)
	return first, total, found && cut && dash && err1 == nil && err2 == nil
}

// sameFile tells whether path is f. It is no error where there is none.
func sameFile(ctx context.Context, path string, f File) (bool, error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || info.Size() != f.Size {
		return false, err
	}
	h := f.Sum.hash(f.Size)
	if _, err := io.Copy(h, ending{ctx, file}); err != nil {
		return false, err
	}
	return f.Sum.is(h), nil
}

// ending reads until its context ends: gigabytes are read for their checksums, and
// nobody who ends a pull waits for that.
type ending struct {
	ctx context.Context
	io.Reader
}

func (e ending) Read(p []byte) (int, error) {
	if e.ctx.Err() != nil {
		return 0, context.Cause(e.ctx)
	}
	return e.Reader.Read(p)
}
