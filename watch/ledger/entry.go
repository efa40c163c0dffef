package ledger

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"time"
	"unicode/utf8"

	"dragoman/watch/document"
)

// version of a line; lines of another are damaged to this program.
const version = 1

// entry is what is known about one input.
type entry struct {
	Size   int64 // bytes
	MTime  int64 // Unix nanoseconds
	SHA256 string
	Output string // below the output folder, separated by slashes
	Recipe string
	Done   time.Time
}

// record is a line of the file. One line an input and append only: a list
// written anew for each of 20,000 files would be 100 GB of writing. Later lines
// replace earlier ones of the same input.
type record struct {
	Version int       `json:"v"`
	Path    name      `json:"path"`
	Size    int64     `json:"size"`
	MTime   int64     `json:"mtime"`
	SHA256  string    `json:"sha256"`
	Output  name      `json:"output"`
	Recipe  string    `json:"recipe,omitempty"`
	Done    time.Time `json:"done"`
}

// name is a file name. JSON strings are Unicode, names on Unix are bytes:
// others are written as an object with the hexadecimal bytes.
type name string

type hexName struct {
	Hex string `json:"hex"`
}

func (n name) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(n)) {
		return json.Marshal(string(n))
	}
	return json.Marshal(hexName{hex.EncodeToString([]byte(n))})
}

func (n *name) UnmarshalJSON(b []byte) error {
	var plain string
	if json.Unmarshal(b, &plain) == nil {
		*n = name(plain)
		return nil
	}
	var h hexName
	if err := json.Unmarshal(b, &h); err != nil {
		return err
	}
	raw, err := hex.DecodeString(h.Hex)
	*n = name(raw)
	return err
}

func (e entry) line(rel string) ([]byte, error) {
	b, err := json.Marshal(record{
		Version: version, Path: name(rel), Size: e.Size, MTime: e.MTime, SHA256: e.SHA256,
		Output: name(e.Output), Recipe: e.Recipe, Done: e.Done,
	})
	return append(b, '\n'), err
}

// parse reads what it can: a line that is cut off, overwritten or of another
// version is counted and left out.
func parse(raw []byte) (entries map[string]entry, lines, damaged int) {
	entries = map[string]entry{}
	for line := range bytes.SplitSeq(raw, []byte{'\n'}) {
		if len(line) == 0 {
			continue
		}
		lines++
		var r record
		if json.Unmarshal(line, &r) != nil || !r.sound() {
			damaged++
			continue
		}
		entries[string(r.Path)] = entry{
			Size: r.Size, MTime: r.MTime, SHA256: r.SHA256,
			Output: string(r.Output), Recipe: r.Recipe, Done: r.Done,
		}
	}
	if len(raw) > 0 && raw[len(raw)-1] != '\n' && damaged == 0 {
		damaged++ // a whole line without its end: the next one would join it
	}
	return entries, lines, damaged
}

// sound refuses lines that parse but were not written here: an output outside
// the folder must never be looked at or overwritten.
func (r record) sound() bool {
	if r.Version != version || len(r.SHA256) != 64 {
		return false
	}
	if _, err := document.OutputName(string(r.Path), "x", false); err != nil {
		return false
	}
	_, err := document.OutputName(string(r.Output), "x", false)
	return err == nil
}
