package document

import (
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"dragoman/watch"
)

const (
	maxName  = 255 // bytes; the limit of ext4, APFS and (in UTF-16 units) NTFS
	maxLang  = 32  // bytes
	maxExt   = 32  // bytes kept of an extension when a name has to be cut
	hashSize = 16  // hex digits
)

// OutputPath returns where the translation into lang of the file rel (below
// root, separated by slashes) is written: DIR/NAME.es.EXT, with the folders of
// rel kept. outputDir is a path below root or an absolute one; empty means
// watch.OutputDir.
//
// It is a pure function: the same input always has the same output, and two
// inputs have two. Names the file system would refuse are shortened or cleaned
// and told apart by a hash of the original. What cannot be known from one name
// (two inputs that differ only in case) is the ledger's concern.
func OutputPath(root, outputDir, rel, lang string) (string, error) {
	name, err := OutputName(rel, lang, false)
	if err != nil {
		return "", err
	}
	if outputDir == "" {
		outputDir = watch.OutputDir
	}
	if !filepath.IsAbs(outputDir) {
		outputDir = filepath.Join(root, outputDir)
	}
	return filepath.Join(outputDir, filepath.FromSlash(name)), nil
}

// OutputName is the part of OutputPath below the output folder, separated by
// slashes. With distinct it always carries the hash, for an input whose plain
// output name another input has taken.
func OutputName(rel, lang string, distinct bool) (string, error) {
	return defaultPattern.Name(rel, lang, distinct)
}

// validRel is fs.ValidPath without its demand for UTF-8: Unix names are bytes.
func validRel(rel string, windows bool) bool {
	if rel == "" || rel == "." || rel == ".." || strings.HasPrefix(rel, "../") {
		return false
	}
	if windows && strings.ContainsAny(rel, `\:`) {
		return false
	}
	return path.Clean(rel) == rel && !path.IsAbs(rel) && !strings.Contains(rel, "\x00")
}

func plainLang(lang string) bool {
	if lang == "" || len(lang) > maxLang {
		return false
	}
	for _, r := range lang {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
		default:
			return false
		}
	}
	return true
}

// splitExt is path.Ext for people: a leading dot or a trailing one starts no
// extension.
func splitExt(name string) (stem, ext string) {
	if i := strings.LastIndexByte(name, '.'); i > 0 && i < len(name)-1 {
		return name[:i], name[i:]
	}
	return name, ""
}

func looksHashed(stem string) bool {
	i := strings.LastIndexByte(stem, '~')
	if i < 0 || len(stem)-i-1 != hashSize {
		return false
	}
	return strings.Trim(stem[i+1:], "0123456789abcdef") == ""
}

// cut shortens to at most n bytes without splitting a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// windowsAllows applies the naming rules of Win32 ("Naming Files, Paths, and
// Namespaces"): reserved characters, no dot or space at the end, no device
// name before the first dot.
func windowsAllows(name string) bool {
	if name == "" || windowsClean(name) != name || strings.HasSuffix(name, ".") || strings.HasSuffix(name, " ") {
		return false
	}
	device, _, _ := strings.Cut(name, ".")
	device = strings.ToUpper(strings.TrimRight(device, " "))
	switch device {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return false
	}
	if number, ok := strings.CutPrefix(device, "COM"); ok && portNumber(number) {
		return false
	}
	if number, ok := strings.CutPrefix(device, "LPT"); ok && portNumber(number) {
		return false
	}
	return true
}

func portNumber(s string) bool {
	return s != "" && utf8.RuneCountInString(s) == 1 && strings.Contains("0123456789¹²³", s)
}

func windowsClean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`<>:"/\|?*`, r) {
			return '_'
		}
		return r
	}, s)
}
