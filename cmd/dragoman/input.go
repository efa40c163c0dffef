package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
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
	read     func() (document.Text, error)
}

// gather finds out what the arguments of translate mean.
func gather(args []string, asText bool, stdin io.Reader) ([]input, error) {
	switch {
	case len(args) == 0, len(args) == 1 && args[0] == "-" && !asText:
		return []input{{name: "standard input", read: func() (document.Text, error) { return readStream(stdin) }}}, nil
	case !asText && anyFile(args):
		return fileInputs(args), nil
	case !asText && len(args) == 1 && looksLikeFile(args[0]):
		return nil, inputError{fmt.Errorf("%s: no such file (to translate it as a text, add --text)", args[0])}
	}
	body := strings.Join(args, " ")
	if !utf8.ValidString(body) {
		return nil, inputError{errors.New("the text is not valid UTF-8: check the terminal's locale")}
	}
	return []input{{name: "text", argument: true, read: func() (document.Text, error) {
		return document.Text{Body: body, Mode: 0o644}, nil
	}}}, nil
}

func anyFile(args []string) bool {
	for _, a := range args {
		if _, err := os.Stat(a); err == nil {
			return true
		}
	}
	return false
}

// looksLikeFile tells a mistyped file name from a text of one word.
func looksLikeFile(arg string) bool {
	if strings.ContainsFunc(arg, unicode.IsSpace) {
		return false
	}
	return document.Supported(arg) || filepath.Base(arg) != arg
}

func fileInputs(paths []string) []input {
	inputs := make([]input, len(paths))
	for i, path := range paths {
		inputs[i] = input{name: path, path: path, read: func() (document.Text, error) { return document.ReadText(path) }}
	}
	return inputs
}

// readStream reads a text that has no file. It is UTF-8, as pipes are.
func readStream(r io.Reader) (document.Text, error) {
	data, err := io.ReadAll(io.LimitReader(r, document.DefaultLimit+1))
	if err != nil {
		return document.Text{}, fmt.Errorf("read the standard input: %w", err)
	}
	if len(data) > document.DefaultLimit {
		return document.Text{}, fmt.Errorf("standard input: more than %d MiB: cut it into smaller texts", document.DefaultLimit>>20)
	}
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return document.Text{}, fmt.Errorf("standard input: byte 0x00 at offset %d: this is not a text", i)
	}
	if i := invalidUTF8(data); i >= 0 {
		return document.Text{}, fmt.Errorf("standard input: byte 0x%02X at offset %d is not UTF-8: convert it, for example with iconv", data[i], i)
	}
	return document.Text{Body: string(data), Mode: 0o644}, nil
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
