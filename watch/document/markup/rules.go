package markup

import (
	"regexp"
	"slices"
	"strings"

	"dragoman/internal/english"
	"dragoman/watch/document/segment"
	"dragoman/watch/document/xmltext"
)

// answer of a rule.
type answer int

const (
	unsaid answer = iota
	yes
	no
)

// rules are those of ITS 2.0 (W3C, sections 8.1 and 8.8) in a file. Later ones count.
type rules struct {
	all []rule
}

type rule struct {
	path      []string // names of elements, "*" for any; the last is matched, those before it are its parents
	attribute string   // "" where elements are matched
	translate answer
	within    answer
}

// selector is the part of XPath that is read: //name, //name/name, //name/@attribute and
// //@attribute, with * for any name.
var selector = regexp.MustCompile(`^//(?:((?:[\w.:*-]+)(?:/[\w.:*-]+)*)(?:/@([\w.:*-]+))?|@([\w.:*-]+))$`)

const maxRules = 200 // each is asked for each element

// read reads one element of its:rules.
func (r *rules) read(name string, attrs []xmltext.Attr) error {
	if name != "translaterule" && name != "withintextrule" {
		return nil
	}
	said := unsaid
	value := xmltext.Get(attrs, "translate")
	if name == "withintextrule" {
		value = xmltext.Get(attrs, "withinText")
	}
	switch value {
	case "yes":
		said = yes
	case "no", "nested":
		said = no
	}
	for one := range strings.SplitSeq(xmltext.Get(attrs, "selector"), "|") {
		one = strings.TrimSpace(one)
		found := selector.FindStringSubmatch(one)
		if found == nil || len(r.all) >= maxRules {
			return &segment.FormatError{Format: "XML", Reason: "its its:rules have the selector " + english.Short(one, 80) + ", which is not understood", Hint: "write it as //name, //name/name, //name/@attribute or //@attribute"}
		}
		next := rule{attribute: found[2] + found[3]}
		if found[1] != "" {
			next.path = strings.Split(found[1], "/")
		}
		if name == "translaterule" {
			next.translate = said
		} else {
			next.within = said
		}
		r.all = append(r.all, next)
	}
	return nil
}

func (r *rule) matches(path []string) bool {
	if len(r.path) > len(path) {
		return false
	}
	at := len(path) - len(r.path)
	for i, name := range r.path {
		if name != "*" && name != path[at+i] && name[strings.IndexByte(name, ':')+1:] != path[at+i] {
			return false
		}
	}
	return true
}

// translate says whether rules have an element translated.
func (r *rules) translate(path []string) answer {
	for _, one := range slices.Backward(r.all) {
		if one.translate != unsaid && one.attribute == "" && one.matches(path) {
			return one.translate
		}
	}
	return unsaid
}

// within says whether an element is markup within a text.
func (r *rules) within(path []string) answer {
	for _, one := range slices.Backward(r.all) {
		if one.within != unsaid && one.matches(path) {
			return one.within
		}
	}
	return unsaid
}

// attribute says whether an attribute is translated.
func (r *rules) attribute(path []string, name string) bool {
	for _, one := range slices.Backward(r.all) {
		if one.translate != unsaid && one.attribute != "" && (one.attribute == name || one.attribute == "*") && one.matches(path) {
			return one.translate == yes
		}
	}
	return false
}
