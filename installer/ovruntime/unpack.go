package ovruntime

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"

	"dragoman/inference/openvino/locate"
)

// unpacked is what unpack made in a folder.
type unpacked struct {
	version locate.Version
	files   []File // sorted by path
}

// unpack takes the libraries that dragoman needs for goos and goarch and the
// licences out of archive into the folder dir, which must be empty, and syncs
// them to disk. What is left in dir after an error is of no use.
func unpack(ctx context.Context, archive, dir, goos, goarch string, b bounds, progress func(done, total int64)) (unpacked, error) {
	files := map[string]File{}
	var names []string // of libraries, in the archive's order
	var said locate.Version
	otherSystem := ""
	left := b.total
	err := walk(ctx, archive, b, progress, func(e entry) error {
		if said.IsZero() && distInfo.MatchString(e.name) {
			said = locate.ParseVersion(e.name)
		}
		what, target := classify(goos, e.name)
		switch what {
		case kindNone:
			if other := otherSystemOf(goos); other != "" {
				if k, name := classify(other, e.name); k == kindLibrary && essential[other][0].MatchString(name) {
					otherSystem = other
				}
			}
			return nil
		case kindVersion:
			text, err := readSmall(e)
			said = locate.ParseVersion(text)
			return err
		case kindLibrary:
			if _, twice := files[target]; twice {
				return nil
			}
			names = append(names, target)
		}
		file, err := writeFile(ctx, e, dir, target, min(left, b.file))
		if err != nil {
			return err
		}
		left -= file.Size
		files[target] = file
		return nil
	})
	if err != nil {
		return unpacked{}, err
	}
	if len(names) == 0 && otherSystem != "" {
		return unpacked{}, fmt.Errorf("%s is OpenVINO for %s, and this machine runs %s", archive, otherSystem, goos)
	}
	if err := keepNeeded(dir, goos, goarch, names, files); err != nil {
		return unpacked{}, fmt.Errorf("%s: %w", archive, err)
	}
	u := unpacked{version: said}
	for _, file := range files {
		u.files = append(u.files, file)
	}
	slices.SortFunc(u.files, func(a, b File) int {
		if a.Path < b.Path {
			return -1
		}
		return 1
	})
	for _, file := range u.files {
		if err := syncFile(filepath.Join(dir, filepath.FromSlash(file.Path))); err != nil {
			return unpacked{}, fmt.Errorf("write %s: %w", file.Path, err)
		}
	}
	return u, nil
}

func otherSystemOf(goos string) string {
	switch goos {
	case "linux":
		return "windows"
	case "windows":
		return "linux"
	}
	return ""
}

// keepNeeded gives the libraries called names in dir the names that others ask
// for, removes those that no root needs, and checks that the essential ones are
// there and made for goarch. files loses what is removed.
func keepNeeded(dir, goos, goarch string, names []string, files map[string]File) error {
	binaries := map[string]sharedLibrary{}
	for _, name := range names {
		b, err := inspect(filepath.Join(dir, name), goos)
		if err != nil {
			return fmt.Errorf("%s is not a library: %w", name, err)
		}
		if b.soname != "" && b.soname != name && libraries[goos].MatchString(b.soname) {
			if err := os.Rename(filepath.Join(dir, name), filepath.Join(dir, b.soname)); err != nil {
				return err
			}
			file := files[name]
			delete(files, name)
			file.Path = b.soname
			files[b.soname] = file
			name = b.soname
		}
		binaries[name] = b
	}

	keep := map[string]bool{}
	var add func(name string)
	add = func(name string) {
		b, there := binaries[name]
		if !there || keep[name] {
			return // not there: the system's
		}
		keep[name] = true
		for _, needed := range b.needed {
			add(needed)
		}
	}
	for name := range binaries {
		if roots[goos].MatchString(name) {
			add(name)
		}
	}
	for name := range binaries {
		if keep[name] {
			continue
		}
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			return err
		}
		delete(files, name)
	}

	for _, pattern := range essential[goos] {
		found := false
		for name := range keep {
			if !pattern.MatchString(name) {
				continue
			}
			found = true
			if machine := binaries[name].machine; machine != goarch {
				return fmt.Errorf("it is OpenVINO for %s/%s, and this machine is %s/%s", goos, machine, goos, goarch)
			}
		}
		if !found {
			return fmt.Errorf("it is not a whole OpenVINO for %s: nothing in it is called like %s", goos, pattern)
		}
	}
	return nil
}

// writeFile unpacks e to dir/target, of at most limit bytes.
func writeFile(ctx context.Context, e entry, dir, target string, limit int64) (File, error) {
	r, err := e.open()
	if err != nil {
		return File{}, err
	}
	defer r.Close()
	path := filepath.Join(dir, filepath.FromSlash(target))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return File{}, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return File{}, err
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(f, sum), &interruptible{ctx, &limited{r: r, left: limit}})
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return File{}, err
	}
	return File{Path: target, Size: n, SHA256: hexSum(sum)}, nil
}

func readSmall(e entry) (string, error) {
	r, err := e.open()
	if err != nil {
		return "", err
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, 4096))
	return string(text), err
}

// interruptible ends a long copy when its context does. It lives for one call.
type interruptible struct {
	ctx context.Context
	r   io.Reader
}

func (i *interruptible) Read(p []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	return i.r.Read(p)
}

func hexSum(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }
