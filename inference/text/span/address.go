package span

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsAddress says whether s is exactly one address: a URL, an e-mail address, a
// mention, a path, the name of a file or a time stamp, with or without
// punctuation around it.
func IsAddress(s string) bool {
	s = strings.Trim(s, "<>()[]{}\"'“”‘’«»„*`")
	s = strings.TrimRight(s, ".,;:!?…")
	if isDrivePath(s) {
		return true
	}
	if s == "" || strings.ContainsFunc(s, isBlank) {
		return false
	}
	return isURL(s) || isEmail(s) || isPath(s) || isTimestamp(s)
}

func isURL(s string) bool {
	if scheme, rest, ok := strings.Cut(s, "://"); ok {
		host, _, _ := strings.Cut(rest, "/")
		// A host directly followed by text of a script without spaces is a sentence that begins with a URL.
		return isScheme(scheme) && rest != "" && !strings.ContainsFunc(host, Unspaced)
	}
	for _, scheme := range schemes {
		if len(s) > len(scheme) && strings.EqualFold(s[:len(scheme)], scheme) {
			return true
		}
	}
	host, _, _ := strings.Cut(s, "/")
	host, _, _ = strings.Cut(host, "?")
	host, _, _ = strings.Cut(host, ":")
	return isHost(host)
}

// schemes are those without slashes.
var schemes = []string{"mailto:", "tel:", "sms:", "urn:", "magnet:", "data:"}

func isScheme(s string) bool {
	return s != "" && strings.Trim(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz0123456789+.-") == ""
}

// isHost says whether s is a host name that is recognised without a scheme.
func isHost(s string) bool {
	labels := strings.Split(strings.ToLower(s), ".")
	if len(labels) < 2 || !isScheme(s) {
		return false
	}
	for _, label := range labels {
		if label == "" {
			return false
		}
	}
	return labels[0] == "www" || strings.ToLower(s) == s && topLevels[labels[len(labels)-1]]
}

func isEmail(s string) bool {
	local, domain, ok := strings.Cut(s, "@")
	if !ok || strings.ContainsFunc(s, Unspaced) {
		return false
	}
	if local == "" { // a mention, such as @name or @name@host
		return domain != ""
	}
	return strings.Contains(strings.Trim(domain, "."), ".") && !strings.ContainsAny(domain, "@/")
}

func isPath(s string) bool {
	for _, root := range []string{"/", "./", "../", "~/", `.\`, `..\`, `\\`} {
		if len(s) > len(root) && strings.HasPrefix(s, root) {
			return !strings.ContainsFunc(s, Unspaced) || strings.Count(s, root[len(root)-1:]) > 1
		}
	}
	return hasExtension(s)
}

// isDrivePath says whether s is a path such as C:\Program Files\App\readme.txt, the only kind where spaces are taken
// as part of a path: there the last element must show that the path goes on to the end.
func isDrivePath(s string) bool {
	if !startsWithDrive(s) || len(s) < 4 {
		return false
	}
	last := s[strings.LastIndexAny(s, `\/`)+1:]
	return !strings.ContainsFunc(last, isBlank) || hasExtension(last) && !strings.ContainsAny(last, ",;")
}

func startsWithDrive(s string) bool {
	return len(s) > 2 && s[1] == ':' && (s[2] == '\\' || s[2] == '/' && !strings.HasPrefix(s[3:], "/")) && isASCIILetter(s[0])
}

// hasExtension says whether s ends like a file name with a common extension.
func hasExtension(s string) bool {
	i := strings.LastIndexByte(s, '.')
	return i > 0 && fileExtensions[strings.ToLower(s[i+1:])]
}

// isTimestamp recognises RFC 3339 date and time by its shape: digits with the letters T and Z in their places.
func isTimestamp(s string) bool {
	s = strings.ToUpper(s)
	if len(s) < len("2006-01-02T15:04") || s[10] != 'T' {
		return false
	}
	rest := strings.TrimSuffix(s[:10]+s[11:], "Z")
	return strings.Trim(rest, "0123456789-:.+") == ""
}

// urlLen returns the length of the URL that s begins with, whose scheme ends at
// s[scheme]. Signs that end a sentence, and a bracket without its opening one,
// are not part of it.
func urlLen(s string, scheme int) int {
	n, open := scheme, 0
	for n < len(s) {
		c, size := utf8.DecodeRuneInString(s[n:])
		if isBlank(c) || c == utf8.RuneError || strings.ContainsRune("<>\"`{}|\\^“”„«»‚‘’", c) || Unspaced(c) || c >= 0x3000 && c < 0x3040 || c >= 0xff00 {
			break
		}
		if c == '(' || c == '[' {
			open++
		}
		if c == ')' || c == ']' {
			if open == 0 {
				break
			}
			open--
		}
		n += size
	}
	return trimStops(s, n)
}

