package memory

import (
	"encoding/hex"
	"path/filepath"

	"dragoman/inference/checksum"
	"dragoman/inference/ownfiles"
)

// Own is the file of corrections. It counts before others.
const Own = "own.tmx"

// Folder is where a person's translation memories lie.
type Folder = ownfiles.Folder[*index, *Memory]

// Extensions are the files that are read.
var Extensions = []string{".tmx"}

// Indexes is where a cache folder has the indexes of a folder: each has its own,
// since what is not of a folder is removed from there.
func Indexes(cache, dir string) string {
	if cache == "" {
		return ""
	}
	key := checksum.Of([]byte(dir))
	return filepath.Join(cache, "memory", hex.EncodeToString(key[:8]))
}

// NewFolder is the memories in a folder, which may be missing. Large ones are
// indexed in another folder, which is made where needed; "" is none.
func NewFolder(dir, indexes string) *Folder {
	s, looked := store(indexes), false
	format := ownfiles.Format[*index]{Extensions: Extensions, Own: Own, Parse: s.load}
	return ownfiles.New(dir, format, func(files []*index) *Memory {
		if looked {
			s.sweep(files)
		}
		looked = true // the first time is before the folder is looked at
		return &Memory{indexes: files}
	})
}

// Count says how many units a file has, by its index where it has one; errors name
// line and reason.
func Count(name, indexes string) (units int, err error) {
	all, err := ownfiles.Format[*index]{Parse: store(indexes).load}.Read(name)
	for _, x := range all {
		for _, s := range x.segments {
			units += s.count()
		}
	}
	return units, err
}

// Read reads a file; errors name line and reason.
func Read(name string) ([]Unit, error) {
	return ownfiles.Format[Unit]{Parse: ParseTMX}.Read(name)
}
