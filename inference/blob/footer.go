package blob

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"dragoman/inference/checksum"
)

// A footer is a header at the end: the runtime exports to a path, from the first byte of the file, and a footer can
// be added without copying hundreds of megabytes. Its layout, numbers in little-endian order:
//
//	offset  size  field
//	     0     8  magic
//	     8     8  version, 2
//	    16     8  length of the payload in bytes
//	    24    32  key
//	    56    16  XXH3-128 of the payload
//	    72    32  SHA-256 of the footer up to here
const (
	footerMagic   = "DRGMBLOB"
	footerVersion = 2
	footerSize    = 104
)

type footer struct {
	key  Key
	size int64 // of the payload
	sum  checksum.Sum
}

func (f footer) encode() []byte {
	b := append(make([]byte, 0, footerSize), footerMagic...)
	b = binary.LittleEndian.AppendUint64(b, footerVersion)
	b = binary.LittleEndian.AppendUint64(b, uint64(f.size))
	b = append(b, f.key[:]...)
	b = append(b, f.sum[:]...)
	own := sha256.Sum256(b)
	return append(b, own[:]...)
}

// errDamaged marks what is wrong with the content of a file, as opposed to trouble in getting at it.
var errDamaged = errors.New("damaged")

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %w", errDamaged, fmt.Errorf(format, args...))
}

// verify reads all of file and checks that it is a whole blob of key. It returns the size of the payload.
//
// The bytes are read, not mapped: a bad sector or a file cut short by someone else is then an error, where access to
// a mapping would kill the process.
func verify(file *os.File, key Key) (int64, error) {
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	size := info.Size() - footerSize
	if !info.Mode().IsRegular() || size <= 0 {
		return 0, damaged("not a file of more than %d bytes", footerSize)
	}
	end := make([]byte, footerSize)
	if _, err := file.ReadAt(end, size); err != nil {
		return 0, damaged("read footer: %w", err)
	}
	if !bytes.HasPrefix(end, []byte(footerMagic)) {
		return 0, damaged("no footer at byte %d: cut short, longer than written, or another file", size)
	}
	if v := binary.LittleEndian.Uint64(end[8:]); v != footerVersion {
		return 0, damaged("version %d instead of %d", v, footerVersion)
	}
	want := footer{key: key, size: size, sum: checksum.Sum(end[56:72])}
	if [sha256.Size]byte(end[72:]) != sha256.Sum256(end[:72]) {
		return 0, damaged("footer at byte %d is changed", size)
	}
	if Key(end[24:56]) != key {
		return 0, damaged("it is the compiled model of key %s", Key(end[24:56]))
	}
	if n := binary.LittleEndian.Uint64(end[16:]); n != uint64(size) {
		return 0, damaged("%d bytes instead of %d", size, n)
	}
	got, err := checksum.Read(io.NewSectionReader(file, 0, size))
	if err != nil {
		return 0, damaged("read: %w", err)
	}
	if got != want.sum {
		return 0, damaged("the checksum of its %d bytes is wrong", size)
	}
	return size, nil
}
