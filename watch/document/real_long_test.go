//go:build long

package document

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/watch/document/segment"
)

const most = 40 // files of a format that are read

// Real documents are read where packages put them, and not copied, so that no licence is
// touched: those of the system, and those of the modules this program is built from.
func TestRealDocumentsOfPackages(t *testing.T) {
	modules, err := exec.Command("go", "env", "GOMODCACHE").Output()
	require.NoError(t, err)
	cache := strings.TrimSpace(string(modules))
	for format, patterns := range map[string][]string{
		"md":         {cache + "/github.com/*/*/README.md", cache + "/golang.org/x/*/README.md", "/usr/share/doc/*/*.md", "/usr/share/doc/nodejs/api/*.md"},
		"rst":        {"/usr/share/doc/*/*.rst", "/usr/share/doc/*/*/*.rst", "/usr/share/doc/*/*/*/*.rst"},
		"html":       {"/usr/share/doc/*/*.html", "/usr/share/doc/*/*/*.html"},
		"json":       {"/usr/share/nodejs/*/package.json", cache + "/github.com/*/*/*.json"},
		"xml":        {"/usr/share/mime/packages/*.xml", "/usr/share/metainfo/*.xml", "/usr/share/gtksourceview-*/language-specs/*.xml", "/usr/share/xml/*/*.xml", "/usr/share/xml/*/*/*.xml"},
		"properties": {"/usr/share/*/*.properties", "/usr/lib/libreoffice/share/*/*.properties", "/usr/lib/libreoffice/share/*/*/*.properties", "/etc/*/*.properties"},
		"txt":        {"/usr/share/doc/*/*.txt", "/usr/share/doc/*/*/*.txt"},
		"yaml":       {"/usr/share/*/*.yaml", "/usr/share/*/*/*.yml", cache + "/github.com/*/*/*.yml", cache + "/github.com/*/*/.golangci.yml"},
		"po":         {cache + "/github.com/*/*/*/*.po", cache + "/github.com/*/*/*/*/*/*.po", "/usr/share/*/po/*.po"},
		"ott":        {"/usr/lib/libreoffice/share/template/*/*/*.ott"},
		"otp":        {"/usr/lib/libreoffice/share/template/*/*/*.otp"},
		"ots":        {"/usr/lib/libreoffice/share/template/*/*/*.ots"},
	} {
		t.Run(format, func(t *testing.T) {
			var files []string
			for _, p := range patterns {
				found, err := filepath.Glob(p)
				require.NoError(t, err)
				files = append(files, found...)
			}
			if len(files) < 5 {
				t.Skipf("fewer than five %s files are installed", format)
			}
			read := 0
			for i := 0; i < len(files) && read < most; i += max(1, len(files)/most) {
				raw, err := os.ReadFile(files[i])
				if err != nil || len(raw) > 1<<20 {
					continue
				}
				read++
				roundTrip(t, files[i], raw)
			}
			t.Logf("%d files", read)
		})
	}
}

// Documents that pandoc makes of texts of packages.
func TestDocumentsThatPandocMakes(t *testing.T) {
	program(t, "pandoc")
	var texts []string
	for _, p := range []string{"/usr/share/doc/*/*.rst", "/usr/share/doc/*/*/*.rst", "/usr/share/doc/*/*.md"} {
		found, err := filepath.Glob(p)
		require.NoError(t, err)
		texts = append(texts, found...)
	}
	if len(texts) < 5 {
		t.Skip("fewer than five texts are installed")
	}
	step := len(texts) / 5
	var spread []string // all, those first that lie far apart
	for first := range step {
		for i := first; i < len(texts); i += step {
			spread = append(spread, texts[i])
		}
	}
	for _, format := range []string{"docx", "odt", "epub", "epub2", "pptx", "html", "rst", "markdown", "docbook", "fb2"} {
		t.Run(format, func(t *testing.T) {
			extension := map[string]string{"epub2": "epub", "markdown": "md", "docbook": "xml", "fb2": "xml"}[format]
			if extension == "" {
				extension = format
			}
			made := 0
			for i := 0; i < len(spread) && made < 6; i++ {
				out := filepath.Join(t.TempDir(), "a."+extension)
				if err := exec.Command("pandoc", "-s", "--metadata", "title=A title", "-o", out, "-t", format, spread[i]).Run(); err != nil {
					continue // a text that pandoc cannot read, or with a picture of the web
				}
				raw, err := os.ReadFile(out)
				require.NoError(t, err)
				roundTrip(t, out, raw)
				made++
			}
			require.GreaterOrEqual(t, made, 5)
		})
	}
}

// roundTrip requires that the identity gives the same bytes, and that what is written
// of a translation is read again with the same segments. A file that is refused is logged.
func roundTrip(t *testing.T, path string, raw []byte) {
	t.Helper()
	d, err := Parse(path, raw)
	if err != nil {
		t.Logf("refused: %v", err)
		return
	}
	require.NoError(t, d.Translate(t.Context(), identity), path)
	same, err := d.Bytes(segment.Options{})
	require.NoError(t, err, path)
	require.True(t, bytes.Equal(raw, same), "identity of %s", path)
	require.NoError(t, d.Translate(t.Context(), pseudo), path)
	there, err := d.Bytes(segment.Options{})
	require.NoError(t, err, path)
	again, err := Parse(path, there)
	require.NoError(t, err, path)
	compare(t, d, again)
	for _, to := range []string{"ar", "zh"} {
		_, err = d.Bytes(segment.Options{To: to})
		require.NoError(t, err, fmt.Sprint(path, to))
	}
}

// program skips a test where a program is not installed.
func program(t *testing.T, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("%s is not installed", name)
	}
}
