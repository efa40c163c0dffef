package model

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// What to do about a file that contradicts itself.
const damaged = "the file is damaged or cut short: download or export it again"

// fileStamp is what tells one state of a file from another without reading it.
type fileStamp struct {
	name  string // base name
	size  int64
	mtime int64  // ns since 1970
	id    string // device, inode and change time, or volume and file index
}

// openRegular opens a file for reading and refuses what is not one: opening
// a pipe would wait, and a folder's error would come late and unclear.
func openRegular(path string) (*os.File, fileStamp, error) {
	fi, err := os.Stat(path)
	if err != nil {
		return nil, fileStamp{}, fmt.Errorf("open checkpoint file: %w", err)
	}
	if fi.IsDir() {
		return nil, fileStamp{}, fmt.Errorf("open checkpoint file: %s is a directory, not a file", path)
	}
	if !fi.Mode().IsRegular() {
		return nil, fileStamp{}, fmt.Errorf("open checkpoint file: %s is not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fileStamp{}, fmt.Errorf("open checkpoint file: %w", err)
	}
	stamp, err := stampOf(f)
	if err != nil {
		f.Close()
		return nil, fileStamp{}, err
	}
	if stamp.size == 0 {
		f.Close()
		return nil, fileStamp{}, fmt.Errorf("read %s: the file is empty (0 bytes): download or export it again", path)
	}
	return f, stamp, nil
}

func stampOf(f *os.File) (fileStamp, error) {
	fi, err := f.Stat()
	if err != nil {
		return fileStamp{}, fmt.Errorf("look at checkpoint file: %w", err)
	}
	id, err := fileID(f)
	if err != nil {
		return fileStamp{}, fmt.Errorf("look at checkpoint file %s: %w", f.Name(), err)
	}
	return fileStamp{
		name:  filepath.Base(f.Name()),
		size:  fi.Size(),
		mtime: fi.ModTime().UnixNano(),
		id:    id,
	}, nil
}

// smallFile is a JSON file of a checkpoint, held in memory as it was when the
// checkpoint was opened.
type smallFile struct {
	path  string
	data  []byte
	stamp fileStamp
}

func readSmallFile(path string, limit int64) (*smallFile, error) {
	f, stamp, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if stamp.size > limit {
		return nil, fmt.Errorf("read %s: it has %d bytes, the limit is %d: this is not a checkpoint's file", path, stamp.size, limit)
	}
	data := make([]byte, stamp.size)
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return &smallFile{path: path, data: data, stamp: stamp}, nil
}

// lfsPointer reports whether a file begins like the text that Git leaves
// in place of a large file that was never fetched.
func lfsPointer(start []byte) bool {
	line, _, _ := bytes.Cut(start, []byte("\n"))
	return bytes.HasPrefix(line, []byte("version ")) && bytes.Contains(line, []byte("git-lfs"))
}
