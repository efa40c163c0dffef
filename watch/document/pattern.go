package document

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"dragoman/watch"
)

// DefaultPattern names outputs as OutputName does.
const DefaultPattern = "{name}.{lang}{ext}"

// Pattern makes the names of outputs: {name} stands for the input's name
// without its extension, {lang} for the target language and {ext} for the
// extension with its dot.
type Pattern struct {
	parts []string // placeholders with their braces, and what is between them
}

var defaultPattern = Pattern{parts: []string{"{name}", ".", "{lang}", "{ext}"}}

// maxFixed bounds what a pattern adds by itself, so that there is room for names.
const maxFixed = 64 // bytes

// ParsePattern reads a pattern; empty is DefaultPattern. It must have {name}
// and {lang} once each, or two inputs or languages would share an output, and
// nothing that a file system of Linux or Windows refuses.
func ParsePattern(s string) (Pattern, error) {
	if s == "" {
		s = DefaultPattern
	}
	fail := func(why string, args ...any) (Pattern, error) {
		return Pattern{}, fmt.Errorf("read the pattern of names %q: %s; the usual one is %q", s, fmt.Sprintf(why, args...), DefaultPattern)
	}
	var p Pattern
	fixed := ""
	for rest := s; rest != ""; {
		open := strings.IndexByte(rest, '{')
		if open < 0 {
			open = len(rest)
		}
		if open > 0 {
			p.parts = append(p.parts, rest[:open])
			fixed += rest[:open]
			rest = rest[open:]
			continue
		}
		end := strings.IndexByte(rest, '}')
		if end < 0 {
			return fail("a { has no }")
		}
		switch part := rest[:end+1]; {
		case !slices.Contains([]string{"{name}", "{lang}", "{ext}"}, part):
			return fail("it has no meaning for %s", part)
		case slices.Contains(p.parts, part):
			return fail("%s may stand in it only once", part)
		default:
			p.parts = append(p.parts, part)
		}
		rest = rest[end+1:]
	}
	for _, needed := range []string{"{name}", "{lang}"} {
		if !slices.Contains(p.parts, needed) {
			return fail("without %s different translations would have the same name", needed)
		}
	}
	switch {
	case strings.ContainsRune(fixed, '}'):
		return fail("a } has no {")
	case windowsClean(fixed) != fixed:
		return fail("file names cannot have all of its characters")
	case len(fixed) > maxFixed:
		return fail("it is longer than %d bytes", maxFixed)
	case strings.HasPrefix(s, watch.OwnPrefix):
		return fail("names that begin with %s are kept for other files", watch.OwnPrefix)
	case strings.HasSuffix(s, " "), strings.HasSuffix(s, "."):
		return fail("no name may end with a space or a dot")
	}
	return p, nil
}

// Name returns the output's path below the output folder, separated by slashes,
// for the input rel: see OutputName, which does it with DefaultPattern.
func (p Pattern) Name(rel, lang string, distinct bool) (string, error) {
	if !plainLang(lang) {
		return "", fmt.Errorf("name the translation of %q: %q is not a language code", rel, lang)
	}
	if !validRel(rel, windowsNames) {
		return "", fmt.Errorf("name the translation of %q: it is not a path below the watched folder", rel)
	}
	dir, base := path.Split(rel)
	return dir + p.base(base, lang, distinct, windowsNames), nil
}

// TellsApart says whether people's own names are unlikely to fit the pattern: with
// nothing but letters between {name} and {lang}, "notes.txt" would be the Spanish
// translation of "not.txt".
func (p Pattern) TellsApart() bool {
	name, lang := slices.Index(p.parts, "{name}"), slices.Index(p.parts, "{lang}")
	for _, part := range p.parts[min(name, lang)+1 : max(name, lang)] {
		if part != "{ext}" && strings.ContainsFunc(part, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			return true
		}
	}
	return false
}

func (p Pattern) fill(stem, lang, ext string) string {
	var name strings.Builder
	for _, part := range p.parts {
		switch part {
		case "{name}":
			part = stem
		case "{lang}":
			part = lang
		case "{ext}":
			part = ext
		}
		name.WriteString(part)
	}
	return name.String()
}

// base is injective in name, with the default pattern: a plain result gives the
// name back by removing ".lang", and every other result carries a hash of the
// name. Names that look like the latter are hashed too, so that the two never
// meet. A pattern without {ext} may need distinct.
func (p Pattern) base(name, lang string, distinct, windows bool) string {
	stem, ext := splitExt(name)
	if splitOff(name) { // the output's is kept apart from that of a text of the same name
		stem, ext = name, Extension(name)
	}
	plain := p.fill(stem, lang, ext)
	refused := (windows && !windowsAllows(plain)) || strings.HasPrefix(plain, watch.OwnPrefix) || plain == name
	if !distinct && !refused && len(plain) <= maxName && !looksHashed(stem) {
		return plain
	}
	if len(ext) > maxExt {
		stem, ext = name, ""
	}
	if windows {
		stem, ext = windowsClean(stem), strings.TrimRight(windowsClean(ext), ". ")
		if !windowsAllows(p.fill(stem+"~", lang, ext)) {
			stem = "_" + stem // a device name before the first dot
		}
	}
	if strings.HasPrefix(p.fill(stem, lang, ext), watch.OwnPrefix) {
		stem = "_" + stem
	}
	sum := sha256.Sum256([]byte(name))
	tail := "~" + hex.EncodeToString(sum[:])[:hashSize]
	return p.fill(cut(stem, maxName-len(p.fill(tail, lang, ext)))+tail, lang, ext)
}

// splitOff says whether the extension of a name is not that of its output.
func splitOff(name string) bool { return Extension(name) != filepath.Ext(name) }

// Recognise returns a function that says whether base, a name without folder,
// is one that the pattern gives an output in lang, and the name of its input.
// That is "" where it cannot be known: the name has a hash or no extension.
func (p Pattern) Recognise(lang string) func(base string) (input string, ok bool) {
	var expr strings.Builder
	for _, part := range p.parts {
		switch part {
		case "{name}":
			part = `(?P<name>.+)`
		case "{ext}":
			part = `(?P<ext>\.[^.]+)?`
		case "{lang}":
			part = regexp.QuoteMeta(lang)
		default:
			part = regexp.QuoteMeta(part)
		}
		expr.WriteString(part)
	}
	whole := regexp.MustCompile(`(?s)\A` + expr.String() + `\z`)
	name, ext := whole.SubexpIndex("name"), whole.SubexpIndex("ext")
	return func(base string) (string, bool) {
		found := whole.FindStringSubmatch(base)
		switch {
		case found == nil:
			return "", false
		case ext < 0, looksHashed(found[name]):
			return "", true
		}
		if Extension(found[name]) == found[ext] && splitOff(found[name]) {
			return "", true // of two that may have been the input
		}
		input := found[name] + found[ext]
		return input, p.base(input, lang, false, windowsNames) == base
	}
}
