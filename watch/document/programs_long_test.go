//go:build long

package document

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/watch/document/segment"
)

// written are the samples of a format, translated into a language, in a folder.
func written(t *testing.T, format, to string) (files []string) {
	t.Helper()
	dir := t.TempDir()
	samples, err := filepath.Glob(filepath.Join("testdata", format, "*"))
	require.NoError(t, err)
	require.NotEmpty(t, samples)
	for _, path := range samples {
		d, err := Open(path)
		require.NoError(t, err)
		require.NoError(t, d.Into(to))
		require.NoError(t, d.Translate(t.Context(), pseudo))
		data, err := d.Bytes(segment.Options{To: to})
		require.NoError(t, err)
		out := filepath.Join(dir, filepath.Base(path))
		require.NoError(t, os.WriteFile(out, data, 0o600))
		files = append(files, out)
	}
	return files
}

func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput()
	require.NoError(t, err, "%s %v: %s", name, args, out)
	return string(out)
}

// LibreOffice opens what is written and prints it, in both directions of writing.
func TestOfficeOpensThem(t *testing.T) {
	program(t, "soffice")
	profile := "-env:UserInstallation=file://" + filepath.ToSlash(t.TempDir())
	for _, format := range []string{"docx", "pptx", "xlsx", "odt", "odp", "ods", "rtf"} {
		for _, to := range []string{"de", "ar"} {
			t.Run(format+" "+to, func(t *testing.T) {
				for _, path := range written(t, format, to) {
					out := run(t, "soffice", "--headless", profile, "--convert-to", "pdf", "--outdir", filepath.Dir(path), path)
					require.NotContains(t, out, "Error", out)
					raw, err := os.ReadFile(strings.TrimSuffix(path, filepath.Ext(path)) + ".pdf")
					require.NoError(t, err, out)
					d, err := Parse("a.pdf", raw) // with what was translated in it
					require.NoError(t, err)
					require.Regexp(t, "[áéíóú]", d.Sample(1<<20))
					if folder := os.Getenv("DRAGOMAN_PAGES"); folder != "" { // to be looked at
						run(t, "soffice", "--headless", profile, "--convert-to", "png", "--outdir", folder, path)
					}
				}
			})
		}
	}
}

// epubcheck finds no more in what is written than it found before: in our sample, in books
// of others, and in those that pandoc makes, which have no errors.
func TestEpubcheckPassesThem(t *testing.T) {
	program(t, "java")
	jar, err := exec.LookPath("epubcheck") // a jar, which not every system starts by itself
	if err != nil {
		t.Skip("epubcheck is not installed")
	}
	findings := func(path string) map[string]int {
		out, _ := exec.CommandContext(t.Context(), "java", "-jar", jar, path).CombinedOutput() // fails where it finds errors
		require.Contains(t, string(out), "EPUB")
		found := map[string]int{}
		for line := range strings.SplitSeq(string(out), "\n") {
			kind, _, ok := strings.Cut(line, ": ")
			kind, _, _ = strings.Cut(kind, ")")
			if ok && (strings.HasPrefix(kind, "ERROR") || strings.HasPrefix(kind, "FATAL")) {
				found[kind]++
			}
		}
		return found
	}
	compared := func(t *testing.T, name, source string, languages ...string) {
		t.Helper()
		before := findings(source)
		all := []segment.Options{{To: "de", Bilingual: true}}
		for _, to := range languages {
			all = append(all, segment.Options{To: to})
		}
		for _, o := range all {
			d, err := Open(source)
			require.NoError(t, err)
			require.NoError(t, d.Translate(t.Context(), pseudo))
			data, err := d.Bytes(o)
			require.NoError(t, err)
			out := filepath.Join(t.TempDir(), "translated.epub")
			require.NoError(t, os.WriteFile(out, data, 0o600))
			after := findings(out)
			t.Logf("%s with %+v: %v before, %v after", name, o, before, after)
			for kind, n := range after {
				require.LessOrEqual(t, n, before[kind], "%s of %s", kind, name)
			}
		}
	}
	t.Run("sample", func(t *testing.T) { compared(t, "sample", filepath.Join("testdata", "epub", "book.epub"), "", "ar") })
	t.Run("books", func(t *testing.T) {
		for i, book := range realDocuments(t, "epub") {
			source := filepath.Join(t.TempDir(), strconv.Itoa(i)+".epub")
			require.NoError(t, os.WriteFile(source, book.raw, 0o600))
			compared(t, book.source+" "+book.name(), source, "ar")
		}
	})
	for _, version := range []string{"epub2", "epub3"} {
		t.Run(version, func(t *testing.T) {
			program(t, "pandoc")
			source := filepath.Join(t.TempDir(), version+".epub")
			run(t, "pandoc", "-s", "--toc", "--metadata", "title=A title", "--metadata", "lang=en", "-t", version, "-o", source, filepath.Join("testdata", "rst", "guide.rst"))
			compared(t, version, source, "", "ar")
		})
	}
}

