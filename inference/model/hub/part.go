package hub

import (
	"context"
	"errors"
	"hash"
	"io"
	"os"
	"sync"
	"sync/atomic"
)

// syncedTogether is how many bytes go to the disk at once.
const syncedTogether = 64 << 20

// part is a file that is being fetched, with its checksum so far.
type part struct {
	*os.File
	size int64
	hash hash.Hash

	synced int64 // bytes that are on the disk, or on their way
	disk   sync.WaitGroup
	busy   atomic.Bool // with the disk
	failed error       // of the disk
}

// openPart opens what an earlier call has fetched.
func openPart(ctx context.Context, path string, f File) (*part, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	p := &part{File: file, hash: f.Sum.hash(f.Size)}
	p.size, err = io.Copy(p.hash, ending{ctx, file})
	p.synced = p.size
	if err == nil && p.size > f.Size {
		err = p.reset(f)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return p, nil
}

// Write appends, without the checksum. What was written goes to the disk meanwhile: all of
// it at the end would take seconds.
func (p *part) Write(b []byte) (int, error) {
	n, err := p.File.Write(b)
	if p.size += int64(n); p.size >= p.synced+syncedTogether && p.busy.CompareAndSwap(false, true) {
		p.synced = p.size
		p.disk.Go(func() {
			p.failed = errors.Join(p.failed, p.File.Sync())
			p.busy.Store(false)
		})
	}
	return n, err
}

// Sync waits until all is on the disk.
func (p *part) Sync() error {
	p.disk.Wait()
	return errors.Join(p.failed, p.File.Sync())
}

// Close waits for the disk, too.
func (p *part) Close() error {
	p.disk.Wait()
	return p.File.Close()
}

// reset forgets what was fetched.
func (p *part) reset(f File) error {
	p.size, p.synced, p.hash = 0, 0, f.Sum.hash(f.Size)
	if err := p.Truncate(0); err != nil {
		return err
	}
	_, err := p.Seek(0, io.SeekStart)
	return err
}

// summer makes a checksum beside what reads and writes.
type summer struct {
	free, full chan []byte
	ended      chan struct{}
}

const (
	sumBuffers = 4
	sumBuffer  = 256 << 10 // bytes
)

// newSummer adds to a hash, which is its own until end.
func newSummer(h hash.Hash) *summer {
	s := &summer{free: make(chan []byte, sumBuffers), full: make(chan []byte, sumBuffers), ended: make(chan struct{})}
	for range sumBuffers {
		s.free <- make([]byte, sumBuffer)
	}
	go func() {
		defer close(s.ended)
		for b := range s.full {
			h.Write(b) // hashes do not fail
			s.free <- b[:sumBuffer]
		}
	}()
	return s
}

// add takes bytes of a buffer that was free, from its beginning on.
func (s *summer) add(b []byte) { s.full <- b }

// end returns when all are added.
func (s *summer) end() {
	close(s.full)
	<-s.ended
}
