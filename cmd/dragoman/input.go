package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dragoman/watch/document"
)

// input is one text to translate.
type input struct {
	name     string // for messages
	path     string // of a file, "" for other inputs
	argument bool   // given on the command line
	read     func(context.Context) (*document.Document, error)
}

// gather finds out what the arguments of translate mean.
func gather(args []string, asText bool, stdin io.Reader, reading document.Reading) ([]input, error) {
	if len(args) == 0 || len(args) == 1 && args[0] == "-" && !asText {
		return []input{{name: "standard input", read: func(ctx context.Context) (*document.Document, error) { return readStream(ctx, stdin) }}}, nil
	}
	if !asText {
		areFiles, err := areFiles(args)
		switch {
		case err != nil:
			return nil, inputError{err}
		case areFiles:
			return fileInputs(args, reading), nil
		}
	}
	body := strings.Join(args, " ")
	if !utf8.ValidString(body) {
		return nil, inputError{errors.New("the text is not valid UTF-8: check the terminal's locale")}
	}
	return []input{{name: "text", argument: true, read: func(context.Context) (*document.Document, error) {
		return document.Plain("text", body), nil
	}}}, nil
}

// areFiles tells file names from the words of a text. Where it is unclear it
// is an error: a mistyped name must not be translated as a text.
func areFiles(args []string) (bool, error) {
	var files, others []string // others look like neither a file nor its name
	var missing []string
	for _, a := range args {
		switch _, err := os.Stat(a); {
		case err == nil:
			files = append(files, a)
		case looksLikeFile(a):
			missing = append(missing, a)
		default:
			others = append(others, a)
		}
	}
	const asText = "(to translate it as a text, add --text)"
	switch {
	case len(files) > 0 && len(others) > 0:
		// What is no file may be a text, which errors do not show.
		return false, fmt.Errorf("argument %d is no file, although %s is one %s", slices.Index(args, others[0])+1, files[0], asText)
	case len(files) == 0 && len(missing) > 0 && (len(others) == 0 || filepath.Dir(missing[0]) != "."):
		return false, fmt.Errorf("%s: no such file %s", missing[0], asText)
	}
	return len(files) > 0, nil
}

// fileName is a word with what may be a file's extension.
var fileName = regexp.MustCompile(`^[^/\\]*[^/\\.]\.[A-Za-z][A-Za-z0-9]{0,4}$`)

// looksLikeFile tells a mistyped file name from a word. Words may have slashes:
// and/or, 1/2.
func looksLikeFile(arg string) bool {
	if strings.ContainsFunc(arg, unicode.IsSpace) || strings.Contains(arg, "://") {
		return false
	}
	if fileName.MatchString(arg) || filepath.IsAbs(arg) || strings.HasPrefix(arg, "."+string(filepath.Separator)) {
		return true
	}
	folder := filepath.Dir(arg)
	if folder == "." {
		return false
	}
	_, err := os.Stat(folder)
	return err == nil
}

func fileInputs(paths []string, reading document.Reading) []input {
	inputs := make([]input, len(paths))
	for i, path := range paths {
		inputs[i] = input{name: path, path: path, read: func(context.Context) (*document.Document, error) { return reading.Open(path) }}
	}
	return inputs
}

// readStream reads a text that has no file. It is UTF-8, as pipes are.
func readStream(ctx context.Context, r io.Reader) (*document.Document, error) {
	data, err := readAll(ctx, io.LimitReader(r, document.DefaultLimit+1))
	if err != nil {
		return nil, fmt.Errorf("read the standard input: %w", err)
	}
	if len(data) > document.DefaultLimit {
		return nil, fmt.Errorf("standard input: more than %d MiB: cut it into smaller texts", document.DefaultLimit>>20)
	}
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return nil, fmt.Errorf("standard input: byte 0x00 at offset %d: this is not a text", i)
	}
	if i := invalidUTF8(data); i >= 0 {
		return nil, fmt.Errorf("standard input: byte 0x%02X at offset %d is not UTF-8: convert it, for example with iconv", data[i], i)
	}
	return document.Plain("standard input", string(data)), nil
}

// readAll ends with ctx. A read from a terminal or pipe cannot be interrupted:
// its goroutine ends with the process.
func readAll(ctx context.Context, r io.Reader) ([]byte, error) {
	type answer struct {
		data []byte
		err  error
	}
	done := make(chan answer, 1)
	go func() {
		data, err := io.ReadAll(r)
		done <- answer{data, err}
	}()
	select {
	case a := <-done:
		return a.data, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// invalidUTF8 is the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}
