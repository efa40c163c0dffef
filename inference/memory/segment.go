package memory

import (
	"cmp"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"slices"
	"sort"
	"strings"
)

// A segment holds units and where their texts and words are, as one piece of
// bytes that may lie in a mapped file. All numbers are little endian:
//
//	u32 units, exact, words, bytes of postings, bytes of texts
//	exact    (u64 hash of language and text, u32 unit), sorted
//	words    (u32 hash of language and word, u32 place in postings, u32 units), sorted
//	units    u32 place in texts
//	postings the units of each word, ascending, as uvarint differences
//	texts    of each unit: uvarint line, languages; of each language its code and text, with uvarint lengths
//
// Hashes may collide: what they find is compared with what was looked for.
type segment struct {
	exact, words, units, postings, texts []byte
}

const (
	exactSize = 12
	wordSize  = 12
	unitSize  = 4
	headSize  = 20
)

// errIndex is the error of bytes that are no segment.
var errIndex = errors.New("the index of a translation memory is damaged")

func newSegment(data []byte) (s segment, err error) {
	if len(data) < headSize {
		return s, errIndex
	}
	rest := data[headSize:]
	for i, part := range []struct {
		into *[]byte
		size int
	}{{&s.units, unitSize}, {&s.exact, exactSize}, {&s.words, wordSize}, {&s.postings, 1}, {&s.texts, 1}} {
		n := int(binary.LittleEndian.Uint32(data[4*i:])) * part.size
		if n < 0 || n > len(rest) {
			return segment{}, errIndex
		}
		*part.into, rest = rest[:n:n], rest[n:]
	}
	if len(rest) > 0 {
		return segment{}, errIndex
	}
	return s, nil
}

func hashOf(lang, text string) uint64 {
	h := fnv.New64a()
	for _, part := range []string{lang, "\x00", text} {
		_, _ = h.Write([]byte(part))
	}
	return h.Sum64()
}

func wordHash(lang, word string) uint32 {
	h := hashOf(lang, word)
	return uint32(h ^ h>>32)
}

// count is how many units there are.
func (s segment) count() int { return len(s.units) / unitSize }

// same are the units whose text of a language may be text, the last first.
func (s segment) same(lang, text string, yield func(unit uint32) bool) {
	hash := hashOf(lang, text)
	at := func(i int) uint64 { return binary.LittleEndian.Uint64(s.exact[i*exactSize:]) }
	n := len(s.exact) / exactSize
	end := sort.Search(n, func(i int) bool { return at(i) > hash })
	for i := end - 1; i >= 0 && at(i) == hash; i-- {
		if !yield(binary.LittleEndian.Uint32(s.exact[i*exactSize+8:])) {
			return
		}
	}
}

// holding are the units that have a word, as it lies in postings.
func (s segment) holding(lang, word string) (list []byte, units int) {
	hash := wordHash(lang, word)
	at := func(i int) uint32 { return binary.LittleEndian.Uint32(s.words[i*wordSize:]) }
	n := len(s.words) / wordSize
	i := sort.Search(n, func(i int) bool { return at(i) >= hash })
	if i == n || at(i) != hash {
		return nil, 0
	}
	place := int(binary.LittleEndian.Uint32(s.words[i*wordSize+4:]))
	if place > len(s.postings) {
		return nil, 0
	}
	return s.postings[place:], int(binary.LittleEndian.Uint32(s.words[i*wordSize+8:]))
}

// each gives the units of a list.
func each(list []byte, units int, yield func(unit uint32)) {
	unit := uint32(0)
	for range units {
		step, n := binary.Uvarint(list)
		if n <= 0 {
			return
		}
		unit, list = unit+uint32(step), list[n:]
		yield(unit)
	}
}

// text is a unit's text of a language as it lies in the segment.
func (s segment) text(unit uint32, lang string) (text []byte, found bool) {
	s.read(unit, func(code, t []byte) bool {
		if string(code) == lang {
			text, found = t, true
		}
		return !found
	})
	return text, found
}

