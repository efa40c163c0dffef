package document

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"dragoman/watch/document/charset"
)

// Encoding is how a text file stores its characters.
type Encoding int

// The encodings ReadText accepts. Those from before UTF-8 are known by what a text says
// itself, or where its bytes tell for certain. UTF-16 is only recognised by its byte order
// mark (RFC 2781, section 3.2): without one it cannot be told from other data.
const (
	UTF8 Encoding = iota
	UTF16LE
	UTF16BE
	Legacy // Text.Charset says which
)

// String names the encoding as IANA does.
func (e Encoding) String() string {
	switch e {
	case UTF8:
		return "UTF-8"
	case UTF16LE:
		return "UTF-16LE"
	case UTF16BE:
		return "UTF-16BE"
	case Legacy:
		return "an encoding from before UTF-8"
	}
	return "unknown"
}

// NotTextError tells at which byte a file stops being text.
type NotTextError struct {
	Path   string
	Offset int64  // of the first offending byte, from the start of the file
	Reason string // for example "byte 0xE9"
	want   string // what the file was read as
}

func (e *NotTextError) Error() string {
	return fmt.Sprintf("%s is not %s text: %s at offset %d; save it as UTF-8, or say which encoding it has (--encoding)", e.Path, e.want, e.Reason, e.Offset)
}

var (
	bomUTF8    = []byte{0xEF, 0xBB, 0xBF}
	bomUTF16LE = []byte{0xFF, 0xFE}
	bomUTF16BE = []byte{0xFE, 0xFF}
	bomUTF32LE = []byte{0xFF, 0xFE, 0, 0}
	bomUTF32BE = []byte{0, 0, 0xFE, 0xFF}
)

// decode recognises the encoding by the byte order mark. Every text it accepts
// is given back byte for byte by Encode.
func decode(raw []byte) (Text, error) { return decodeAs(raw, Reading{}) }

func decodeAs(raw []byte, r Reading) (Text, error) {
	if r.Encoding != "" && !bytes.HasPrefix(raw, bomUTF8) && !bytes.HasPrefix(raw, bomUTF16LE) && !bytes.HasPrefix(raw, bomUTF16BE) {
		return decodeSaid(raw, r.Encoding)
	}
	switch {
	case bytes.HasPrefix(raw, bomUTF32LE), bytes.HasPrefix(raw, bomUTF32BE):
		return Text{}, &NotTextError{Reason: "the byte order mark of UTF-32", want: "UTF-8"}
	case bytes.HasPrefix(raw, bomUTF16LE):
		return decodeUTF16(raw, UTF16LE, binary.LittleEndian)
	case bytes.HasPrefix(raw, bomUTF16BE):
		return decodeUTF16(raw, UTF16BE, binary.BigEndian)
	}
	body := bytes.TrimPrefix(raw, bomUTF8)
	bom := len(body) < len(raw)
	if i := firstBadUTF8(body); i >= 0 {
		if set, ok := charset.DetectIn(raw, r.Language); ok && !bom {
			if body, err := set.Decode(raw); err == nil {
				return Text{Body: body, Encoding: Legacy, Charset: set}, nil
			}
		}
		return Text{}, &NotTextError{
			Offset: int64(len(raw) - len(body) + i),
			Reason: fmt.Sprintf("byte 0x%02X", body[i]),
			want:   "UTF-8",
		}
	}
	return Text{Body: string(body), Encoding: UTF8, BOM: bom}, nil
}

// decodeSaid reads a text in an encoding that the user says it has.
func decodeSaid(raw []byte, label string) (Text, error) {
	set, err := encodingOf(label)
	if err != nil {
		return Text{}, err
	}
	if set == charset.UTF8 {
		if i := firstBadUTF8(raw); i >= 0 {
			return Text{}, &NotTextError{Offset: int64(i), Reason: fmt.Sprintf("byte 0x%02X", raw[i]), want: "UTF-8"}
		}
		return Text{Body: string(raw)}, nil
	}
	body, err := set.Decode(raw)
	if err != nil {
		return Text{}, fmt.Errorf("is not text in %s: say another --encoding, or leave it out", set)
	}
	return Text{Body: body, Encoding: Legacy, Charset: set}, nil
}

