package pdf

import (
	"bytes"
	"compress/zlib"
	"encoding/ascii85"
	"encoding/hex"
	"errors"
	"io"
	"iter"
	"regexp"
	"strconv"
)

// Limits, above what real files have.
const (
	maxObjects  = 1_000_000
	maxStream   = 64 << 20  // bytes of one stream, unpacked
	maxUnpacked = 256 << 20 // bytes of all that are unpacked or read, again for each use
	maxKnown    = 16 << 20  // bytes of objects that are kept as they were read
	eachStream  = 256       // bytes that a stream counts for, were it empty
)

var (
	errTooLarge = errors.New("what is packed in it, or used again and again, is larger than 256 MiB")
	errNoPages  = errors.New("its pages are not found")
)

// file finds objects by looking for them from end to end, not by the tables of places,
// which damaged and hostile files have wrong.
type file struct {
	data     []byte
	places   map[ref]int // of the last definition of each object, behind its "obj"
	known    map[ref]any // those in streams of objects, and those that were read before
	kept     int         // bytes of known ones in the file
	unpacked int64
	read     int64
}

var (
	objectPack = regexp.MustCompile(`/Type[\x00\t\n\f\r ]*/ObjStm\b`)
	rootKey    = regexp.MustCompile(`/Root[\x00\t\n\f\r ]+(\d{1,10})[\x00\t\n\f\r ]+\d{1,5}[\x00\t\n\f\r ]+R\b`)
	encryptKey = regexp.MustCompile(`/Encrypt[\x00\t\n\f\r ]*(<<|\d+[\x00\t\n\f\r ]+\d+[\x00\t\n\f\r ]+R\b)`)
)

