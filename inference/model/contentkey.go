package model

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
)

// Said first, so that the key changes with what it is made of.
const contentKeyVersion = "dragoman checkpoint 1\n"

// ContentKey is the SHA-256, in hexadecimal, over name, size and bytes of
// config.json, generation_config.json, the weights and their index: two
// checkpoints with the same key translate alike. It reads everything, through
// a small buffer, and stops when ctx ends. A file that changed since Open is
// an error, because the mapped weights may be a mixture.
func (c *Checkpoint) ContentKey(ctx context.Context) (string, error) {
	type part struct {
		fileStamp
		path string
		r    io.Reader
	}
	var parts []part
	for _, s := range c.small {
		parts = append(parts, part{s.stamp, s.path, bytes.NewReader(s.data)})
	}
	for _, m := range c.weights {
		parts = append(parts, part{m.stamp, m.path, io.NewSectionReader(m.file, 0, m.stamp.size)})
	}
	slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.name, b.name) })

	sum := sha256.New()
	io.WriteString(sum, contentKeyVersion)
	buf := make([]byte, 1<<20)
	for _, p := range parts {
		var frame []byte
		frame = binary.LittleEndian.AppendUint64(frame, uint64(len(p.name)))
		frame = append(frame, p.name...)
		frame = binary.LittleEndian.AppendUint64(frame, uint64(p.size))
		sum.Write(frame)
		n, err := copyUntil(ctx, sum, p.r, buf)
		if err != nil {
			return "", fmt.Errorf("hash %s after %d bytes: %w", p.path, n, err)
		}
		if n != p.size {
			return "", fmt.Errorf("hash %s: it ended at byte %d of %d: it was cut short after it was opened", p.path, n, p.size)
		}
	}
	if err := c.checkUnchanged(); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// copyUntil is io.CopyBuffer that looks at ctx before each buffer.
func copyUntil(ctx context.Context, w io.Writer, r io.Reader, buf []byte) (n int64, err error) {
	for {
		if err := ctx.Err(); err != nil {
			return n, err
		}
		k, err := r.Read(buf)
		n += int64(k)
		w.Write(buf[:k]) // a hash takes everything
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}

func (c *Checkpoint) checkUnchanged() error {
	for _, m := range c.weights {
		now, err := stampOf(m.file)
		if err != nil {
			return err
		}
		// Not the id: links to the file may come and go.
		if now.size != m.stamp.size || now.mtime != m.stamp.mtime {
			return fmt.Errorf("%s changed after it was opened: open the checkpoint again when it is complete", m.path)
		}
	}
	return nil
}

// Stamp names the state of the files that ContentKey covers without reading
// them: it changes when a file's name, size, modification time or identity
// (inode and change time, where the system has them) does. Files are as Open
// found them.
func (c *Checkpoint) Stamp() string {
	var stamps []fileStamp
	for _, s := range c.small {
		stamps = append(stamps, s.stamp)
	}
	for _, m := range c.weights {
		stamps = append(stamps, m.stamp)
	}
	slices.SortFunc(stamps, func(a, b fileStamp) int { return cmp.Compare(a.name, b.name) })
	sum := sha256.New()
	io.WriteString(sum, contentKeyVersion)
	for _, s := range stamps {
		fmt.Fprintf(sum, "%q %d %d %s\n", s.name, s.size, s.mtime, s.id)
	}
	return hex.EncodeToString(sum.Sum(nil))
}
