// Package charset reads and writes texts in the encodings that were common before
// UTF-8. What it reads it can write byte for byte, or it refuses to read it.
package charset

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// Charset is an encoding of characters. The zero value is UTF-8.
type Charset struct {
	name string
	enc  encoding.Encoding
	only subset
	said string // the label of a subset
}

// subset is what an encoding has that the Encoding Standard reads as a larger one.
type subset int

const (
	all       subset = iota
	noC1             // of ISO 8859: nothing where Windows has quotation marks and dashes
	onlyASCII        // of US-ASCII
)

// UTF8 is what new texts are written in.
var UTF8 = Charset{}

// Named returns the encoding of a label (WHATWG Encoding Standard, section 4.2). Where
// that has a larger encoding for a label, as windows-1252 for iso-8859-1 and us-ascii, what
// the label itself does not allow is not read or written: not all readers know of it.
// Encodings that are not for files of text are not found.
func Named(label string) (Charset, bool) {
	label = strings.ToLower(strings.TrimSpace(label))
	enc, err := htmlindex.Get(label)
	if err != nil {
		return UTF8, false
	}
	name, err := htmlindex.Name(enc)
	switch {
	case err != nil || name == "replacement" || name == "x-user-defined":
		return UTF8, false
	case name == "utf-8" || enc == unicode.UTF8:
		return UTF8, true
	}
	windows, ok := strings.CutPrefix(name, "windows-")
	switch {
	case ok && (strings.Contains(label, "ascii") || strings.HasPrefix(label, "ansi_x3.4")):
		return Charset{name, enc, onlyASCII, label}, true
	case ok && !strings.Contains(label, windows):
		return Charset{name, enc, noC1, label}, true
	}
	return Charset{name: name, enc: enc}, true
}

// Whole is the encoding that the Encoding Standard has for it.
func (c Charset) Whole() Charset { return Charset{name: c.name, enc: c.enc} }

// String is the name that the Encoding Standard has for it, or its label where that
// allows less.
func (c Charset) String() string {
	switch {
	case c.enc == nil:
		return "utf-8"
	case c.only != all:
		return c.said
	}
	return c.name
}

// ErrNot says that bytes are no text in an encoding.
var ErrNot = errors.New("it is no text in this encoding")

// Decode reads bytes, all of them or nothing: ErrNot where Encode would not give them
// back.
func (c Charset) Decode(raw []byte) (string, error) {
	if c.enc == nil {
		if !utf8.Valid(raw) {
			return "", fmt.Errorf("utf-8: %w", ErrNot)
		}
		return string(raw), nil
	}
	text, err := c.enc.NewDecoder().Bytes(raw)
	if err != nil || bytes.ContainsRune(text, utf8.RuneError) || bytes.IndexByte(text, 0) >= 0 {
		return "", fmt.Errorf("%s: %w", c.name, ErrNot)
	}
	if back, ok := c.Encode(string(text)); !ok || !bytes.Equal(back, raw) {
		return "", fmt.Errorf("%s: %w", c.name, ErrNot)
	}
	return string(text), nil
}

// Encode writes a text, false where the encoding does not have all of its characters.
func (c Charset) Encode(text string) ([]byte, bool) {
	if c.enc == nil {
		return []byte(text), utf8.ValidString(text)
	}
	raw, err := c.enc.NewEncoder().Bytes([]byte(text))
	return raw, err == nil && c.only.has(raw)
}

func (s subset) has(raw []byte) bool {
	return s == all || !slices.ContainsFunc(raw, func(c byte) bool { return c >= 0x80 && (c < 0xA0 || s == onlyASCII) })
}
