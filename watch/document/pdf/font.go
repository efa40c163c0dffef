package pdf

import (
	"strconv"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"

	"dragoman/watch/document/charset"
)

// font says which characters codes stand for, and how wide they are.
type font struct {
	wide    bool               // codes have two bytes
	direct  *charset.Charset   // codes are bytes of an encoding
	utf16   bool               // codes are UTF-16
	unicode map[uint32]string  // of ToUnicode
	ranges  []span             // of ToUnicode
	simple  [256]string        // of fonts whose codes have one byte
	widths  map[uint32]float64 // in thousandths
	missing float64
}

type span struct {
	from, to uint32
	first    []uint16
}

const maxMapped = 200_000 // characters of one font

func (f *file) font(o any) (*font, error) {
	d := f.dict(o)
	t := &font{unicode: map[uint32]string{}, widths: map[uint32]float64{}, missing: 500}
	if d == nil {
		return t, nil
	}
	if d["Subtype"] == name("Type0") {
		f.composite(t, d)
	} else {
		f.simple(t, d)
	}
	if s, ok := f.get(d["ToUnicode"]).(*stream); ok {
		data, err := f.content(s)
		if err != nil {
			return nil, err
		}
		t.readCMap(data)
	}
	return t, nil
}

// cjk are the encodings of predefined maps of characters (section 9.7.5.2).
var cjk = map[string]string{"GBK": "gbk", "GBKp": "gbk", "GBK2K": "gb18030", "GB": "gbk", "90ms": "shift_jis", "90msp": "shift_jis", "83pv": "shift_jis", "Ext": "shift_jis", "EUC": "euc-jp", "KSCms": "euc-kr", "KSC": "euc-kr", "ETen": "big5", "ETenms": "big5", "B5pc": "big5", "HKscs": "big5"}

func (f *file) composite(t *font, d dict) {
	t.wide = true
	encoding := string(f.name(d["Encoding"]))
	kind, _, _ := strings.Cut(encoding, "-")
	if strings.HasPrefix(encoding, "Uni") {
		t.utf16 = strings.Contains(encoding, "UCS2") || strings.Contains(encoding, "UTF16")
	} else if label := cjk[kind]; label != "" {
		if set, ok := charset.Named(label); ok {
			t.direct = &set
		}
	}
	below := f.array(d["DescendantFonts"])
	if len(below) == 0 {
		return
	}
	inner := f.dict(below[0])
	t.missing = 1000
	if n, ok := f.get(inner["DW"]).(float64); ok {
		t.missing = n
	}
	w := f.array(inner["W"])
	for i := 0; i+1 < len(w) && len(t.widths) < maxMapped; {
		from := uint32(max(0, f.number(w[i])))
		if list, ok := f.get(w[i+1]).(array); ok {
			for k, one := range list {
				t.widths[from+uint32(k)] = f.number(one)
			}
			i += 2
			continue
		}
		if i+2 >= len(w) {
			break
		}
		to, width := uint32(max(0, f.number(w[i+1]))), f.number(w[i+2])
		for c := from; c <= to && c-from < 1<<16 && len(t.widths) < maxMapped; c++ {
			t.widths[c] = width
		}
		i += 3
	}
}

func (f *file) simple(t *font, d dict) {
	base, differences := f.name(d["Encoding"]), array(nil)
	if e := f.dict(d["Encoding"]); e != nil {
		base, differences = f.name(e["BaseEncoding"]), f.array(e["Differences"])
	}
	table := charmap.Windows1252
	if base == "MacRomanEncoding" {
		table = charmap.Macintosh
	}
	for i := range 256 {
		if r := table.DecodeByte(byte(i)); r >= ' ' && r != 0xFFFD {
			t.simple[i] = string(r)
		}
	}
	if base == "" {
		for c, s := range standard {
			t.simple[c] = s
		}
	}
	code := 0
	for _, one := range differences {
		switch one := f.get(one).(type) {
		case float64:
			code = int(one)
		case name:
			if code >= 0 && code < 256 {
				t.simple[code] = glyph(string(one))
			}
			code++
		}
	}
	first := f.number(d["FirstChar"])
	for i, w := range f.array(d["Widths"]) {
		if i < 256 && first >= 0 && first < 256 {
			t.widths[uint32(first)+uint32(i)] = f.number(w)
		}
	}
	if n := f.number(f.dict(d["FontDescriptor"])["MissingWidth"]); n > 0 {
		t.missing = n
	}
	if d["Subtype"] == name("Type3") { // whose widths are in a space of its own
		t.widths = map[uint32]float64{}
	}
}

