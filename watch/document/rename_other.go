//go:build unix && !linux

package document

// renameNew renames unless something has the new name, which is fs.ErrExist.
func renameNew(from, to string) error { return linkNew(from, to) }
