//go:build long

package document

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The documents of others are not copied into this repository: the list names each with
// the version it is of, its licence and its path.
//
//go:embed testdata/documents.tsv
var documents string

// document is a real file of others.
type realDocument struct {
	format, source, path string
	raw                  []byte
}

func (d realDocument) name() string { return path.Base(d.path) }

// realDocuments are those of a format that the list has. They are fetched; a test of them
// is skipped, with the reason, where they cannot be had.
func realDocuments(t *testing.T, format string) (all []realDocument) {
	t.Helper()
	for line := range strings.Lines(documents) {
		fields := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		require.Len(t, fields, 4, line)
		if strings.HasPrefix(line, "#") || fields[0] != format {
			continue
		}
		d := realDocument{format: format, source: fields[1], path: fields[3]}
		var err error
		if d.raw, err = d.fetch(t); err != nil {
			t.Skipf("%s of %s is not at hand: %v", d.path, d.source, err)
		}
		all = append(all, d)
	}
	return all
}

func (d realDocument) fetch(t *testing.T) ([]byte, error) {
	if name, ok := strings.CutPrefix(d.source, "apt:"); ok {
		return d.ofPackage(t, name)
	}
	name, commit, _ := strings.Cut(d.source, "@")
	repository, err := repositoryOf(t, name, commit)
	if err != nil {
		return nil, err
	}
	return output(exec.CommandContext(t.Context(), "git", "-C", repository, "show", commit+":"+d.path))
}

// repositoryOf is a repository of git that has a commit: below the folder that
// DRAGOMAN_DOCUMENTS names, or fetched, once for all tests of this process.
func repositoryOf(t *testing.T, name, commit string) (string, error) {
	if folder := os.Getenv("DRAGOMAN_DOCUMENTS"); folder != "" {
		return filepath.Join(folder, filepath.FromSlash(name)), nil
	}
	if done, ok := fetched[name]; ok {
		return done.folder, done.err
	}
	folder := filepath.Join(fetchedInto, filepath.FromSlash(name))
	_, err := output(exec.CommandContext(t.Context(), "git", "init", "--quiet", "--bare", folder))
	if err == nil {
		_, err = output(exec.CommandContext(t.Context(), "git", "-C", folder, "fetch", "--quiet", "--depth", "1", "https://github.com/"+name, commit))
	}
	fetched[name] = repository{folder, err}
	return folder, err
}

type repository struct {
	folder string
	err    error
}

var (
	fetched     = map[string]repository{}
	fetchedInto string
)

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "dragoman-documents-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fetchedInto = folder
	code := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

// ofPackage is a file of a version of a package of Debian.
func (d realDocument) ofPackage(t *testing.T, name string) ([]byte, error) {
	if _, err := exec.LookPath("apt-get"); err != nil {
		return nil, err
	}
	folder := filepath.Join(fetchedInto, strings.ReplaceAll(name, "=", "_"))
	archives, _ := filepath.Glob(filepath.Join(folder, "*.deb"))
	if len(archives) == 0 {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return nil, err
		}
		get := exec.CommandContext(t.Context(), "apt-get", "download", "--quiet", name)
		get.Dir = folder
		if _, err := output(get); err != nil {
			return nil, err
		}
		if archives, _ = filepath.Glob(filepath.Join(folder, "*.deb")); len(archives) == 0 {
			return nil, errors.New("apt-get brought no package")
		}
	}
	content, err := output(exec.CommandContext(t.Context(), "dpkg-deb", "--fsys-tarfile", archives[0]))
	if err != nil {
		return nil, err
	}
	one := exec.CommandContext(t.Context(), "tar", "-xO", "./"+d.path)
	one.Stdin = bytes.NewReader(content)
	return output(one)
}

// output is what a program prints, and what it complains of where it fails.
func output(command *exec.Cmd) ([]byte, error) {
	out, err := command.Output()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		return nil, fmt.Errorf("%s: %w: %s", command.Args[0], err, bytes.TrimSpace(failed.Stderr))
	}
	return out, err
}

// listed are the formats of which the list has documents, in its order.
func listed(t *testing.T) (formats []string) {
	t.Helper()
	for line := range strings.Lines(documents) {
		format, _, _ := strings.Cut(line, "\t")
		if !strings.HasPrefix(line, "#") && !slices.Contains(formats, format) {
			formats = append(formats, format)
		}
	}
	return formats
}
