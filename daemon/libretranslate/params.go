package libretranslate

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"

	"dragoman/internal/english"
)

// params are a request's parameters, from wherever they came.
type params struct {
	texts        []string // q
	list         bool     // q was a list
	source       string
	target       string
	format       string
	alternatives string
	key          string
	file         *upload
}

type upload struct {
	name string
	data []byte
}

type limits struct {
	body, file int64 // bytes
	texts      int
}

// readParams reads the body: JSON, a form or a multipart form, with parameters
// of the query before those of a form, as LibreTranslate does.
func readParams(w http.ResponseWriter, r *http.Request, l limits) (params, error) {
	r.Body = http.MaxBytesReader(w, r.Body, l.body)
	kind, attributes, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil && r.Header.Get("Content-Type") != "" {
		return params{}, badRequest("the Content-Type cannot be understood")
	}
	if kind == "application/json" {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return params{}, bodyError(err)
		}
		return parseJSON(body)
	}
	values := r.URL.Query()
	var p params
	switch kind {
	case "multipart/form-data":
		p.file, err = readMultipart(r.Body, attributes["boundary"], values, l)
		if err != nil {
			return params{}, err
		}
	case "", "application/x-www-form-urlencoded":
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return params{}, bodyError(err)
		}
		if err := parseForm(string(body), values); err != nil {
			return params{}, err
		}
	default:
		return params{}, badRequest("send application/json, application/x-www-form-urlencoded or multipart/form-data")
	}
	p.setValues(values)
	return p, nil
}

// bodyError tells a body that is too large from one that did not come.
func bodyError(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return err
	}
	return badRequest("the request's body did not come whole")
}

func parseJSON(body []byte) (params, error) {
	var fields *struct {
		Q            json.RawMessage `json:"q"`
		Source       string          `json:"source"`
		Target       string          `json:"target"`
		Format       string          `json:"format"`
		Alternatives json.RawMessage `json:"alternatives"`
		Key          string          `json:"api_key"`
		// The npm package libretranslate calls it so.
		KeyToo string `json:"apiKey"`
	}
	if err := json.Unmarshal(body, &fields); err != nil || fields == nil {
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && wrong.Field != "" {
			return params{}, badRequest(wrong.Field + " is not a string")
		}
		return params{}, badRequest("the body is not a JSON object")
	}
	p := params{source: fields.Source, target: fields.Target, format: fields.Format, key: fields.Key}
	setDefault(&p.key, fields.KeyToo)
	p.alternatives = strings.Trim(string(fields.Alternatives), `"`)
	if p.alternatives == "null" {
		p.alternatives = ""
	}
	if q := bytes.TrimSpace(fields.Q); len(q) > 0 && !bytes.Equal(q, []byte("null")) {
		p.list = q[0] == '['
		var err error
		if p.list {
			err = json.Unmarshal(q, &p.texts)
		} else {
			p.texts = make([]string, 1)
			err = json.Unmarshal(q, &p.texts[0])
		}
		if err != nil {
			return params{}, badRequest("q is neither a string nor a list of strings")
		}
	}
	return p, nil
}

func parseForm(body string, into url.Values) error {
	form, err := url.ParseQuery(body)
	if err != nil {
		return badRequest("the form cannot be understood")
	}
	for name, values := range form {
		into[name] = append(into[name], values...)
	}
	return nil
}

// readMultipart reads a form's fields and its file, all in memory: nothing of a
// text is left on the disk.
func readMultipart(body io.Reader, boundary string, into url.Values, l limits) (*upload, error) {
	if boundary == "" {
		return nil, badRequest("the multipart form has no boundary")
	}
	var file *upload
	reader := multipart.NewReader(body, boundary)
	for parts := 0; ; parts++ {
		part, err := reader.NextPart()
		if err == io.EOF {
			return file, nil
		}
		if err != nil {
			return nil, bodyError(err)
		}
		if parts >= l.texts+16 {
			return nil, badRequest("the form has too many fields")
		}
		data, err := io.ReadAll(io.LimitReader(part, l.body))
		if err != nil {
			return nil, bodyError(err)
		}
		switch {
		case part.FormName() != "file":
			into.Add(part.FormName(), string(data))
		case file != nil:
			return nil, badRequest("there is more than one file")
		case int64(len(data)) > l.file:
			return nil, failure{http.StatusRequestEntityTooLarge, "the file has more than " + english.Size(l.file)}
		default:
			file = &upload{name: part.FileName(), data: data}
		}
	}
}

// setValues takes the parameters from a form. Browsers end lines in forms with
// CR LF whatever the text had (HTML standard, constructing the entry list), so
// they count and are translated as LF.
func (p *params) setValues(values url.Values) {
	for _, q := range values["q"] {
		if q != "" {
			p.texts = append(p.texts, strings.ToValidUTF8(strings.ReplaceAll(q, "\r\n", "\n"), "\uFFFD"))
		}
	}
	p.list = len(p.texts) > 1
	p.source, p.target = values.Get("source"), values.Get("target")
	p.format, p.alternatives = values.Get("format"), values.Get("alternatives")
	p.key = values.Get("api_key")
	setDefault(&p.key, values.Get("apiKey"))
}
