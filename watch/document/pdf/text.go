package pdf

import (
	"errors"
	"math"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"dragoman/watch/document/segment"
)

const (
	maxOps    = 30_000_000 // operators of all pages
	maxForms  = 8          // forms within forms
	maxStates = 500        // that are saved
	maxLine   = 1 << 20    // bytes
)

// matrix is a b c d e f of the specification (section 8.3.4).
type matrix [6]float64

func (m matrix) mul(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

var identity = matrix{1, 0, 0, 1, 0, 0}

type state struct {
	ctm                                    matrix
	font                                   *font
	size, char, word, scale, leading, rise float64
}

// line is one of a page, as it is drawn.
type line struct {
	text       strings.Builder
	from, to   float64 // along the line
	base, size float64 // across, and how high its characters are
	turned     float64 // radians
}

type page struct {
	*walker
	data   []byte
	lines  []*line
	last   *line
	text   matrix
	start  matrix // of the line
	states []state
	now    state
}

var errTooMuch = errors.New("its pages are drawn with more than 30 million steps")

// pictureEnd is the operator behind the bytes of a picture, which may have its letters
// among them.
var pictureEnd = regexp.MustCompile(`[\x00\t\n\f\r ]EI\b`)

// run carries out the operators of text.
func (p *page) run(data []byte, resources dict, depth int) error {
	if depth == 0 {
		p.now = state{ctm: identity, scale: 1}
		p.text, p.start = identity, identity
	}
	saved := len(p.states)
	fonts, forms := p.file.dict(resources["Font"]), p.file.dict(resources["XObject"])
	l := &lexer{data: data}
	var args []any
	for {
		one := l.object(0)
		if one == endData {
			break
		}
		op, ok := one.(keyword)
		if !ok {
			if args = append(args, one); len(args) > 64 {
				args = args[1:]
			}
			continue
		}
		if p.ops++; p.ops > maxOps {
			return errTooMuch
		}
		if op == "BI" { // a picture
			found := pictureEnd.FindIndex(l.data[l.at:])
			if found == nil {
				break
			}
			l.at += found[1]
		}
		switch {
		case op == "Tf" && len(args) >= 2:
			p.now.size, _ = args[len(args)-1].(float64)
			named, _ := args[len(args)-2].(name)
			if err := p.setFont(fonts[named]); err != nil {
				return err
			}
		case op == "Do" && len(args) > 0:
			named, _ := args[len(args)-1].(name)
			if err := p.form(forms[named], resources, depth); err != nil {
				return err
			}
		default:
			p.operator(op, args, saved)
		}
		args = args[:0]
	}
	if len(p.states) > saved {
		p.states = p.states[:saved]
	}
	return nil
}

func numbers(args []any, n int) []float64 {
	out := make([]float64, n)
	if len(args) < n {
		return out
	}
	for i := range out {
		out[i], _ = args[len(args)-n+i].(float64)
	}
	return out
}

// operator carries out one that needs no resources.
func (p *page) operator(op keyword, args []any, saved int) {
	var last any
	if len(args) > 0 {
		last = args[len(args)-1]
	}
	switch op {
	case "q":
		if len(p.states) < maxStates {
			p.states = append(p.states, p.now)
		}
	case "Q":
		if n := len(p.states); n > saved {
			p.now, p.states = p.states[n-1], p.states[:n-1]
		}
	case "cm":
		p.now.ctm = matrix(numbers(args, 6)).mul(p.now.ctm)
	case "BT":
		p.text, p.start = identity, identity
	case "Td":
		n := numbers(args, 2)
		p.move(n[0], n[1])
	case "TD":
		n := numbers(args, 2)
		p.now.leading = -n[1]
		p.move(n[0], n[1])
	case "Tm":
		p.start = matrix(numbers(args, 6))
		p.text = p.start
	case "T*":
		p.move(0, -p.now.leading)
	case "Tc":
		p.now.char = numbers(args, 1)[0]
	case "Tw":
		p.now.word = numbers(args, 1)[0]
	case "Tz":
		p.now.scale = numbers(args, 1)[0] / 100
	case "TL":
		p.now.leading = numbers(args, 1)[0]
	case "Ts":
		p.now.rise = numbers(args, 1)[0]
	case "Tj":
		p.show(last)
	case "'":
		p.move(0, -p.now.leading)
		p.show(last)
	case "\"":
		if len(args) >= 3 {
			n := numbers(args[:len(args)-1], 2)
			p.now.word, p.now.char = n[0], n[1]
		}
		p.move(0, -p.now.leading)
		p.show(last)
	case "TJ":
		list, _ := last.(array)
		for _, one := range list {
			if n, ok := one.(float64); ok {
				p.advance(-n / 1000 * p.now.size * p.now.scale)
			} else {
				p.show(one)
			}
		}
	}
}

func (p *page) move(x, y float64) {
	p.start = matrix{1, 0, 0, 1, x, y}.mul(p.start)
	p.text = p.start
}

func (p *page) advance(by float64) { p.text = matrix{1, 0, 0, 1, by, 0}.mul(p.text) }

func (p *page) setFont(entry any) error {
	r, isRef := entry.(ref)
	if known := p.fonts[r]; isRef && known != nil {
		p.now.font = known
		return nil
	}
	f, err := p.file.font(entry)
	if err != nil {
		return err
	}
	if isRef {
		p.fonts[r] = f
	}
	p.now.font = f
	return nil
}

// form draws what is a page within the page.
func (p *page) form(o any, resources dict, depth int) error {
	s, ok := p.file.get(o).(*stream)
	if !ok || p.file.name(s.dict["Subtype"]) != "Form" || depth >= maxForms {
		return nil
	}
	data, err := p.file.content(s)
	if err != nil {
		return err
	}
	before, text, start := p.now, p.text, p.start
	if m := p.file.array(s.dict["Matrix"]); len(m) == 6 {
		p.now.ctm = matrix(numbers(m, 6)).mul(p.now.ctm)
	}
	own := p.file.dict(s.dict["Resources"])
	if own == nil {
		own = resources
	}
	err = p.run(data, own, depth+1)
	p.now, p.text, p.start = before, text, start
	return err
}

// show draws a string. Where it is further to the right than characters are apart, there
// is a space; where it is on another height, a line ends.
func (p *page) show(o any) {
	s, ok := o.(text)
	if !ok || p.now.font == nil {
		return
	}
	p.now.font.text(s, func(shown string, width float64, space bool) {
		m := matrix{p.now.size * p.now.scale, 0, 0, p.now.size, 0, p.now.rise}.mul(p.text).mul(p.now.ctm)
		p.put(shown, m, width/1000)
		by := width/1000*p.now.size + p.now.char
		if space {
			by += p.now.word
		}
		p.advance(by * p.now.scale)
	})
}

// full says whether there is more text than is read.
func (p *page) full() bool { return p.size > maxOutput || len(p.lines) > maxLines }

func (p *page) put(shown string, m matrix, width float64) {
	if p.full() {
		return
	}
	across := math.Hypot(m[0], m[1])
	size := math.Hypot(m[2], m[3])
	if across == 0 || size == 0 || math.IsNaN(across+size+m[4]+m[5]) || math.IsInf(across+size+m[4]+m[5], 0) {
		return
	}
	turned := math.Atan2(m[1], m[0])
	cos, sin := m[0]/across, m[1]/across
	along, base := m[4]*cos+m[5]*sin, m[5]*cos-m[4]*sin
	end := along + width*across
	l := p.last
	blank := strings.TrimSpace(shown) == ""
	if l == nil || math.Abs(base-l.base) > 0.5*max(size, l.size) || math.Abs(turned-l.turned) > 0.01 || along < l.to-3*size || along > l.to+2.5*size || l.text.Len() > maxLine {
		if blank {
			return
		}
		p.endLine()
		l = &line{from: along, to: along, base: base, size: size, turned: turned}
		p.last = l
	}
	if gap := along - l.to; !blank && gap > 0.2*size && l.text.Len() > 0 && !strings.HasSuffix(l.text.String()[max(0, l.text.Len()-1):], " ") {
		l.text.WriteByte(' ')
	}
	if math.Abs(base-l.base) < 0.05*size || size > l.size {
		l.size = max(l.size, size)
	}
	shown = clean(shown)
	l.text.WriteString(shown)
	p.size += len(shown)
	if !blank {
		l.to = end
	}
}

// clean leaves out what is no character of a text.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\u00a0' || r == '\t' || r == '\n' || r == '\r':
			return ' '
		case r < ' ' || r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Co):
			return -1
		}
		return r
	}, ligatures.Replace(s))
}

