package libretranslate

import (
	"bytes"
	"context"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
)

// downloadPath is where translated files are fetched from; the file's name
// follows.
const downloadPath = "/download_file/"

// routeOf is the key of a path in Handler.routes. It holds nothing that a
// client wrote, so it can be logged.
func routeOf(path string) string {
	if strings.HasPrefix(path, downloadPath) {
		return downloadPath
	}
	return path
}

// translateFile answers POST /translate_file with the address of the translated
// file. Only plain text is taken.
func (h *Handler) translateFile(ctx context.Context, w http.ResponseWriter, r *http.Request, p params) error {
	if p.file == nil || p.file.name == "" {
		return badRequest("file is missing: send it as a part of a multipart form, with its name")
	}
	if !strings.EqualFold(path.Ext(p.file.name), ".txt") {
		return badRequest("only .txt files are translated")
	}
	codes, err := h.codes(ctx)
	if err != nil {
		return err
	}
	pair, err := pairOf(p, codes)
	if err != nil {
		return err
	}
	text, charset, err := decodeText(p.file.data)
	if err != nil {
		return err
	}
	d := plainDocument(text)
	if _, err := h.translateDocuments(ctx, []document{d}, pair); err != nil {
		return err
	}
	data, err := charset.NewEncoder().Bytes([]byte(d.join()))
	if err != nil {
		return err
	}
	name := outputName(p.file.name, pair.to)
	address := url.URL{Scheme: "http", Host: r.Host, Path: downloadPath + h.shelf.put(name, data) + "." + name}
	writeJSON(w, http.StatusOK, map[string]string{"translatedFileUrl": address.String()})
	return nil
}

// download serves a translated file, once. Clients fetch it without a key, so
// its address is the secret.
func (h *Handler) download(w http.ResponseWriter, r *http.Request) error {
	token, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, downloadPath), ".")
	file, ok := h.shelf.take(token)
	if !ok {
		return failure{http.StatusNotFound, "this file is not there any more: each is given out once"}
	}
	header := w.Header()
	header.Set("Content-Type", "application/octet-stream")
	header.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": file.name}))
	_, _ = w.Write(file.data) // the client went away
	return nil
}

// decodeText reads UTF-8, or UTF-16 with a byte order mark, and returns how to
// write the same again. The mark of UTF-8 stays a part of the text.
func decodeText(data []byte) (string, encoding.Encoding, error) {
	var charset encoding.Encoding = encoding.Nop
	switch {
	case bytes.HasPrefix(data, []byte{0xFF, 0xFE}):
		charset = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case bytes.HasPrefix(data, []byte{0xFE, 0xFF}):
		charset = unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	}
	text, err := charset.NewDecoder().Bytes(data)
	if err != nil || !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
		return "", nil, badRequest("the file is not text in UTF-8: save it so")
	}
	if charset == encoding.Nop && bytes.HasPrefix(text, []byte("\uFEFF")) {
		charset = unicode.UTF8BOM
		text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	}
	return string(text), charset, nil
}

// outputName is "letter_es.txt" for "letter.txt": the last part of the name that
// a client gave, without what has a meaning in paths or headers.
func outputName(name, to string) string {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	stem := strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f || strings.ContainsRune(`/\:*?"<>|`, c) {
			return '_'
		}
		return c
	}, strings.ToValidUTF8(strings.TrimSuffix(name, path.Ext(name)), "_"))
	for len(stem) > 100 {
		_, n := utf8.DecodeLastRuneInString(stem)
		stem = stem[:len(stem)-n]
	}
	return stem + "_" + to + ".txt"
}