// unit is a copy.
func (s segment) unit(unit uint32, file string) Unit {
	u := Unit{Texts: map[string]string{}, File: file}
	u.Line = s.read(unit, func(code, t []byte) bool {
		u.Texts[string(code)] = string(t)
		return true
	})
	return u
}

// read gives the languages and texts of a unit, and its line.
func (s segment) read(unit uint32, yield func(code, text []byte) bool) (line int) {
	if int(unit) >= s.count() {
		return 0
	}
	place := int(binary.LittleEndian.Uint32(s.units[int(unit)*unitSize:]))
	if place > len(s.texts) {
		return 0
	}
	rest := s.texts[place:]
	number := func() int {
		v, n := binary.Uvarint(rest)
		if n <= 0 {
			rest = nil // nothing behind it can be read
			return 0
		}
		rest = rest[n:]
		return int(v)
	}
	piece := func() []byte {
		n := number()
		if n < 0 || n > len(rest) {
			n = len(rest)
		}
		p := rest[:n]
		rest = rest[n:]
		return p
	}
	line = number()
	for n := number(); n > 0 && len(rest) > 0; n-- { // a damaged number may be any
		code := piece()
		if !yield(code, piece()) {
			break
		}
	}
	return line
}

// builder makes a segment.
type builder struct {
	units []uint32 // places in texts
	texts []byte
	exact []exactEntry
	words []uint64 // hash, and unit in the lower half
}

type exactEntry struct {
	hash uint64
	unit uint32
}

// full says that the next unit belongs into another segment: what a segment takes
// while it is built is bounded.
func (b *builder) full() bool { return len(b.units) >= 100_000 || len(b.texts) >= 32<<20 }

func (b *builder) add(u Unit) {
	id := uint32(len(b.units))
	b.units = append(b.units, uint32(len(b.texts)))
	b.texts = binary.AppendUvarint(b.texts, uint64(max(u.Line, 0)))
	b.texts = binary.AppendUvarint(b.texts, uint64(len(u.Texts)))
	codes := make([]string, 0, len(u.Texts))
	for code := range u.Texts {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	for _, code := range codes {
		for _, piece := range []string{code, u.Texts[code]} {
			b.texts = binary.AppendUvarint(b.texts, uint64(len(piece)))
			b.texts = append(b.texts, piece...)
		}
		normal := Normal(u.Texts[code])
		b.exact = append(b.exact, exactEntry{hashOf(code, normal), id})
		for _, word := range distinct(wordsOf(normal)) {
			b.words = append(b.words, uint64(wordHash(code, word))<<32|uint64(id))
		}
	}
}

// bytes are the segment of what was added.
func (b *builder) bytes() []byte {
	slices.SortFunc(b.exact, func(x, y exactEntry) int { return cmp.Or(cmp.Compare(x.hash, y.hash), cmp.Compare(x.unit, y.unit)) })
	slices.Sort(b.words)
	b.words = slices.Compact(b.words)
	var words, postings []byte
	for i := 0; i < len(b.words); {
		hash, place, n, before := uint32(b.words[i]>>32), len(postings), 0, uint32(0)
		for ; i < len(b.words) && uint32(b.words[i]>>32) == hash; i++ {
			unit := uint32(b.words[i])
			postings = binary.AppendUvarint(postings, uint64(unit-before))
			before = unit
			n++
		}
		words = appendNumbers(words, hash, uint32(place), uint32(n))
	}
	out := appendNumbers(nil, uint32(len(b.units)), uint32(len(b.exact)), uint32(len(words)/wordSize), uint32(len(postings)), uint32(len(b.texts)))
	out = appendNumbers(out, b.units...)
	for _, e := range b.exact {
		out = binary.LittleEndian.AppendUint64(out, e.hash)
		out = binary.LittleEndian.AppendUint32(out, e.unit)
	}
	out = append(out, words...)
	out = append(out, postings...)
	return append(out, b.texts...)
}

func appendNumbers(out []byte, numbers ...uint32) []byte {
	for _, n := range numbers {
		out = binary.LittleEndian.AppendUint32(out, n)
	}
	return out
}

// Normal is a text as it is compared: without white space at its ends, and with
// single spaces in it.
func Normal(text string) string { return strings.Join(strings.Fields(text), " ") }
