package glossary

import "dragoman/inference/ownfiles"

// Own is the file of terms that were added one by one. It counts before others.
const Own = "own.csv"

// Folder is where a person's glossaries lie.
type Folder = ownfiles.Folder[Entry, *Glossary]

var format = ownfiles.Format[Entry]{Extensions: Extensions, Own: Own, Parse: Parse}

// NewFolder is the glossaries in a folder, which may be missing, or a single one.
func NewFolder(dir string) *Folder { return ownfiles.New(dir, format, New) }

// Read reads a file; errors name line and reason.
func Read(name string) ([]Entry, error) { return format.Read(name) }
