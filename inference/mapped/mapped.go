// Package mapped reads files through memory maps: their pages come from the
// disk when they are touched, are shared between processes and can be given
// back. It must not import any other package of ours.
package mapped

import (
	"fmt"
	"os"

	"github.com/edsrzf/mmap-go"
)

// File is a file mapped read-only.
type File struct {
	data mmap.MMap
}

// Open maps a file. An empty file has no bytes and no map.
func Open(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // the map outlives the descriptor
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() == 0 {
		return &File{}, nil
	}
	data, err := mmap.Map(f, mmap.RDONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("map %s into memory: %w", path, err)
	}
	return &File{data: data}, nil
}

// Bytes are the file's content, valid until Close. Writing to them crashes.
func (f *File) Bytes() []byte { return f.data }

// Release tells the system that the pages are not needed for now. They come
// back from the file when they are touched again.
func (f *File) Release() { Release(f.data) }

// Close ends the map.
func (f *File) Close() error {
	if f == nil || f.data == nil {
		return nil
	}
	return f.data.Unmap()
}
