//go:build long

package charset

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
)

// corpusFiles are the tests of Python's chardet, from a clone below the folder that
// DRAGOMAN_DOCUMENTS names.
func corpusFiles(t *testing.T) map[string][]byte {
	t.Helper()
	folder := os.Getenv("DRAGOMAN_DOCUMENTS")
	if folder == "" {
		t.Skip("DRAGOMAN_DOCUMENTS does not name a folder with a clone of chardet/chardet")
	}
	repository := filepath.Join(folder, "chardet", "chardet")
	git := func(args ...string) string {
		out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", repository}, args...)...).Output()
		if err != nil {
			t.Skipf("chardet/chardet is not below DRAGOMAN_DOCUMENTS: %v", err)
		}
		return string(out)
	}
	files := map[string][]byte{}
	for path := range strings.SplitSeq(git("ls-tree", "-r", "-z", "--name-only", corpusVersion, "tests/"), "\x00") {
		if strings.Count(path, "/") == 2 {
			files[path] = []byte(git("show", corpusVersion+":"+path))
		}
	}
	return files
}

const corpusVersion = "1355907628bff3148cc81ec77093b41d922436a7"

// truth is the encoding that a folder of the corpus is named for.
func truth(path string) (Charset, bool) {
	label := strings.ToLower(strings.Split(path, "/")[1])
	for _, language := range []string{"croatian", "czech", "hungarian", "polish", "slovak", "slovene", "bulgarian", "russian", "arabic", "greek", "turkish", "romanian", "hebrew"} {
		label = strings.TrimSuffix(label, "-"+language)
	}
	if standard, ok := map[string]string{"cp932": "shift_jis", "cp949": "euc-kr", "maccyrillic": "x-mac-cyrillic", "macroman": "macintosh", "tis-620": "windows-874", "gb2312": "gb18030"}[label]; ok {
		label = standard
	}
	set, ok := Named(label)
	return set.Whole(), ok && set != UTF8
}

type tally struct{ right, wrong, refused int }

func (c *tally) count(t *testing.T, name string, raw []byte, want string, language string) {
	set, ok := DetectIn(raw, language)
	if !ok {
		c.refused++
		return
	}
	got, err := set.Decode(raw)
	if err == nil && got == want {
		c.right++
		return
	}
	c.wrong++
	t.Logf("wrong: %s is told as %s", name, set)
}

// No file of the corpus is read wrongly; those without a mark of their own and those with.
func TestCorpus(t *testing.T) {
	files := corpusFiles(t)
	var c, bare tally
	n := 0
	for path, raw := range files {
		set, ok := truth(path)
		if !ok || utf8.Valid(raw) {
			continue
		}
		n++
		want, err := set.Decode(raw)
		if err != nil {
			want = "\x00 not even by its own encoding"
		}
		c.count(t, path, raw, want, "")
		if label, start, end := Declared(string(raw)); label != "" {
			raw = slices.Concat(raw[:start], raw[end:])
			want, _ = set.Decode(raw)
		}
		bare.count(t, path+" without its mark", raw, want, "")
	}
	t.Logf("%d files: %+v, without what they say themselves %+v", n, c, bare)
	require.Zero(t, c.wrong+bare.wrong)
}

// usual says whether texts in such letters were written in an encoding.
func usual(label, text string) bool {
	has := func(tables ...*unicode.RangeTable) bool {
		return strings.ContainsFunc(text, func(r rune) bool { return unicode.In(r, tables...) })
	}
	switch label {
	case "shift_jis", "euc-jp":
		return has(unicode.Hiragana, unicode.Katakana)
	case "gb18030", "big5":
		return has(unicode.Han) && !has(unicode.Hiragana, unicode.Katakana, unicode.Hangul)
	case "euc-kr":
		return has(unicode.Hangul)
	case "windows-1251":
		return has(unicode.Cyrillic)
	case "koi8-r": // Bulgarians did not use it
		return has(unicode.Cyrillic) && strings.ContainsAny(text, "ыэё")
	}
	return has(unicode.Latin) && !has(unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Cyrillic)
}

