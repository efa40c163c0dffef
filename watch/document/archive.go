package document

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"sync"
	"unicode/utf8"

	"dragoman/internal/english"
	"dragoman/watch/document/segment"
)

// Limits of zips, above what real documents have.
const (
	maxEntries  = 20_000
	maxPartSize = 64 << 20  // bytes of one part that is read, unpacked
	maxUnpacked = 192 << 20 // bytes of all parts that are read
)

// archive is the zip that a document is. Only parts with text are unpacked.
type archive struct {
	reader   *zip.Reader
	files    map[string]*zip.File
	unpacked int64
}

// openArchive refuses what no program makes and what could do harm: names that
// lead outside, entries that share their bytes, more of them than documents have.
func openArchive(data []byte) (*archive, error) {
	reader, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, fmt.Errorf("is a damaged zip (%w): copy it again, or save it anew with the program it is from", err)
	}
	if len(reader.File) > maxEntries {
		return nil, fmt.Errorf("is a zip of %d files, more than the %d that a document may have", len(reader.File), maxEntries)
	}
	a := &archive{reader: reader, files: make(map[string]*zip.File, len(reader.File))}
	var packed uint64
	for _, f := range reader.File {
		name := strings.TrimSuffix(f.Name, "/")
		if !validRel(name, false) || path.Clean(name) != name || strings.ContainsAny(name, "\\\x00") {
			return nil, errors.New("is a zip with a file name that leads outside of it: it is no document, and better not opened with anything")
		}
		if _, twice := a.files[f.Name]; twice {
			return nil, fmt.Errorf("is a zip that has %q twice: save it anew with the program it is from", f.Name)
		}
		if f.Flags&1 != 0 {
			return nil, errors.New("is protected by a password: save it without one")
		}
		a.files[f.Name] = f
		packed += min(f.CompressedSize64, uint64(len(data))+1) // sizes of 64 bits could add up to little
	}
	if packed > uint64(len(data)) {
		return nil, errors.New("is a zip whose files share their bytes, as zip bombs do: it is no document")
	}
	for _, f := range reader.File { // also of those that are only copied, which would be found out after all was translated
		if at, err := f.DataOffset(); err != nil || uint64(at)+f.CompressedSize64 > uint64(len(data)) {
			return nil, fmt.Errorf("is a damaged zip (%q is not where its directory says): copy it again, or save it anew with the program it is from", f.Name)
		}
	}
	return a, nil
}

func (a *archive) has(name string) bool { return a.files[name] != nil }

// mimetype says whether the file that names the type of OpenDocument and EPUB files has
// one that begins so.
func (a *archive) mimetype(begins string) bool {
	f := a.files["mimetype"]
	if f == nil || f.UncompressedSize64 > 200 {
		return false
	}
	named, err := a.read("mimetype")
	return err == nil && strings.HasPrefix(strings.TrimSpace(named), begins)
}

// Names are those of all files, in the order of the zip.
func (a *archive) Names() []string {
	names := make([]string, len(a.reader.File))
	for i, f := range a.reader.File {
		names[i] = f.Name
	}
	return names
}

// chunks are what unpacking goes through.
var chunks = sync.Pool{New: func() any { return new(make([]byte, 32<<10)) }}

// read unpacks a file, whatever size its header says.
func (a *archive) read(name string) (string, error) {
	f := a.files[name]
	if f == nil {
		return "", fmt.Errorf("it has no %s", name)
	}
	r, err := f.Open()
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	defer r.Close()
	var b strings.Builder
	b.Grow(int(min(f.UncompressedSize64, 4<<20))) // what its header says may be wrong
	chunk := chunks.Get().(*[]byte)
	defer chunks.Put(chunk)
	n, err := io.CopyBuffer(&b, io.LimitReader(r, maxPartSize+1), *chunk)
	a.unpacked += n
	switch {
	case err != nil:
		return "", fmt.Errorf("%s is damaged: %w", name, err)
	case n > maxPartSize:
		return "", fmt.Errorf("%s is larger than %s unpacked", name, english.Size(maxPartSize))
	case a.unpacked > maxUnpacked:
		return "", fmt.Errorf("its texts are larger than %s unpacked", english.Size(maxUnpacked))
	}
	return b.String(), nil
}