// Programs that read a format find no errors in what is written.
func TestProgramsReadThem(t *testing.T) {
	for format, command := range map[string][]string{
		"po":  {"msgfmt", "--check-format", "--check-domain", "-o", os.DevNull},
		"srt": {"ffmpeg"}, "vtt": {"ffmpeg"}, "ass": {"ffmpeg"},
		"ts":  {"lrelease", "-silent"},
		"xlf": {"xmllint", "--noout"}, "tmx": {"xmllint", "--noout"}, "resx": {"xmllint", "--noout"},
		"xml": {"xmllint", "--noout"}, "xhtml": {"xmllint", "--noout"},
		"rst": {"pandoc", "-f", "rst", "-o", os.DevNull, "-t", "html", "--fail-if-warnings"},
		"md":  {"pandoc", "-f", "commonmark_x", "-o", os.DevNull, "-t", "html"},
	} {
		t.Run(format, func(t *testing.T) {
			program(t, command[0])
			for _, path := range written(t, format, "de") {
				if command[0] == "ffmpeg" {
					run(t, "ffmpeg", "-v", "error", "-xerror", "-y", "-i", path, "-map", "0", "-f", "ass", os.DevNull)
					count := func(path string) string {
						return run(t, "ffprobe", "-v", "error", "-count_packets", "-show_entries", "stream=nb_read_packets", "-of", "csv=p=0", path)
					}
					require.Equal(t, count(filepath.Join("testdata", format, filepath.Base(path))), count(path))
					continue
				}
				args := command[1:]
				if command[0] == "lrelease" {
					args = append(args[:len(args):len(args)], path, "-qm", path+".qm")
				} else {
					args = append(args[:len(args):len(args)], path)
				}
				run(t, command[0], args...)
			}
		})
	}
}

// What pandoc takes of reStructuredText is built as before.
func TestStructureOfRST(t *testing.T) {
	program(t, "pandoc")
	shape := func(path string) string {
		out := run(t, "pandoc", "-f", "rst", "-t", "native", path)
		var b strings.Builder
		for word := range strings.FieldsSeq(out) {
			if name := strings.Trim(word, "[](),"); name != "" && name[0] >= 'A' && name[0] <= 'Z' && name != "Str" && name != "Space" && name != "SoftBreak" {
				b.WriteString(name + " ")
			}
		}
		return b.String()
	}
	for _, path := range written(t, "rst", "de") {
		require.Equal(t, shape(filepath.Join("testdata", "rst", filepath.Base(path))), shape(path))
	}
}

// What Android makes of resources is the same after a translation, but for the translation.
func TestAndroidCompilesThem(t *testing.T) {
	program(t, "aapt2")
	dir := t.TempDir()
	compiled := func(name string, data []byte) string {
		folder := filepath.Join(dir, name, "values")
		require.NoError(t, os.MkdirAll(folder, 0o700))
		path := filepath.Join(folder, "strings.xml")
		require.NoError(t, os.WriteFile(path, data, 0o600))
		run(t, "aapt2", "compile", path, "-o", filepath.Join(dir, name))
		shown := run(t, "aapt2", "dump", "apc", "-v", filepath.Join(dir, name, "values_strings.arsc.flat"))
		return regexp.MustCompile(` src=\S+|\d+,\d+| *hash=.*|.*data: .*`).ReplaceAllString(shown, "") // places are in bytes
	}
	for _, name := range []string{"resources.xml", "strings.xml"} {
		raw, err := os.ReadFile(filepath.Join("testdata", "xml", name))
		require.NoError(t, err)
		d, err := Parse(name, raw)
		require.NoError(t, err)
		require.NoError(t, d.Translate(t.Context(), pseudo))
		there, err := d.Bytes(segment.Options{})
		require.NoError(t, err)
		before, after := compiled("before", raw), compiled("after", there)
		require.NotEqual(t, before, after)
		require.Equal(t, accents.Replace(before), accents.Replace(after))
	}
}