// westernTexts are those of the shared corpus.
func westernTexts(t *testing.T) map[string]string {
	texts := map[string]string{}
	for _, pattern := range []string{"pud.*", "laser-tatoeba-*"} {
		found, err := filepath.Glob(filepath.Join("..", "..", "..", "..", "shared", "corpus", "test", pattern))
		require.NoError(t, err)
		for _, path := range found {
			raw, err := os.ReadFile(path)
			require.NoError(t, err)
			texts[filepath.Base(path)] = string(raw)
		}
	}
	return texts
}

// unread are encodings that are not read, or only where a file says so: a text in them must
// not be taken for one in another.
var unread = map[string]encoding.Encoding{"cp850": charmap.CodePage850, "cp852": charmap.CodePage852, "macintosh": charmap.Macintosh}

// Pieces of the texts of the corpus in each encoding that has all of their characters.
func TestPieces(t *testing.T) {
	files := corpusFiles(t)
	table := map[string]*tally{}
	var keys []string
	tallied := func(key string) *tally {
		if table[key] == nil {
			table[key] = &tally{}
			keys = append(keys, key)
		}
		return table[key]
	}
	texts := westernTexts(t)
	for path, raw := range files {
		if set, ok := truth(path); ok && !utf8.Valid(raw) {
			texts[path], _ = set.Decode(raw)
		} else if strings.HasPrefix(path, "tests/utf-8") && utf8.Valid(raw) {
			texts[path] = strings.TrimPrefix(string(raw), "\ufeff")
		}
	}
	for path, text := range texts {
		if label, _, _ := Declared(text); label != "" || text == "" {
			text = declared.ReplaceAllString(text, "")
		}
		for _, size := range []int{200, 500, 1000, 2000} {
			pieces := 3
			if !strings.HasPrefix(path, "tests/") {
				pieces = 10
			}
			for n, at := 0, 0; n < pieces && at+size <= len(text); n, at = n+1, at+max(size, len(text)/pieces) {
				piece := strings.ToValidUTF8(text[at:at+size], "")
				if strings.IndexFunc(piece, func(r rune) bool { return r >= 0x80 }) < 0 {
					continue
				}
				for label, set := range unread {
					if raw, err := set.NewEncoder().Bytes([]byte(piece)); err == nil && usual(label, piece) && !utf8.Valid(raw) {
						at := tallied(fmt.Sprintf("%-13s %4d", label, size))
						at.count(t, fmt.Sprintf("%s at %d in %s, %d", path, n, label, size), raw, piece, "")
					}
				}
				for _, label := range []string{"iso-8859-1", "windows-1252", "windows-1250", "iso-8859-2", "windows-1251", "koi8-r", "windows-1254", "shift_jis", "euc-jp", "gb18030", "big5", "euc-kr"} {
					set, _ := Named(label)
					encoded, ok := set.Encode(piece)
					if back, err := set.Decode(encoded); !ok || err != nil || back != piece {
						continue
					}
					if !usual(label, piece) || utf8.Valid(encoded) {
						continue
					}
					tallied(fmt.Sprintf("%-13s %4d", label, size)).count(t, fmt.Sprintf("%s at %d in %s, %d", path, at, label, size), encoded, piece, "")
				}
			}
		}
	}
	sort.Strings(keys)
	wrong, all, mistaken := 0, 0, 0
	for _, key := range keys {
		c := table[key]
		if label, _, _ := strings.Cut(key, " "); unread[label] != nil {
			all, mistaken = all+c.right+c.wrong+c.refused, mistaken+c.wrong
		} else {
			wrong += c.wrong
		}
		t.Logf("%s  right %4d  wrong %3d  refused %4d", key, c.right, c.wrong, c.refused)
	}
	require.Zero(t, wrong)
	require.Less(t, 100*mistaken, all, "texts in DOS' and the old Macintosh's encodings")
}
