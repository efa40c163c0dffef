package npublob

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// The layout, as OpenVINO 2026.4.1 writes it (metadata 2.7): the program, padded;
// metadata; the program's length in eight bytes, little-endian; the magic. The
// metadata begins with its version (minor, major) and the runtime's (year,
// release, patch), two bytes each, and holds a text "compiler=8.4;npu=4000;t=4;…"
// that ends at a NUL or with it.
const (
	magic      = "OVNPU"
	lengthSize = 8
	headSize   = 10
	longest    = 1 << 20 // metadata; those seen have 158 bytes
)

// Requirements are what a compiled model needs. A part that it does not tell is
// "".
type Requirements struct {
	Runtime  string // OpenVINO's release, "2026.4.1"
	Compiler string // version, "8.4"
	Platform string // "4000"
	Tiles    string // "4"
	ELF      string // version of the program's form, "1.2.2"
}

// errForm is the error of what has another layout.
var errForm = errors.New("it is no model compiled for an NPU, or of a form that is not known")

// Read reads the end of a compiled model.
func Read(blob []byte) (Requirements, error) {
	end := len(blob) - len(magic) - lengthSize
	if end < 0 || string(blob[end+lengthSize:]) != magic {
		return Requirements{}, errForm
	}
	program := binary.LittleEndian.Uint64(blob[end:])
	if program > uint64(end) || uint64(end)-program > longest || uint64(end)-program < headSize {
		return Requirements{}, errForm
	}
	metadata := blob[program:end]
	number := func(at int) uint16 { return binary.LittleEndian.Uint16(metadata[at:]) }
	r := Requirements{Runtime: fmt.Sprintf("%d.%d.%d", number(4), number(6), number(8))}
	_, text, found := bytes.Cut(metadata, []byte("compiler="))
	if !found {
		return r, nil
	}
	text, _, _ = bytes.Cut(text, []byte{0})
	for pair := range strings.SplitSeq("compiler="+string(text), ";") {
		key, value, _ := strings.Cut(pair, "=")
		switch key {
		case "compiler":
			r.Compiler = value
		case "npu":
			r.Platform = value
		case "t":
			r.Tiles = value
		case "elf":
			r.ELF = value
		}
	}
	return r, nil
}

// Fits tells why a model that needs r cannot run on an NPU of a platform with so
// many tiles under a release of OpenVINO, which takes no blob of another one.
// What either side does not tell is no reason.
func (r Requirements) Fits(platform, tiles, runtime string) error {
	differ := func(a, b string) bool { return a != "" && b != "" && a != b }
	need, errNeed := strconv.Atoi(r.Tiles)
	have, errHave := strconv.Atoi(tiles)
	switch {
	case differ(r.Platform, platform):
		return fmt.Errorf("it is for NPU %s, this one is %s", r.Platform, platform)
	case errNeed == nil && errHave == nil && need > have:
		return fmt.Errorf("it needs %d tiles, this NPU has %d", need, have)
	case differ(r.Runtime, runtime):
		return fmt.Errorf("OpenVINO %s made it, this is %s", r.Runtime, runtime)
	}
	return nil
}