var ligatures = strings.NewReplacer("ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "\u00ad", "-")

func (p *page) endLine() {
	if p.last != nil && strings.TrimSpace(p.last.text.String()) != "" {
		p.lines = append(p.lines, p.last)
	}
	p.last = nil
}

// paragraphs joins the lines of a page that go on with each other.
func paragraphs(lines []*line) (all []string) {
	leading := usual(lines)
	var b []byte
	end := func() {
		if s := strings.Join(strings.Fields(string(b)), " "); s != "" {
			all = append(all, s)
		}
		b = b[:0]
	}
	right := 0.0
	for _, l := range lines {
		right = max(right, l.to)
	}
	for i, l := range lines {
		if i > 0 && parts(lines[i-1], l, leading) {
			end()
		}
		t := strings.TrimSpace(l.text.String())
		last, _ := utf8.DecodeLastRune(b)
		first, _ := utf8.DecodeRuneInString(t)
		switch {
		case len(b) == 0:
		case last == '-' && unicode.IsLower(first) && wordBefore(b):
			b = b[:len(b)-1]
		default:
			b = append(b, segment.LineEnd(string(b[max(0, len(b)-utf8.UTFMax):]), t)...)
		}
		b = append(b, t...)
	}
	end()
	return all
}

// wordBefore says whether a hyphen comes after a letter: it parts a word.
func wordBefore(s []byte) bool {
	r, _ := utf8.DecodeLastRune(s[:len(s)-1])
	return unicode.IsLetter(r)
}

// usual is the distance that most lines are apart.
func usual(lines []*line) float64 {
	count := map[int]int{}
	best := 0
	for i := 1; i < len(lines); i++ {
		d := lines[i-1].base - lines[i].base
		if d <= 0 || d > 3*lines[i].size {
			continue
		}
		k := int(math.Round(d * 2))
		if count[k]++; count[k] > count[best] {
			best = k
		}
	}
	return float64(best) / 2
}

// parts says whether a paragraph ends between two lines.
func parts(a, b *line, leading float64) bool {
	down := a.base - b.base
	size := max(a.size, b.size)
	text, next := strings.TrimSpace(a.text.String()), strings.TrimSpace(b.text.String())
	first, _ := utf8.DecodeRuneInString(next)
	last, _ := utf8.DecodeLastRuneInString(text)
	goesOn := unicode.IsLower(first) && !strings.ContainsRune(".!?:", last)
	switch {
	case math.Abs(a.turned-b.turned) > 0.01, math.Abs(a.size-b.size) > 0.15*size:
		return true
	case item(next):
		return true
	case down < 0: // the next column
		return !goesOn
	case leading > 0 && down > 1.25*leading+0.1*size && down > 1.3*size:
		return true
	case down > 2.5*size:
		return true
	case b.from > a.from+0.9*size && !goesOn && !item(text): // its first line is indented
		return true
	case strings.ContainsRune(".!?:。！？", last) && a.to < b.to-2*size && a.to-a.from < 0.8*(b.to-b.from):
		return true // its last line is short
	}
	return false
}

// item says whether a line begins an item of a list.
func item(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	if strings.ContainsRune("•‣▪◦●○■–—*", r) && strings.HasPrefix(s[n:], " ") {
		return true
	}
	digits := strings.TrimLeft(s, "0123456789")
	return len(digits) < len(s) && len(s)-len(digits) <= 3 && (strings.HasPrefix(digits, ". ") || strings.HasPrefix(digits, ") "))
}
