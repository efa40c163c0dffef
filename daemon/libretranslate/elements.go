package libretranslate

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// names makes a set.
func names(list string) map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(list) {
		set[name] = true
	}
	return set
}

var (
	// untranslated have content that is no language or not shown.
	untranslated = names("script style textarea code kbd samp var math noscript noembed noframes iframe xmp plaintext template")
	// void elements have no end (HTML standard, section 13.1.2).
	void = names("area base br col embed hr img input link meta param source track wbr")
	// ended by the next of their kind without an end tag (section 13.1.2.4).
	selfEnding = names("p li dt dd td th tr option")
	// endsParagraph are those whose start ends a p.
	endsParagraph = names(`address article aside blockquote details div dl fieldset figure footer form h1 h2 h3 h4 h5 h6
		header hr main nav ol p pre section table ul`)
)

// openElements are the elements around the place that is read.
type openElements struct {
	stack []element
	count map[string]int // of each name in the stack, so that a stray end tag costs nothing
}

type element struct {
	name         string
	translated   bool
	preformatted bool
}

func (o *openElements) top() element {
	if len(o.stack) == 0 {
		return element{translated: true}
	}
	return o.stack[len(o.stack)-1]
}

func (o *openElements) translated() bool   { return o.top().translated }
func (o *openElements) preformatted() bool { return o.top().preformatted }

func (o *openElements) start(tokens *html.Tokenizer) {
	tag, more := tokens.TagName()
	name := string(tag)
	top := o.top().name
	if top == name && selfEnding[name] || top == "p" && endsParagraph[name] {
		o.pop()
	}
	if void[name] {
		return
	}
	parent := o.top()
	e := element{name, parent.translated && !untranslated[name], parent.preformatted || name == "pre"}
	for more {
		var key, value []byte
		key, value, more = tokens.TagAttr()
		switch string(key) {
		case "translate":
			switch strings.ToLower(string(value)) {
			case "no":
				e.translated = false
			case "yes", "":
				e.translated = !untranslated[name]
			}
		case "class":
			if slices.Contains(strings.Fields(string(value)), "notranslate") {
				e.translated = false
			}
		}
	}
	if o.count == nil {
		o.count = map[string]int{}
	}
	o.count[name]++
	o.stack = append(o.stack, e)
}

// end closes the nearest element of the name and all in it.
func (o *openElements) end(name string) {
	if o.count[name] == 0 {
		return
	}
	for o.pop() != name {
	}
}

func (o *openElements) pop() string {
	last := len(o.stack) - 1
	name := o.stack[last].name
	o.stack = o.stack[:last]
	o.count[name]--
	return name
}
