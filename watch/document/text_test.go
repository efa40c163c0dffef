package document

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func file(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.txt")
	require.NoError(t, os.WriteFile(path, []byte(content), 0o640))
	return path
}

func TestReadTextGivesTheFileBack(t *testing.T) {
	for name, c := range map[string]struct {
		raw  string
		body string
		enc  Encoding
		bom  bool
	}{
		"empty":           {"", "", UTF8, false},
		"UTF-8":           {"Grüße\r\n\r\n日本\n", "Grüße\r\n\r\n日本\n", UTF8, false},
		"UTF-8 BOM":       {"\xEF\xBB\xBFx\n", "x\n", UTF8, true},
		"only a BOM":      {"\xEF\xBB\xBF", "", UTF8, true},
		"two BOMs":        {"\xEF\xBB\xBF\xEF\xBB\xBFx", "\uFEFFx", UTF8, true},
		"UTF-16LE":        {"\xFF\xFEh\x00\xE9\x00", "hé", UTF16LE, true},
		"UTF-16BE":        {"\xFE\xFF\x00h\x00\xE9", "hé", UTF16BE, true},
		"UTF-16LE beyond": {"\xFF\xFE\x3D\xD8\x00\xDE!\x00", "😀!", UTF16LE, true},
		"UTF-16 only BOM": {"\xFE\xFF", "", UTF16BE, true},
		"U+FFFD itself":   {"a\uFFFDb", "a\uFFFDb", UTF8, false},
	} {
		t.Run(name, func(t *testing.T) {
			path := file(t, c.raw)
			text, err := ReadText(path)
			require.NoError(t, err)
			require.Equal(t, c.body, text.Body)
			require.Equal(t, c.enc, text.Encoding)
			require.Equal(t, c.bom, text.BOM)
			back, err := text.Encode(text.Body)
			require.NoError(t, err)
			require.Equal(t, c.raw, string(back))

			stamp, err := StampOf(path)
			require.NoError(t, err)
			require.Equal(t, stamp, text.Stamp)
			require.EqualValues(t, len(c.raw), text.Stamp.Size)
		})
	}
}

// F21: other encodings are refused with the place, never turned into mojibake.
func TestReadTextNamesTheBadByte(t *testing.T) {
	for name, c := range map[string]struct {
		raw    string
		offset int64
		says   string
	}{
		"Latin-1":             {"caf\xE9 au lait", 3, "is not UTF-8 text: byte 0xE9 at offset 3; save it as UTF-8"},
		"after a BOM":         {"\xEF\xBB\xBFab\xFF", 5, "byte 0xFF at offset 5"},
		"NUL":                 {"ab\x00cd", 2, "byte 0x00 at offset 2"},
		"NUL before the rest": {"a\x00\xE9", 1, "byte 0x00 at offset 1"},
		"bad before NUL":      {"\xE9 \x00", 0, "byte 0xE9 at offset 0"},
		"cut character":       {"ab\xE6\x97", 2, "byte 0xE6 at offset 2"},
		"surrogate in UTF-8":  {"\xED\xA0\x80", 0, "byte 0xED at offset 0"},
		"Shift-JIS":           {"\x93\xFA\x96\x7B", 0, "byte 0x93 at offset 0"},
		"UTF-16 without BOM":  {"h\x00i\x00", 1, "byte 0x00 at offset 1"},
		"UTF-16 odd":          {"\xFF\xFEh\x00i", 4, "is not UTF-16LE text: half a character at offset 4"},
		"UTF-16 NUL":          {"\xFE\xFF\x00h\x00\x00", 4, "a NUL character at offset 4"},
		"UTF-16 lone high":    {"\xFF\xFE\x3D\xD8", 2, "the unpaired surrogate 0xD83D at offset 2"},
		"UTF-16 lone low":     {"\xFF\xFEa\x00\x00\xDE", 4, "the unpaired surrogate 0xDE00 at offset 4"},
		"UTF-32LE":            {"\xFF\xFE\x00\x00h\x00\x00\x00", 0, "the byte order mark of UTF-32"},
		"UTF-32BE":            {"\x00\x00\xFE\xFF\x00\x00\x00h", 0, "the byte order mark of UTF-32"},
	} {
		t.Run(name, func(t *testing.T) {
			path := file(t, c.raw)
			_, err := ReadText(path)
			var bad *NotTextError
			require.ErrorAs(t, err, &bad)
			require.Equal(t, c.offset, bad.Offset)
			require.ErrorContains(t, err, path)
			require.ErrorContains(t, err, c.says)
		})
	}
}

func TestReadTextRefusesWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	_, err := ReadText(dir)
	require.ErrorContains(t, err, "is a folder")

	missing := filepath.Join(dir, "missing.txt")
	_, err = ReadText(missing)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.Equal(t, 1, strings.Count(err.Error(), missing), "%v", err)
	_, err = StampOf(missing)
	require.ErrorIs(t, err, fs.ErrNotExist)

	path := file(t, "12345")
	_, err = ReadTextLimit(path, 4)
	require.ErrorContains(t, err, "larger than the limit of 4 bytes")
	_, err = ReadTextLimit(path, 5)
	require.NoError(t, err)

	// Sparse, so that it costs no disk.
	require.NoError(t, os.Truncate(path, DefaultLimit+1))
	_, err = ReadText(path)
	require.ErrorContains(t, err, "64 MiB")
}

func TestEncodeRefusesWhatIsNoText(t *testing.T) {
	_, err := Text{}.Encode("a\xFF")
	require.Error(t, err)
	_, err = Text{Encoding: 9}.Encode("a")
	require.Error(t, err)
	require.Equal(t, "unknown", Encoding(9).String())
}

func TestSupported(t *testing.T) {
	require.True(t, Supported("a.txt"))
	require.True(t, Supported("sub/A.TXT"))
	require.True(t, Supported("a.docx"))
	for _, name := range []string{"a.exe", "txt", "a.txt.gz", "a.doc", ""} {
		require.False(t, Supported(name), name)
	}
}

func FuzzReadText(f *testing.F) {
	for _, seed := range []string{"", "abc\n", "\xEF\xBB\xBFx", "\xFF\xFEh\x00", "\xFE\xFF\xD8\x3D\xDE\x00", "caf\xE9", "a\x00b"} {
		f.Add([]byte(seed))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, raw []byte) {
		path := filepath.Join(dir, "a.txt")
		require.NoError(t, os.WriteFile(path, raw, 0o600))
		text, err := ReadText(path)
		if err != nil {
			var bad *NotTextError
			require.True(t, errors.As(err, &bad), "%v", err)
			require.Less(t, bad.Offset, int64(len(raw)))
			return
		}
		back, err := text.Encode(text.Body)
		require.NoError(t, err)
		require.Equal(t, raw, append([]byte{}, back...))
	})
}

// changingFile is written to while it is read, by what the test says.
type changingFile struct {
	*os.File
	change func()
}

func (f *changingFile) Read(p []byte) (int, error) {
	if f.change != nil {
		f.change()
		f.change = nil
	}
	return f.File.Read(p)
}

func TestFileThatChangesWhileItIsRead(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, path string){
		"grows": func(t *testing.T, path string) {
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			require.NoError(t, err)
			defer f.Close()
			_, err = f.WriteString("more")
			require.NoError(t, err)
		},
		"is cut": func(t *testing.T, path string) { require.NoError(t, os.Truncate(path, 2)) },
		"keeps its size": func(t *testing.T, path string) {
			require.NoError(t, os.Chtimes(path, time.Time{}, time.Now().Add(time.Hour)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.txt")
			require.NoError(t, os.WriteFile(path, []byte("half a text"), 0o600))
			f, err := os.Open(path)
			require.NoError(t, err)
			defer f.Close()
			_, err = readFile(&changingFile{f, func() { change(t, path) }}, path, DefaultLimit)
			require.ErrorIs(t, err, ErrChanged)
			require.ErrorContains(t, err, path)
			text, err := ReadText(path)
			require.NoError(t, err, "once it is quiet it can be read")
			require.NotEmpty(t, text.Body)
		})
	}
}
