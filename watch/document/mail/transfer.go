package mail

import (
	"bytes"
	"encoding/base64"
	"io"
	"mime/quotedprintable"
	"strings"
)

// verbatim says whether a transfer encoding leaves the bytes as they are.
func verbatim(encoding string) bool {
	switch encoding {
	case "", "7bit", "8bit", "binary":
		return true
	}
	return false
}

// decodeTransfer undoes a transfer encoding (RFC 2045, section 6).
func decodeTransfer(raw, encoding string) ([]byte, bool) {
	switch {
	case verbatim(encoding):
		return []byte(raw), true
	case encoding == "quoted-printable":
		out, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(raw)))
		return out, err == nil
	case encoding == "base64":
		packed := strings.Map(func(r rune) rune {
			if r == '\r' || r == '\n' || r == ' ' || r == '\t' {
				return -1
			}
			return r
		}, raw)
		out, err := base64.StdEncoding.DecodeString(packed)
		return out, err == nil
	}
	return nil, false
}

// encodeTransfer does it again.
func encodeTransfer(raw []byte, encoding, eol string) string {
	switch encoding {
	case "quoted-printable":
		var b bytes.Buffer
		w := quotedprintable.NewWriter(&b)
		_, _ = w.Write(raw) // into memory
		_ = w.Close()
		out := strings.ReplaceAll(b.String(), "\r\n", "\n")
		return strings.ReplaceAll(out, "\n", eol)
	case "base64":
		packed := base64.StdEncoding.EncodeToString(raw)
		var b strings.Builder
		for len(packed) > 76 {
			b.WriteString(packed[:76] + eol)
			packed = packed[76:]
		}
		b.WriteString(packed)
		return b.String()
	}
	return string(raw)
}