// standard is where Adobe's StandardEncoding is another than Windows'.
var standard = map[byte]string{0x27: "’", 0x60: "‘", 0xA4: "⁄", 0xA8: "¤", 0xA9: "'", 0xAA: "“", 0xAC: "‹", 0xAD: "›", 0xAE: "fi", 0xAF: "fl", 0xB1: "–", 0xB2: "†", 0xB3: "‡", 0xB4: "·", 0xB7: "•", 0xB8: "‚", 0xB9: "„", 0xBA: "”", 0xBC: "…", 0xBD: "‰", 0xC1: "`", 0xC2: "´", 0xC3: "ˆ", 0xC4: "˜", 0xC5: "¯", 0xD0: "—", 0xE1: "Æ", 0xE8: "Ł", 0xE9: "Ø", 0xEA: "Œ", 0xF1: "æ", 0xF5: "ı", 0xF8: "ł", 0xF9: "ø", 0xFA: "œ", 0xFB: "ß"}

// glyph is the text of a glyph's name (Adobe Glyph List Specification, section 2).
func glyph(name string) string {
	name, _, _ = strings.Cut(name, ".")
	if s, ok := glyphs[name]; ok {
		return s
	}
	if len(name) == 1 {
		return name
	}
	digits, ok := strings.CutPrefix(name, "uni")
	if ok && len(digits) >= 4 {
		digits = digits[:4]
	} else if digits, ok = strings.CutPrefix(name, "u"); !ok {
		return accented(name)
	}
	if n, err := strconv.ParseUint(digits, 16, 21); err == nil && n >= ' ' && n <= 0x10FFFF {
		return string(rune(n))
	}
	return accented(name)
}

// text reads a string, character by character with its width in thousandths.
func (t *font) text(s text, each func(shown string, width float64, space bool)) {
	if t.direct != nil {
		if shown, err := t.direct.Decode(s); err == nil {
			for _, r := range shown {
				each(string(r), t.missing, r == ' ')
			}
		}
		return
	}
	if t.utf16 && len(t.unicode) == 0 && len(t.ranges) == 0 {
		var units []uint16
		for i := 0; i+1 < len(s); i += 2 {
			units = append(units, uint16(s[i])<<8|uint16(s[i+1]))
		}
		for _, r := range utf16.Decode(units) {
			each(string(r), t.missing, r == ' ')
		}
		return
	}
	for i := 0; i < len(s); {
		code, n := uint32(s[i]), 1
		if t.wide {
			if i+1 == len(s) {
				return
			}
			code, n = code<<8|uint32(s[i+1]), 2
		}
		i += n
		width, ok := t.widths[code]
		if !ok {
			width = t.missing
		}
		shown, ok := t.mapped(code)
		if !ok && !t.wide {
			shown = t.simple[code]
		}
		each(shown, width, n == 1 && code == ' ')
	}
}

func (t *font) mapped(code uint32) (string, bool) {
	if s, ok := t.unicode[code]; ok {
		return s, true
	}
	for _, r := range t.ranges {
		if code >= r.from && code <= r.to {
			units := append([]uint16(nil), r.first...)
			units[len(units)-1] += uint16(code - r.from)
			return string(utf16.Decode(units)), true
		}
	}
	return "", false
}

// readCMap reads the maps of a ToUnicode stream (section 9.10.3).
func (t *font) readCMap(data []byte) {
	l := &lexer{data: data}
	var args []any
	for {
		one := l.object(0)
		if one == endData {
			return
		}
		k, ok := one.(keyword)
		if !ok {
			if args = append(args, one); len(args) > 3000 {
				args = args[1:]
			}
			continue
		}
		switch k {
		case "endbfchar":
			for i := 0; i+1 < len(args) && len(t.unicode) < maxMapped; i += 2 {
				code, ok1 := args[i].(text)
				shown, ok2 := args[i+1].(text)
				if ok1 && ok2 {
					t.unicode[number(code)] = string(utf16.Decode(units(shown)))
				}
			}
		case "endbfrange":
			for i := 0; i+2 < len(args); i += 3 {
				from, ok1 := args[i].(text)
				to, ok2 := args[i+1].(text)
				if !ok1 || !ok2 {
					break
				}
				switch first := args[i+2].(type) {
				case text:
					if u := units(first); len(u) > 0 && len(t.ranges) < 1000 {
						t.ranges = append(t.ranges, span{number(from), number(to), u})
					}
				case array:
					for k, one := range first {
						if s, ok := one.(text); ok && len(t.unicode) < maxMapped {
							t.unicode[number(from)+uint32(k)] = string(utf16.Decode(units(s)))
						}
					}
				}
			}
		}
		args = nil
	}
}

func number(s text) (n uint32) {
	for _, c := range s {
		n = n<<8 | uint32(c)
	}
	return n
}

func units(s text) (all []uint16) {
	for i := 0; i+1 < len(s) && i < 64; i += 2 {
		all = append(all, uint16(s[i])<<8|uint16(s[i+1]))
	}
	return all
}
