package libretranslate

import (
	"context"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	files "dragoman/watch/document"
	"dragoman/watch/document/segment"
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

// fileAnswer is LibreTranslate's, with what a user should know of the file that is written.
type fileAnswer struct {
	URL   string   `json:"translatedFileUrl"`
	Notes []string `json:"notes,omitempty"`
}

// translateFile answers POST /translate_file with the address of the translated
// file, in the formats that package document reads.
func (h *Handler) translateFile(ctx context.Context, w http.ResponseWriter, r *http.Request, p params) error {
	if p.file == nil || p.file.name == "" {
		return badRequest("file is missing: send it as a part of a multipart form, with its name")
	}
	name := baseName(p.file.name)
	if !files.Supported(name) {
		return badRequest("this kind of file is not translated: send one of " + strings.Join(files.Extensions(), " "))
	}
	codes, err := h.codes(ctx)
	if err != nil {
		return err
	}
	pair, err := pairOf(p, codes)
	if err != nil {
		return err
	}
	reading := files.Reading{}
	if pair.from != auto {
		reading.Language = pair.from
	}
	doc, err := reading.Parse(name, p.file.data)
	if err != nil {
		return badRequest(err.Error())
	}
	if err := h.translateFileTexts(ctx, doc, pair); err != nil {
		return err
	}
	data, err := doc.Bytes(segment.Options{To: pair.to})
	if err != nil {
		return err
	}
	name = outputName(name, pair.to)
	address := url.URL{Scheme: "http", Host: r.Host, Path: downloadPath + h.shelf.put(name, data) + "." + name}
	writeJSON(w, http.StatusOK, fileAnswer{address.String(), doc.Notes})
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

// translateFileTexts fills in the translations of a document.
func (h *Handler) translateFileTexts(ctx context.Context, doc *files.Document, pair pair) error {
	from := pair.from
	if from == auto {
		var err error
		if from, _, err = h.options.Backend.Detect(ctx, doc.Sample(sampled)); err != nil {
			return err
		}
	}
	if from == "" || from == pair.to {
		return nil // what is of no language or the right one stays as it is
	}
	pair.from = from
	if err := doc.Into(pair.to); err != nil {
		return badRequest(doc.Name + ": " + err.Error())
	}
	doc.Align = h.align(pair)
	return doc.Translate(ctx, h.oneText(pair))
}

// sampled is how much of a document its language is told by, in bytes.
const sampled = 16 << 10

// baseName is the last part of the name that a client gave.
func baseName(name string) string { return path.Base(strings.ReplaceAll(name, `\`, "/")) }

// outputName is "letter_es.txt" for "letter.txt", without what has a meaning in paths
// or headers.
func outputName(name, to string) string {
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
	return stem + "_" + to + strings.ToLower(files.Extension(name))
}
