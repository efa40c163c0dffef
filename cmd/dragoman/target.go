package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"dragoman/watch/document"
)

// targets is where the translations go.
type targets struct {
	folder string   // to make before the first is written, "" where there is none
	files  []string // for each input, "" for the standard output
}

// newTargets works out where the translations of inputs go and refuses what
// would overwrite an input or another translation. It makes nothing yet: bad
// input leaves no trace.
func newTargets(inputs []input, output, language string) (targets, error) {
	t := targets{files: make([]string, len(inputs))}
	if output == "" {
		return t, nil
	}
	info, err := os.Stat(output)
	wantsFolder := len(inputs) > 1 || os.IsPathSeparator(output[len(output)-1])
	switch {
	case err == nil && info.IsDir():
		t.folder = output
	case wantsFolder && pathInTheWay(output):
		return t, usageError{fmt.Errorf("--output %s: a file is in the place of the folder, choose another", output)}
	case wantsFolder:
		t.folder = output
	case err == nil && !info.Mode().IsRegular():
		return t, usageError{fmt.Errorf("--output %s is not a regular file: leave --output out to write to the standard output", output)}
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Stat(filepath.Dir(output)); err != nil {
			return t, usageError{fmt.Errorf("--output %s: there is no folder %s, make it first", output, filepath.Dir(output))}
		}
	}
	if t.folder != "" && inputs[0].path == "" {
		return t, usageError{fmt.Errorf("--output %s is a folder: name a file for the text", output)}
	}
	sources := statInputs(inputs)
	taken := map[string]string{}
	for i, in := range inputs {
		if t.files[i], err = t.file(output, in, language); err != nil {
			return t, inputError{err}
		}
		file := t.files[i]
		if other, ok := taken[file]; ok {
			return t, inputError{fmt.Errorf("%s and %s would both become %s: translate them into different folders", other, in.path, file)}
		}
		taken[file] = in.path
		if overwrites(file, sources) {
			return t, inputError{fmt.Errorf("%s is an input: dragoman never writes over it, choose another --output", file)}
		}
	}
	return t, nil
}

// pathInTheWay says whether no folder can be made at path because of a file. A
// path that ends with a separator is not found where a file has its place.
func pathInTheWay(path string) bool {
	info, err := os.Stat(filepath.Clean(path))
	return err == nil && !info.IsDir()
}

func (t targets) file(output string, in input, language string) (string, error) {
	if t.folder == "" {
		return output, nil
	}
	name, err := document.OutputName(filepath.Base(in.path), language, false)
	return filepath.Join(t.folder, name), err
}

func (t targets) makeFolder() error {
	if t.folder == "" {
		return nil
	}
	if err := os.MkdirAll(t.folder, 0o755); err != nil {
		return fmt.Errorf("make the output folder: %w: choose another --output", err)
	}
	return nil
}

func statInputs(inputs []input) []fs.FileInfo {
	var infos []fs.FileInfo
	for _, in := range inputs {
		if info, err := os.Stat(in.path); err == nil {
			infos = append(infos, info)
		}
	}
	return infos
}

// overwrites knows an input also by another name, through links.
func overwrites(file string, sources []fs.FileInfo) bool {
	info, err := os.Stat(file)
	if err != nil {
		return false
	}
	for _, source := range sources {
		if os.SameFile(info, source) {
			return true
		}
	}
	return false
}
