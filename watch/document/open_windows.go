package document

import "os"

// openNonblock opens for reading; opening a file does not wait on Windows.
func openNonblock(path string) (*os.File, error) { return os.Open(path) }