func open(data []byte) (*file, error) {
	if encryptKey.Match(data) {
		return nil, errors.New("it is protected by a password or against copying")
	}
	f := &file{data: data, places: map[ref]int{}, known: map[ref]any{}}
	var packs []ref
	for number, at := range objects(data) {
		if len(f.places) >= maxObjects {
			return nil, errors.New("it has more than a million objects")
		}
		f.places[number] = at
		if objectPack.Match(data[at:min(len(data), at+300)]) {
			packs = append(packs, number)
		}
	}
	for _, p := range packs {
		if err := f.unpack(p); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// objects are where those of a file are defined: their numbers, and the places behind
// "obj". That word is looked for, and then what stands before it.
func objects(data []byte) iter.Seq2[ref, int] {
	return func(yield func(ref, int) bool) {
		for at := 0; ; {
			next := bytes.Index(data[at:], []byte("obj"))
			if next < 0 {
				return
			}
			before := data[:at+next]
			if at += next + len("obj"); at < len(data) && isWord(data[at]) {
				continue
			}
			generation, before := lastNumber(before)
			number, _ := lastNumber(before)
			if len(generation) == 0 || len(generation) > 5 || len(number) == 0 {
				continue
			}
			n, err := strconv.Atoi(string(number[max(0, len(number)-10):]))
			if err == nil && !yield(ref(n), at) {
				return
			}
		}
	}
}

// lastNumber are the digits at the end of data before white space, which there must be,
// and what is before them.
func lastNumber(data []byte) (digits, before []byte) {
	end := len(data)
	for end > 0 && isSpace(data[end-1]) {
		end--
	}
	begin := end
	for begin > 0 && data[begin-1] >= '0' && data[begin-1] <= '9' {
		begin--
	}
	if end == len(data) {
		return nil, nil
	}
	return data[begin:end], data[:begin]
}

func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '_'
}

// unpack reads a stream of objects (section 7.5.7).
func (f *file) unpack(at ref) error {
	s, ok := f.get(at).(*stream)
	if !ok {
		return nil
	}
	data, err := f.content(s)
	if err != nil {
		return err
	}
	count, first := int(f.number(s.dict["N"])), int(f.number(s.dict["First"]))
	if first <= 0 || first > len(data) {
		return nil
	}
	head := &lexer{data: data[:first]}
	for range min(count, maxObjects) {
		num, ok1 := head.object(0).(float64)
		offset, ok2 := head.object(0).(float64)
		if !ok1 || !ok2 || offset < 0 || first+int(offset) > len(data) {
			return nil
		}
		if len(f.known) >= maxObjects {
			return errors.New("it has more than a million objects")
		}
		f.known[ref(num)] = (&lexer{data: data, at: first + int(offset)}).object(0)
	}
	return nil
}

// get is the object of a reference, or what is none as it is.
func (f *file) get(o any) any {
	for range 20 { // references to references
		r, ok := o.(ref)
		if !ok {
			return o
		}
		if o, ok = f.known[r]; ok {
			continue
		}
		at, ok := f.places[r]
		if !ok || f.read > maxUnpacked {
			return nil
		}
		var n int
		o, n = f.objectAt(at)
		f.read += int64(n)
		if f.kept+n <= maxKnown {
			f.kept += n
			f.known[r] = o
		}
	}
	return nil
}

// objectAt reads the object at a place, and says how long it is.
func (f *file) objectAt(at int) (any, int) {
	l := &lexer{data: f.data, at: at}
	o := l.object(0)
	d, isDict := o.(dict)
	if !isDict {
		return o, l.at - at
	}
	l.blank()
	from := l.at
	if !bytes.HasPrefix(f.data[from:], []byte("stream")) {
		return d, from - at
	}
	from += len("stream")
	if from < len(f.data) && f.data[from] == '\r' {
		from++
	}
	if from < len(f.data) && f.data[from] == '\n' {
		from++
	}
	return &stream{dict: d, at: from}, from - at
}

func (f *file) dict(o any) dict {
	switch o := f.get(o).(type) {
	case dict:
		return o
	case *stream:
		return o.dict
	}
	return nil
}

func (f *file) array(o any) array { a, _ := f.get(o).(array); return a }

func (f *file) number(o any) float64 { n, _ := f.get(o).(float64); return n }

func (f *file) name(o any) name { n, _ := f.get(o).(name); return n }

// raw are the bytes of a stream as they are packed.
func (f *file) raw(s *stream) []byte {
	rest := f.data[min(s.at, len(f.data)):]
	if n := int(f.number(s.dict["Length"])); n > 0 && n <= len(rest) {
		after := bytes.TrimLeft(rest[n:min(len(rest), n+20)], "\r\n ")
		if bytes.HasPrefix(after, []byte("endstream")) {
			return rest[:n]
		}
	}
	if i := bytes.Index(rest, []byte("endstream")); i >= 0 {
		return rest[:i]
	}
	return rest
}

// content unpacks a stream; nothing where it is packed in another way than texts are.
// Damaged ones are read as far as they go.
func (f *file) content(s *stream) ([]byte, error) {
	raw := f.raw(s)
	if f.read += int64(len(raw)) + eachStream; f.read > maxUnpacked {
		return nil, errTooLarge
	}
	var r io.Reader = bytes.NewReader(raw)
	filters, params := f.list(s.dict["Filter"]), f.list(s.dict["DecodeParms"])
	if len(filters) > 4 {
		return nil, nil
	}
	for i, filter := range filters {
		switch f.name(filter) {
		case "FlateDecode", "Fl":
			z, err := zlib.NewReader(r)
			if err != nil {
				return nil, nil
			}
			r = z
			if i < len(params) {
				if p := f.dict(params[i]); f.number(p["Predictor"]) >= 10 {
					r = &unpredict{r: r, width: int(max(1, min(f.number(p["Columns"]), 1<<16)))}
				}
			}
		case "ASCII85Decode", "A85":
			r = ascii85.NewDecoder(&until{r: r, stop: '~'})
		case "ASCIIHexDecode", "AHx":
			r = hex.NewDecoder(&until{r: r, stop: '>'})
		default:
			return nil, nil
		}
	}
	data, _ := io.ReadAll(io.LimitReader(r, maxStream+1))
	if f.unpacked += int64(len(data)); len(data) > maxStream || f.unpacked > maxUnpacked {
		return nil, errTooLarge
	}
	return data, nil
}

// list is an array, or one thing as one.
func (f *file) list(o any) array {
	switch o := f.get(o).(type) {
	case nil:
		return nil
	case array:
		return o
	default:
		return array{o}
	}
}

// until leaves out white space and ends before a mark.
type until struct {
	r    io.Reader
	stop byte
	done bool
}

func (u *until) Read(p []byte) (int, error) {
	for !u.done {
		n, err := u.r.Read(p)
		kept := 0
		for _, c := range p[:n] {
			if c == u.stop {
				u.done = true
				break
			}
			if !isSpace(c) {
				p[kept] = c
				kept++
			}
		}
		if kept > 0 || err != nil {
			return kept, err
		}
	}
	return 0, io.EOF
}

// unpredict undoes the filters of PNG for bytes (PNG specification, section 9.2).
type unpredict struct {
	r     io.Reader
	width int
	row   []byte
	out   []byte
}

func (u *unpredict) Read(p []byte) (int, error) {
	if len(u.out) == 0 {
		line := make([]byte, 1+u.width)
		if _, err := io.ReadFull(u.r, line); err != nil {
			return 0, io.EOF
		}
		if u.row == nil {
			u.row = make([]byte, u.width)
		}
		left, corner := 0, 0
		for i, c := range line[1:] {
			up := int(u.row[i])
			switch line[0] {
			case 1:
				c += byte(left)
			case 2:
				c += byte(up)
			case 3:
				c += byte((left + up) / 2)
			case 4:
				c += paeth(left, up, corner)
			}
			corner, left = up, int(c)
			u.row[i] = c
		}
		u.out = append(u.out[:0], u.row...)
	}
	n := copy(p, u.out)
	u.out = u.out[n:]
	return n, nil
}

func paeth(a, b, c int) byte {
	p := a + b - c
	distance := func(x int) int { return max(p-x, x-p) }
	switch {
	case distance(a) <= distance(b) && distance(a) <= distance(c):
		return byte(a)
	case distance(b) <= distance(c):
		return byte(b)
	}
	return byte(c)
}
