//go:build unix

package service

import "os"

func openShared(path string) (*os.File, error) { return os.Open(path) }
