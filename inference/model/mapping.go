package model

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"sync"

	"github.com/edsrzf/mmap-go"

	"dragoman/inference/mapped"
)

// mapping is one weights file, open and mapped read-only. Headers and hashes
// are read through the file, where a file that shrinks gives an error; only
// tensors are read through the map.
type mapping struct {
	path  string
	file  *os.File
	stamp fileStamp

	mu   sync.RWMutex // held for reading while a tensor is read, for writing by close
	data mmap.MMap    // nil once closed
}

func openMapping(path string) (*mapping, error) {
	f, stamp, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	data, err := mmap.Map(f, mmap.RDONLY, 0)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("map %s (%d bytes) into memory: %w", path, stamp.size, err)
	}
	if int64(len(data)) != stamp.size {
		data.Unmap()
		f.Close()
		return nil, fmt.Errorf("map %s: its size changed from %d to %d bytes while it was opened: try again when it is complete",
			path, stamp.size, len(data))
	}
	return &mapping{path: path, file: f, stamp: stamp, data: data}, nil
}

// read gives use the n bytes at off, which must not be kept. A file that was
// cut short, or a disk that failed, after the file was mapped is an error here
// and not the end of the process.
func (m *mapping) read(off, n int64, use func([]byte)) (err error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.data == nil {
		return fmt.Errorf("read %s: %w", m.path, os.ErrClosed)
	}
	if off < 0 || n < 0 || off > int64(len(m.data)) || n > int64(len(m.data))-off {
		return fmt.Errorf("read %s: bytes %d to %d are outside its %d bytes", m.path, off, off+n, len(m.data))
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		// A page that cannot be read faults with its address; any other
		// panic is a mistake of ours.
		if fault, ok := r.(interface{ Addr() uintptr }); !ok || fault.Addr() == 0 {
			panic(r)
		}
		err = fmt.Errorf("read %s, bytes %d to %d: the file was cut short or its disk failed while it was in use",
			m.path, off, off+n)
	}()
	use(m.data[off : off+n])
	return nil
}

// release lets the system take back the memory of pages already read.
func (m *mapping) release() {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.data != nil {
		mapped.Release(m.data)
	}
}

func (m *mapping) close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.data == nil {
		return nil
	}
	err := errors.Join(m.data.Unmap(), m.file.Close())
	m.data = nil
	return err
}
