package memory

import "dragoman/inference/ownfiles"

// Own is the file of corrections. It counts before others.
const Own = "own.tmx"

// Folder is where a person's translation memories lie.
type Folder = ownfiles.Folder[Unit, *Memory]

// Extensions are the files that are read.
var Extensions = []string{".tmx"}

var format = ownfiles.Format[Unit]{Extensions: Extensions, Own: Own, Parse: ParseTMX}

// NewFolder is the memories in a folder, which may be missing.
func NewFolder(dir string) *Folder { return ownfiles.New(dir, format, New) }

// Read reads a file; errors name line and reason.
func Read(name string) ([]Unit, error) { return format.Read(name) }
