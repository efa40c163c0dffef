// Package blob keeps compiled models on disk, so that a device compiler that takes minutes has to run only once.
//
// It owns the folder of the store: names, locks between processes, checksums, quota, quarantine. It stores bytes under
// keys and knows nothing of the runtime that made them: it must import no package of this module but checksum and mapped.
//
// A blob is one file, KEY.N.blob: the payload from the first byte on, so that it can be mapped and handed to the
// runtime as it is, then a footer of fixed length (see footer.go). A file that has its name is never written again:
// a newer blob of the same key gets a higher number N. So nothing that is mapped is ever replaced, which Windows
// would refuse. On any doubt a file is moved to the quarantine folder and counts as absent.
//
// Order of locks: the lock of a key, then that of the store, then that of a file.
package blob

import (
	"errors"
	"fmt"
	"os"

	"github.com/edsrzf/mmap-go"
	"github.com/gofrs/flock"

	"dragoman/inference/mapped"
)

// ErrMiss is the error of Get where the store has no sound blob for a key: it must be compiled.
var ErrMiss = errors.New("no compiled model in the store")

// ErrUnavailable is the error of Put where the store was found not to be writable. That has been said once already,
// so a caller goes on without the store and without a word.
var ErrUnavailable = errors.New("the store of compiled models cannot be written")

// Blob is a compiled model, mapped into memory. It is not evicted by any process until it is closed.
type Blob struct {
	data mmap.MMap
	size int
	lock *flock.Flock // shared, on the file itself
}

// Bytes returns the payload, read only, starting at a page boundary. It must not be used after Close.
func (b *Blob) Bytes() []byte {
	return b.data[:b.size:b.size]
}

// Release tells the system that the pages are not needed for now. They come back from the file when they are touched.
func (b *Blob) Release() { mapped.Release(b.data) }

// Close unmaps the blob. A runtime that keeps using the bytes after an import must be closed before. Closing twice
// is no error.
func (b *Blob) Close() error {
	if b.data == nil {
		return nil
	}
	err := b.data.Unmap()
	b.data = nil
	if e := b.lock.Close(); err == nil {
		err = e
	}
	if err != nil {
		return fmt.Errorf("close compiled model %s: %w", b.lock.Path(), err)
	}
	return nil
}

// openFile opens path and locks it shared, as long as a lock can be had on this file system. It makes sure that the
// file that is locked is the one that is opened.
func openFile(path string) (*os.File, *flock.Flock, error) {
	lock := flock.New(path, flock.SetFlag(os.O_RDONLY))
	// Only a process that is about to remove the file holds its lock exclusively.
	if ok, err := lock.TryRLock(); err == nil && !ok {
		return nil, nil, fmt.Errorf("%s is being removed: %w", path, os.ErrNotExist)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, errors.Join(err, lock.Close())
	}
	if lock.RLocked() {
		locked, lockErr := lock.Stat()
		opened, openErr := file.Stat()
		if lockErr != nil || openErr != nil || !os.SameFile(locked, opened) {
			return nil, nil, errors.Join(fmt.Errorf("%s was replaced: %w", path, os.ErrNotExist), file.Close(), lock.Close())
		}
	}
	return file, lock, nil
}
