package document

import (
	"errors"
	"fmt"
	"path/filepath"

	"dragoman/watch/document/resource"
)

// Reading is what a user says of the files they give; what is zero is found out.
type Reading struct {
	// Language is the code of the language that the files are in. It tells encodings
	// that few bytes would not.
	Language string
	// Encoding is the label of the encoding of text files without a byte order mark, as
	// the Encoding Standard has them: "latin1", "shift_jis".
	Encoding string
	// JSONPaths say which values of JSON are translated, see resource.ParsePaths.
	JSONPaths []string
	// Columns say which columns of CSV and TSV are, see resource.ParseColumns.
	Columns []string
}

// rules are those of a Reading, understood.
type rules struct {
	paths   *resource.Paths
	columns *resource.Columns
}

// Check says what is wrong with what a user says.
func (r Reading) Check() error {
	_, err := r.rules()
	return err
}

func (r Reading) rules() (by rules, err error) {
	if r.Encoding != "" {
		if _, err = encodingOf(r.Encoding); err != nil {
			return by, err
		}
	}
	if by.paths, err = resource.ParsePaths(r.JSONPaths); err != nil {
		return by, err
	}
	by.columns, err = resource.ParseColumns(r.Columns)
	return by, err
}

// Open reads the file at path, of at most DefaultLimit bytes. What format it has is
// found by its content and by its name. It never blocks on a pipe or a device, and
// never follows anything that the file refers to.
func (r Reading) Open(path string) (*Document, error) {
	raw, err := readLimit(path, DefaultLimit)
	if err != nil {
		return nil, err
	}
	d, err := r.Parse(path, raw.data)
	if err != nil {
		return nil, err
	}
	d.Mode, d.Stamp = raw.mode, raw.stamp
	return d, nil
}

// Parse takes the content of a file apart. name is only looked at. The document has no
// Stamp.
func (r Reading) Parse(name string, data []byte) (*Document, error) {
	by, err := r.rules()
	if err != nil {
		return nil, err
	}
	f, zip, err := recognise(filepath.Base(name), data, r)
	if err != nil {
		return nil, fmt.Errorf("%s %w", name, err)
	}
	isText := f.text != nil || f.by != nil
	d := &Document{Name: name, Format: f.name, Mode: 0o644, Text: isText || f.textOnly}
	switch {
	case isText:
		err = d.parseText(f, data, r, by)
	case f.whole != nil:
		err = d.parseWhole(f, data)
		if f.textOnly {
			d.Notes = append(d.Notes, "only the text of a "+f.name+" is translated: what is written is a plain text file without pictures and layout")
		}
	default:
		err = d.parseZip(f, zip, data)
	}
	if bad, ok := errors.AsType[*NotTextError](err); ok {
		bad.Path = name
		return nil, bad
	}
	if err != nil {
		return nil, fmt.Errorf("%s %w", name, err)
	}
	if len(data) > 0 && len(d.Segments()) == 0 {
		why := "no text to translate was found in it"
		if f.by != nil && (by.paths != nil && f.name == "JSON" || by.columns != nil && f.name != "JSON") {
			why = "it has no text where the rules for " + f.name + " look"
		}
		d.Notes = append(d.Notes, "nothing of it is translated: "+why)
	}
	return d, nil
}