// Text is read for a file of XML or HTML: UTF-8, whose byte order mark stays.
func (a *archive) Text(name string) (string, error) {
	body, err := a.read(name)
	if err != nil {
		return "", err
	}
	if utf8.ValidString(body) && strings.IndexByte(body, 0) < 0 {
		return body, nil
	}
	if i := firstBadUTF8([]byte(body)); i >= 0 {
		return "", fmt.Errorf("%s is not UTF-8 text: byte 0x%02X at offset %d", name, body[i], i)
	}
	return body, nil
}

func (d *Document) parseZip(f *format, a *archive, data []byte) (err error) {
	d.parts, err = f.parts(a)
	if err != nil {
		return named(f, err)
	}
	d.assemble = func(o segment.Options) ([]byte, error) { return a.write(data, d.parts, o) }
	return nil
}

// write is the zip with the parts rendered. All other files are copied as they are
// packed, in their order. Where no part changes, it is the zip itself.
func (a *archive) write(data []byte, parts []*segment.Part, o segment.Options) ([]byte, error) {
	type change struct {
		source string
		edits  []segment.Edit
	}
	changed := map[string]change{}
	for _, p := range parts {
		if edits := p.Edits(o); len(edits) > 0 {
			changed[p.Name] = change{p.Source, edits}
		}
	}
	if len(changed) == 0 {
		return data, nil
	}
	var out bytes.Buffer
	out.Grow(len(data))
	w := zip.NewWriter(&out)
	var text bytes.Buffer // of one part after another
	for _, f := range a.reader.File {
		part, differs := changed[f.Name]
		if strings.HasSuffix(f.Name, "/") { // some programs deflate their nothing, which cannot be copied
			if _, err := w.CreateHeader(&zip.FileHeader{
				Name: f.Name, Comment: f.Comment, NonUTF8: f.NonUTF8, Modified: f.Modified,
				ExternalAttrs: f.ExternalAttrs, CreatorVersion: f.CreatorVersion,
			}); err != nil {
				return nil, fmt.Errorf("copy %s: %w", f.Name, err)
			}
			continue
		}
		if !differs {
			if err := copyPacked(w, f, data); err != nil {
				return nil, fmt.Errorf("copy %s: %w", f.Name, err)
			}
			continue
		}
		text.Reset()
		if err := segment.SpliceTo(&text, part.source, part.edits); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		w.RegisterCompressor(zip.Deflate, packer(text.Len()))
		into, err := w.CreateHeader(&zip.FileHeader{ // without Extra, which may have sizes
			Name: f.Name, Comment: f.Comment, NonUTF8: f.NonUTF8, Method: f.Method, Modified: f.Modified,
			ExternalAttrs: f.ExternalAttrs, CreatorVersion: f.CreatorVersion,
		})
		if err == nil {
			_, err = into.Write(text.Bytes())
		}
		if err != nil {
			return nil, fmt.Errorf("write %s: %w", f.Name, err)
		}
	}
	if err := errors.Join(w.SetComment(a.reader.Comment), w.Close()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// copyPacked copies a file as it is packed, out of the bytes that are at hand: zip.Writer.Copy would
// take a buffer for each.
func copyPacked(w *zip.Writer, f *zip.File, data []byte) error {
	at, err := f.DataOffset()
	if err != nil {
		return err
	}
	header := f.FileHeader
	into, err := w.CreateRaw(&header)
	if err != nil {
		return err
	}
	_, err = into.Write(data[at : uint64(at)+f.CompressedSize64])
	return err
}
