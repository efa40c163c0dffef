// Package document reads documents into text and writes them back without
// changing what is not text: encoding, byte order mark, permissions. It also
// owns where a translation goes and how it gets there whole or not at all.
//
// It knows nothing of watching, queues or translating and must not import them.
package document

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"dragoman/internal/english"
	"dragoman/watch/document/charset"
)

// DefaultLimit is the size in bytes above which ReadText refuses a file.
const DefaultLimit = 64 << 20

// ErrChanged is returned when a file changed while it was read. Whoever
// watches the file will hear of it again, so the caller can drop the job.
var ErrChanged = errors.New("the file changed while it was read")

// Stamp identifies what was read: a file whose stamp is the same has the same
// content.
type Stamp struct {
	Size    int64 // bytes
	ModTime time.Time
	SHA256  string // lower-case hex of the raw bytes
}

// Text is a plain text document and what is needed to write one like it.
type Text struct {
	Body     string // UTF-8, without the byte order mark, line ends as they were
	Encoding Encoding
	Charset  charset.Charset // of Legacy
	BOM      bool
	Mode     fs.FileMode // permission bits of the file
	Stamp    Stamp
}

// ReadText reads a plain text file of at most DefaultLimit bytes: UTF-8 with or
// without byte order mark, or UTF-16 with one. It never blocks on a pipe or a
// device. A file that is not text gives a *NotTextError.
func ReadText(path string) (Text, error) { return ReadTextLimit(path, DefaultLimit) }

// ReadTextLimit is ReadText with another limit in bytes.
func ReadTextLimit(path string, limit int64) (Text, error) {
	raw, err := readLimit(path, limit)
	if err != nil {
		return Text{}, err
	}
	text, err := decode(raw.data)
	if err != nil {
		var bad *NotTextError
		if errors.As(err, &bad) {
			bad.Path = path
		}
		return Text{}, err
	}
	text.Mode, text.Stamp = raw.mode, raw.stamp
	return text, nil
}

// content is a file that was read.
type content struct {
	data  []byte
	mode  fs.FileMode
	stamp Stamp
}

// readLimit reads a regular file of at most limit bytes.
func readLimit(path string, limit int64) (content, error) {
	// Asked before opening too: opening a device may have effects of its own.
	info, err := os.Stat(path)
	if err != nil {
		return content{}, readError(path, err)
	}
	if err := checkRegular(path, info); err != nil {
		return content{}, err
	}
	f, err := openNonblock(path)
	if err != nil {
		return content{}, readError(path, err)
	}
	defer f.Close()
	return readFile(f, path, limit)
}

// readFile reads an open file and finds out whether it was written to
// meanwhile.
func readFile(f fs.File, path string, limit int64) (content, error) {
	before, err := f.Stat()
	if err != nil {
		return content{}, readError(path, err)
	}
	if err := checkRegular(path, before); err != nil {
		return content{}, err
	}
	if before.Size() > limit {
		return content{}, tooBig(path, limit)
	}
	var b bytes.Buffer
	b.Grow(int(before.Size()) + bytes.MinRead)
	if _, err := b.ReadFrom(io.LimitReader(f, limit+1)); err != nil {
		return content{}, readError(path, err)
	}
	raw := b.Bytes()
	if int64(len(raw)) > limit { // grew, or is a file without a size as in /proc
		return content{}, tooBig(path, limit)
	}
	after, err := f.Stat()
	if err != nil {
		return content{}, readError(path, err)
	}
	if after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()) {
		return content{}, fmt.Errorf("read %s: %w; wait until it is complete", path, ErrChanged)
	}
	sum := sha256.Sum256(raw)
	return content{raw, after.Mode().Perm(), Stamp{Size: int64(len(raw)), ModTime: after.ModTime(), SHA256: hex.EncodeToString(sum[:])}}, nil
}

// StampOf reads the file at path through and returns its stamp.
func StampOf(path string) (Stamp, error) {
	f, err := openNonblock(path)
	if err != nil {
		return Stamp{}, readError(path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Stamp{}, readError(path, err)
	}
	if err := checkRegular(path, info); err != nil {
		return Stamp{}, err
	}
	sum := sha256.New()
	n, err := io.Copy(sum, f)
	if err != nil {
		return Stamp{}, readError(path, err)
	}
	return Stamp{Size: n, ModTime: info.ModTime(), SHA256: hex.EncodeToString(sum.Sum(nil))}, nil
}

func checkRegular(path string, info fs.FileInfo) error {
	mode := info.Mode()
	what := "special file"
	switch {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return fmt.Errorf("%s is a folder, not a text file; translate a folder with `dragoman watch`", path)
	case mode&fs.ModeNamedPipe != 0:
		what = "named pipe"
	case mode&fs.ModeSocket != 0:
		what = "socket"
	case mode&fs.ModeDevice != 0:
		what = "device"
	}
	return fmt.Errorf("%s is a %s, not a text file; save its text to a file first", path, what)
}

func tooBig(path string, limit int64) error {
	return fmt.Errorf("%s is larger than the limit of %s; split it into smaller files", path, english.Size(limit))
}

// readError says it once: fs.PathError would name the path again.
func readError(path string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	hint := ""
	switch {
	case errors.Is(err, fs.ErrNotExist):
		hint = "; check the name"
	case errors.Is(err, fs.ErrPermission):
		hint = "; allow this user to read it"
	}
	return fmt.Errorf("read %s: %w%s", path, err, hint)
}
