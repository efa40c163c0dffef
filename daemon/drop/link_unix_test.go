//go:build unix

package drop

import "os"

func makeLink(target, path string) error { return os.Symlink(target, path) }
