package ovruntime

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// bounds limit what an archive may make us do, since --from takes any file.
// They are bytes, but for entries.
type bounds struct {
	entries int   // in the archive
	file    int64 // one unpacked file
	total   int64 // all unpacked files together
	stream  int64 // a tar's whole stream, with what is passed over
}

// defaultBounds are several times what the largest known archive has.
var defaultBounds = bounds{entries: 50_000, file: 1 << 30, total: 3 << 30, stream: 16 << 30}

// entry is a regular file in an archive. Its name is a clean relative path with
// slashes.
type entry struct {
	name string
	open func() (io.ReadCloser, error)
}

// walk calls visit for each regular file of the zip (also a wheel) or gzipped
// tar at file, in the archive's order, and progress with the archive's bytes
// that are done with. Links and devices are passed over, never made, so none
// can lead out of a folder; a path that leads out is an error.
func walk(ctx context.Context, file string, b bounds, progress func(done, total int64), visit func(entry) error) error {
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("open the archive: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("open the archive: %w", err)
	}
	magic := make([]byte, 4)
	if _, err := f.ReadAt(magic, 0); err != nil {
		return fmt.Errorf("%s is not a wheel or an archive of OpenVINO (.whl, .zip, .tgz)", file)
	}
	switch {
	case string(magic) == "PK\x03\x04":
		err = walkZip(ctx, f, info.Size(), b, progress, visit)
	case magic[0] == 0x1f && magic[1] == 0x8b:
		err = walkTar(ctx, f, info.Size(), b, progress, visit)
	default:
		return fmt.Errorf("%s is not a wheel or an archive of OpenVINO (.whl, .zip, .tgz)", file)
	}
	if err != nil {
		return fmt.Errorf("unpack %s: %w", file, err)
	}
	return nil
}

func walkZip(ctx context.Context, f io.ReaderAt, size int64, b bounds, progress func(done, total int64), visit func(entry) error) error {
	archive, err := zip.NewReader(f, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // cleanName says which
		return fmt.Errorf("the file is damaged or not complete: %w", err)
	}
	if len(archive.File) > b.entries {
		return fmt.Errorf("it has %d entries, more than the %d that are allowed", len(archive.File), b.entries)
	}
	var done int64
	for _, file := range archive.File {
		if err := ctx.Err(); err != nil {
			return err
		}
		name, err := cleanName(file.Name)
		if err != nil {
			return err
		}
		if file.Mode().IsRegular() {
			if err := visit(entry{name, file.Open}); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		done += int64(file.CompressedSize64)
		progress(min(done, size), size)
	}
	return nil
}

func walkTar(ctx context.Context, f io.Reader, size int64, b bounds, progress func(done, total int64), visit func(entry) error) error {
	compressed := &counter{r: f}
	unzipped, err := gzip.NewReader(compressed)
	if err != nil {
		return fmt.Errorf("the file is damaged or not complete: %w", err)
	}
	stream := &limited{r: unzipped, left: b.stream}
	archive := tar.NewReader(stream)
	for entries := 0; ; entries++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			return fmt.Errorf("the file is damaged or not complete: %w", err)
		}
		if entries >= b.entries {
			return fmt.Errorf("it has more than the %d entries that are allowed", b.entries)
		}
		name, err := cleanName(header.Name)
		if err != nil {
			return err
		}
		if header.Typeflag == tar.TypeReg {
			open := func() (io.ReadCloser, error) { return io.NopCloser(archive), nil }
			if err := visit(entry{name, open}); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		progress(min(compressed.n, size), size)
	}
	// gzip's checksum comes after the last byte, and tar stops before it.
	if _, err := io.Copy(io.Discard, stream); err != nil {
		return fmt.Errorf("the file is damaged or not complete: %w", err)
	}
	progress(size, size)
	return nil
}

// cleanName refuses names that lead out of the folder on any system.
func cleanName(name string) (string, error) {
	clean := path.Clean(strings.TrimSuffix(name, "/"))
	bad := strings.ContainsAny(name, "\\:\x00") || path.IsAbs(name) || !filepath.IsLocal(clean)
	for _, part := range strings.Split(name, "/") {
		bad = bad || part == ".."
	}
	if bad {
		return "", fmt.Errorf("it holds the path %q, which leads out of its folder: do not use this file", name)
	}
	return clean, nil
}

type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// limited fails where io.LimitReader would pretend an end.
type limited struct {
	r    io.Reader
	left int64
}

var errTooLarge = errors.New("it unpacks to more than is allowed")

func (l *limited) Read(p []byte) (int, error) {
	if l.left < 0 {
		return 0, errTooLarge
	}
	if int64(len(p)) > l.left+1 {
		p = p[:l.left+1]
	}
	n, err := l.r.Read(p)
	l.left -= int64(n)
	if l.left < 0 {
		return n, errTooLarge
	}
	return n, err
}
