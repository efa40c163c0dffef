package text

import (
	"strings"
	"unicode"
)

// Translatable says whether s has anything that a translation could change. It is false for text without letters
// (empty, blank, numbers, dates, punctuation, symbols, emoji) and for exactly one address: a URL, an e-mail address,
// a mention, a path, a file name or a time stamp, with or without punctuation around it.
func Translatable(s string) bool {
	return strings.ContainsFunc(s, isWordLetter) && !isAddress(strings.TrimFunc(s, isBlank))
}

// isWordLetter says whether c is a letter as words are made of. ℹ is an emoji, ª and º are signs of ordinal numbers,
// although Unicode calls all three letters.
func isWordLetter(c rune) bool {
	return unicode.IsLetter(c) && c != 'ℹ' && c != 'ª' && c != 'º'
}

func isAddress(s string) bool {
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
		return isScheme(scheme) && rest != "" && !strings.ContainsFunc(host, isUnspaced)
	}
	for _, scheme := range []string{"mailto:", "tel:", "sms:", "urn:", "magnet:", "data:"} {
		if len(s) > len(scheme) && strings.EqualFold(s[:len(scheme)], scheme) {
			return true
		}
	}
	host, _, _ := strings.Cut(s, "/")
	host, _, _ = strings.Cut(host, "?")
	host, _, _ = strings.Cut(host, ":")
	return isHost(host)
}

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
	if !ok || strings.ContainsFunc(s, isUnspaced) {
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
			return !strings.ContainsFunc(s, isUnspaced) || strings.Count(s, root[len(root)-1:]) > 1
		}
	}
	return hasExtension(s)
}

// isDrivePath says whether s is a path such as C:\Program Files\App\readme.txt, the only kind where spaces are taken
// as part of a path: there the last element must show that the path goes on to the end.
func isDrivePath(s string) bool {
	if len(s) < 4 || s[1] != ':' || s[2] != '\\' && s[2] != '/' || !unicode.IsLetter(rune(s[0])) {
		return false
	}
	last := s[strings.LastIndexAny(s, `\/`)+1:]
	return !strings.ContainsFunc(last, isBlank) || hasExtension(last) && !strings.ContainsAny(last, ",;")
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

var (
	topLevels = wordSet("com org net edu gov mil int info biz io dev app ai eu de at ch fr be nl es it pt br uk us ca ru cn jp kr in")

	fileExtensions = wordSet(`txt md rst tex pdf doc docx odt rtf xls xlsx ods csv tsv ppt pptx odp epub html htm xml json yaml yml
		toml ini cfg conf log sql db go py js ts jsx tsx c h cc cpp hpp rs java kt cs rb php pl sh bat ps1 exe dll so dylib deb rpm
		msi apk iso img zip tar gz tgz xz bz2 7z rar jpg jpeg png gif webp svg bmp tif tiff ico heic mp3 mp4 m4a wav ogg flac avi mkv
		mov webm srt vtt ass po pot xlf xliff ttf otf woff woff2 bin dat bak tmp`)
)
