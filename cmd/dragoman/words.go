package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"dragoman/daemon/api"
	"dragoman/daemon/words"
	"dragoman/inference/glossary"
	"dragoman/inference/memory"
	"dragoman/internal/english"
)

// ownWords are the person's own: the files of their data folder, or those of the
// machine's service where that translates for them.
type ownWords interface {
	Glossary(context.Context) (api.GlossaryResponse, error)
	AddTerm(context.Context, api.Term) error
	RemoveTerm(ctx context.Context, t api.Term) error
	AddGlossary(context.Context, api.WordsFile) (api.WordsFileResponse, error)
	RemoveGlossary(ctx context.Context, name string) error

	SearchMemory(context.Context, api.MemoryQuery) (api.MemoryResponse, error)
	Correct(context.Context, api.Correction) error
	ForgetCorrection(ctx context.Context, text string) error
	MemoryFiles(context.Context) (api.MemoryFilesResponse, error)
	AddMemory(context.Context, api.WordsFile) (api.WordsFileResponse, error)
	RemoveMemory(ctx context.Context, name string) error
	ExportMemory(context.Context) (api.WordsFile, error)
}

// withWords makes a command that reads or changes the person's own words.
func withWords(run func(c *cobra.Command, own ownWords, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		s, err := loadSetup()
		if err != nil {
			return err
		}
		own, err := s.findWords(c)
		if err != nil {
			return err
		}
		err = run(c, own, args)
		var terms *glossary.FileError
		var units *memory.FileError
		switch {
		case errors.Is(err, words.ErrWords), errors.Is(err, words.ErrQuery): // these wrap a FileError of what would be written
			return usageError{err}
		case errors.As(err, &terms), errors.As(err, &units), errors.Is(err, words.ErrNotFound), errors.Is(err, words.ErrName):
			return inputError{err}
		}
		return err
	}
}

// words are those of this user's files.
func (s setup) words(c *cobra.Command) *words.Words {
	return words.Open(words.Options{Data: s.paths.DataDir, Cache: s.paths.CacheDir, Tell: func(err error) {
		for line := range strings.SplitSeq(err.Error(), "\n") {
			fmt.Fprintf(c.ErrOrStderr(), "dragoman: %s: it counts for nothing until that is mended\n", printable(line))
		}
	}})
}

// findWords asks the service whose files it uses. This user's are changed without
// it, so that files may be of any size.
func (s setup) findWords(c *cobra.Command) (ownWords, error) {
	client, err := newClient()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(c.Context(), answerWait)
	defer cancel()
	now, err := client.Status(ctx)
	switch {
	case errors.Is(err, api.ErrNotRunning), errors.Is(err, fs.ErrPermission), errors.Is(err, context.DeadlineExceeded):
		return s.words(c), c.Context().Err()
	case err != nil:
		return nil, err
	case now.Data == "" || samePath(now.Data, s.paths.DataDir):
		return s.words(c), nil
	}
	return client, nil
}

func samePath(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	first, errA := os.Stat(a)
	second, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(first, second)
}

// readWords reads files that are to be added. All are checked before any counts.
func readWords(paths []string, check func(api.WordsFile) (api.WordsFileResponse, error)) (files []api.WordsFile, err error) {
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, inputError{err}
		}
		f := api.WordsFile{Name: filepath.Base(path), Content: string(data)}
		if _, err := check(f); err != nil {
			return nil, inputError{fmt.Errorf("%s: %w", path, err)}
		}
		files = append(files, f)
	}
	return files, nil
}

// addWords adds files and says how many entries each has.
func addWords(c *cobra.Command, files []api.WordsFile, unit string, add func(context.Context, api.WordsFile) (api.WordsFileResponse, error)) error {
	for _, f := range files {
		added, err := add(c.Context(), f)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		fmt.Fprintf(c.OutOrStdout(), "%s: %s\n", printable(f.Name), english.Count(added.Entries, unit))
	}
	return nil
}