// encodingOf is the encoding of a label that a user gives. Windows' programs say latin1 and
// write what that does not have, so it is taken for the larger one.
func encodingOf(label string) (charset.Charset, error) {
	set, ok := charset.Named(label)
	if !ok {
		return set, fmt.Errorf("there is no encoding %q here: say one such as latin1, windows-1252, iso-8859-2, windows-1251, koi8-r, shift_jis, gb18030, big5 or euc-kr", label)
	}
	return set.Whole(), nil
}

// firstBadUTF8 returns the index of the first NUL or of the first byte that is
// not part of valid UTF-8, or -1.
func firstBadUTF8(b []byte) int {
	nul := bytes.IndexByte(b, 0)
	if nul >= 0 {
		b = b[:nul]
	}
	if utf8.Valid(b) {
		return nul
	}
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return nul
}

// decodeUTF16 refuses what UTF-8 cannot hold (unpaired surrogates), since it
// could not be written back.
func decodeUTF16(raw []byte, enc Encoding, order binary.ByteOrder) (Text, error) {
	bad := func(at int, reason string) error {
		return &NotTextError{Offset: int64(at), Reason: reason, want: enc.String()}
	}
	var body strings.Builder
	body.Grow(len(raw) / 2)
	for i := 2; i < len(raw); i += 2 {
		if i+1 >= len(raw) {
			return Text{}, bad(i, "half a character")
		}
		r := rune(order.Uint16(raw[i:]))
		switch {
		case r == 0:
			return Text{}, bad(i, "a NUL character")
		case utf16.IsSurrogate(r):
			pair := rune(utf8.RuneError)
			if i+3 < len(raw) {
				pair = utf16.DecodeRune(r, rune(order.Uint16(raw[i+2:])))
			}
			if pair == utf8.RuneError {
				return Text{}, bad(i, fmt.Sprintf("the unpaired surrogate 0x%04X", r))
			}
			r = pair
			i += 2
		}
		body.WriteRune(r)
	}
	return Text{Body: body.String(), Encoding: enc, BOM: true}, nil
}

// redeclared is body as it is to be written, which says its encoding where the file did,
// and whether the file's own encoding holds it; it is UTF-8 else.
func (t Text) redeclared(body string) (Text, string, bool) {
	said, _, _ := charset.Declared(t.Body)
	if t.Encoding == UTF8 && said != "" && !t.BOM && ascii(t.Body) {
		if set, ok := charset.Named(said); ok && set != charset.UTF8 { // nothing in the file told
			t.Encoding, t.Charset = Legacy, set
		}
	}
	kept := true
	if t.Encoding == Legacy {
		if _, kept = t.Charset.Encode(body); !kept {
			t.Encoding = UTF8
		}
	}
	if said == "" || t.Encoding != UTF8 && t.Encoding != Legacy {
		return t, body, kept
	}
	want := said
	if set, ok := charset.Named(said); t.Encoding == UTF8 && (!ok || set != charset.UTF8) {
		want = "utf-8"
	}
	if now, start, end := charset.Declared(body); now != "" && now != want {
		body = body[:start] + want + body[end:]
	}
	return t, body, kept
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Encode returns body as the bytes of a file in the encoding of t, with a byte
// order mark where t had one. Body must be valid UTF-8. What an encoding from before
// UTF-8 does not have is written in UTF-8.
func (t Text) Encode(body string) ([]byte, error) {
	if !utf8.ValidString(body) {
		return nil, errors.New("encode text: it is not valid UTF-8")
	}
	var order binary.AppendByteOrder
	var out []byte
	switch t.Encoding {
	case UTF8:
		if t.BOM {
			out = append(out, bomUTF8...)
		}
		return append(out, body...), nil
	case Legacy:
		if raw, ok := t.Charset.Encode(body); ok {
			return raw, nil
		}
		return []byte(body), nil
	case UTF16LE:
		order, out = binary.LittleEndian, append(out, bomUTF16LE...)
	case UTF16BE:
		order, out = binary.BigEndian, append(out, bomUTF16BE...)
	default:
		return nil, fmt.Errorf("encode text: unknown encoding %d", t.Encoding)
	}
	for _, unit := range utf16.Encode([]rune(body)) {
		out = order.AppendUint16(out, unit)
	}
	return out, nil
}