// trimStops leaves out the signs at the end of s[:n] that belong to the
// sentence.
func trimStops(s string, n int) int {
	return len(strings.TrimRight(s[:n], ".,;:!?…'*_"))
}

// rootedLen returns the length of a path that begins with its root: /usr/bin,
// ~/x, ./x, ..\x, \\server\share.
func rootedLen(s string) int {
	for _, root := range []string{"~/", "./", "../", `.\`, `..\`, `\\`, "/"} {
		rest, ok := strings.CutPrefix(s, root)
		if !ok {
			continue
		}
		if rest == "" || !isName(rest[0]) && rest[0] != '.' && rest[0] != '{' && rest[0] != '$' && rest[0] != '%' {
			return 0
		}
		n := pathEnd(s, len(root))
		if root == "/" && !strings.ContainsAny(s[1:n], "/._") && nameLen(s[1:]) != n-1 {
			return 0
		}
		return n
	}
	return 0
}

// pathEnd returns the end of a path of which s[:n] is known.
func pathEnd(s string, n int) int {
	for n < len(s) {
		c, size := utf8.DecodeRuneInString(s[n:])
		if isBlank(c) || c == utf8.RuneError || strings.ContainsRune("<>\"`|,;()[]“”„«»‚‘’", c) || Unspaced(c) || c >= 0x3000 && c < 0x3040 || c >= 0xff00 {
			break
		}
		n += size
	}
	return trimStops(s, n)
}

// driveLen returns the length of a path such as C:\Program Files\App\x.txt at
// the beginning of s. A space is part of it where a backslash comes soon after.
func driveLen(s string) int {
	n := pathEnd(s, 3)
	for !hasExtension(s[:n]) && n < len(s) && s[n] == ' ' {
		more := strings.IndexAny(s[n+1:min(len(s), n+40)], "\\,;:\n\"")
		if more < 1 || s[n+1+more] != '\\' || s[n+more] == ' ' || strings.Count(s[n+1:n+1+more], " ") > 2 {
			break
		}
		n = pathEnd(s, n+1+more)
	}
	return n
}

// tagWordLen returns the length of a hashtag or mention at the beginning of s.
func tagWordLen(s string, inWord bool) int {
	if inWord || len(s) < 2 {
		return 0
	}
	n := 1
	for n < len(s) {
		c, size := utf8.DecodeRuneInString(s[n:])
		if c == utf8.RuneError || !isWord(c) && !unicode.Is(unicode.M, c) && c != '_' && (c != '.' && c != '-' && c != '@' || s[0] != '@') {
			break
		}
		n += size
	}
	if n = trimStops(s, n); n < 2 {
		return 0
	}
	return n
}

var (
	topLevels = wordSet("com org net edu gov mil int info biz io dev app ai eu de at ch fr be nl es it pt br uk us ca ru cn jp kr in")

	fileExtensions = wordSet(`txt md rst tex pdf doc docx odt rtf xls xlsx ods csv tsv ppt pptx odp epub html htm xml json yaml yml
		toml ini cfg conf log sql db go py js ts jsx tsx c h cc cpp hpp rs java kt cs rb php pl sh bat ps1 exe dll so dylib deb rpm
		msi apk iso img zip tar gz tgz xz bz2 7z rar jpg jpeg png gif webp svg bmp tif tiff ico heic mp3 mp4 m4a wav ogg flac avi mkv
		mov webm srt vtt ass po pot xlf xliff ttf otf woff woff2 bin dat bak tmp lock env css scss vue ipynb proto mod sum service`)
)

func wordSet(list string) map[string]bool {
	set := make(map[string]bool)
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}
