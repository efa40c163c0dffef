package blob

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"dragoman/inference/checksum"
	"dragoman/inference/disk"
)

// minFree is the space that must be left on the disk after an export. The runtime writes through a C++ stream whose
// errors it does not look at: on a full disk it reports success and leaves a blob cut short. A disk that is that full
// is taken as the sign of it.
const minFree = 1 << 20

// Put stores what write makes at the path it is given, where no file is yet. The blob appears under key whole or not
// at all; older blobs of the key go. Others are evicted, the least recently used first, until the quota is kept.
//
// The error is [ErrUnavailable] where the store cannot be written at all; write is not called then. Other errors (disk
// full, blob larger than the quota, write failed) leave nothing behind and are also in the status. The bytes that are
// stored are trusted: a caller that doubts an export imports it once before.
func (s *Store) Put(key Key, write func(path string) error) error {
	if !s.writable() {
		return ErrUnavailable
	}
	if err := s.put(key, write); err != nil {
		return s.fail(fmt.Errorf("store compiled model %s in %s: %w", key, s.dir, err))
	}
	return s.fail(nil)
}

func (s *Store) put(key Key, write func(path string) error) (err error) {
	t, err := s.newTemp()
	if err != nil {
		return err
	}
	defer t.remove()
	if err := write(t.path); err != nil {
		if s.full() {
			return fmt.Errorf("the disk is full: %w", err)
		}
		return fmt.Errorf("write: %w", err)
	}
	if s.full() {
		return errors.New("the disk is full: free some space or choose another folder for compiled models")
	}
	size, err := seal(t.path, key)
	if err != nil {
		return err
	}
	unlock, err := s.lockStore()
	if err != nil {
		return err
	}
	defer unlock()
	return s.publish(key, t.path, size)
}

// publish gives a finished file its name. The store is locked.
func (s *Store) publish(key Key, path string, size int64) error {
	// A number is the time, so that a name that was in doubt once never comes back.
	number := time.Now().UnixNano()
	for _, e := range s.entriesOf(key) {
		number = max(number, e.number+1)
	}
	if err := s.makeRoom(size, key); err != nil {
		return err
	}
	name := blobName(key, number)
	if err := rename(path, s.path(name)); err != nil {
		return err
	}
	for _, e := range s.entriesOf(key) {
		if e.number < number {
			s.remove(e) // one that is in use goes later, by eviction
		}
	}
	return syncFolder(s.dir)
}

// seal adds the footer to the payload at path and makes the file durable. It returns the size of the file.
func seal(path string, key Key) (size int64, err error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return 0, fmt.Errorf("open what was written: %w", err)
	}
	defer func() {
		if e := file.Close(); err == nil {
			err = e
		}
	}()
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() || info.Size() == 0 {
		return 0, fmt.Errorf("what was written to %s is empty or not a file", filepath.Base(path))
	}
	sum, err := checksum.Read(file)
	if err != nil {
		return 0, fmt.Errorf("read what was written: %w", err)
	}
	end := footer{key: key, size: info.Size(), sum: sum}.encode()
	if _, err := file.WriteAt(end, info.Size()); err != nil {
		return 0, err
	}
	return info.Size() + footerSize, file.Sync()
}

// full says whether the disk has next to no space left.
func (s *Store) full() bool {
	free, err := disk.Free(s.dir)
	return err == nil && free < minFree
}
