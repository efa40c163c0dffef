package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/openvino/ovtest"
)

// eachFile gives the pages and the Go files of the module, by their paths in it.
func eachFile(t *testing.T, visit func(path, text string)) {
	t.Helper()
	root := os.DirFS(ovtest.Root())
	require.NoError(t, fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		switch {
		case d.IsDir() && path != "." && (name == "build" || name == "testdata" || strings.HasPrefix(name, ".")):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(name) != ".md" && filepath.Ext(name) != ".go":
			return nil
		}
		text, err := fs.ReadFile(root, path)
		if err == nil {
			visit(path, string(text))
		}
		return err
	}))
}
