package mail

import (
	"mime"
	netmail "net/mail"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/watch/document/segment"
	"dragoman/watch/document/segment/segmenttest"
)

func translated(t *testing.T, raw string, translate func(string) string, o segment.Options) string {
	t.Helper()
	parts, write, err := Read([]byte(raw))
	require.NoError(t, err)
	for _, p := range parts {
		require.NoError(t, segment.Translate(t.Context(), p.Segments, segmenttest.ByLines(translate)))
	}
	out, err := write(o)
	require.NoError(t, err)
	return string(out)
}

func TestWhatIsWritten(t *testing.T) {
	const qp = "Content-Transfer-Encoding: quoted-printable\n"
	accents := func(s string) string { return strings.ReplaceAll(s, "a", "é") }
	for name, c := range map[string]struct {
		raw, want string
		translate func(string) string
		o         segment.Options
	}{
		"plain":              {"Subject: a b\n\nc\nd\n", "Subject: A B\n\nC\nD\n", strings.ToUpper, segment.Options{}},
		"reply":              {"Subject: Re: AW: a\n\n", "Subject: Re: AW: A\n\n", strings.ToUpper, segment.Options{}},
		"subject, encoded":   {"Subject: =?utf-8?q?caf=C3=A9?=\n =?iso-8859-1?q?_caf=E9?=\n\n", "Subject: =?utf-8?q?CAF=C3=89_CAF=C3=89?=\n\n", strings.ToUpper, segment.Options{}},
		"quotes":             {"A: b\n\na:\n> c\n> d\n>> e\n", "A: b\n\nA:\n> C\n> D\n>> E\n", strings.ToUpper, segment.Options{}},
		"rule without space": {"A: b\n\na\n\n-----Original Message-----\nFrom: Jo <a@b.c>\nSubject: d\n\ni\n", "A: b\n\nA\n\n-----ORIGINAL MESSAGE-----\nFrom: Jo <a@b.c>\nSubject: D\n\nI\n", strings.ToUpper, segment.Options{}},
		"forwarded below":    {"A: b\n\na\n---------- Forwarded message ---------\nFrom: Jo Do <a@b.c>\nDate: May 8, 2005 1:17 PM\nSubject: d e\nTo: f@g.h\n\ni\n> ____\n> *Von:* <a@b.c>\n> *Betreff:* j k\n> Note: l\n", "A: b\n\nA\n---------- FORWARDED MESSAGE ---------\nFrom: Jo Do <a@b.c>\nDate: May 8, 2005 1:17 PM\nSubject: D E\nTo: f@g.h\n\nI\n> ____\n> *Von:* <a@b.c>\n> *Betreff:* J K\n> Note: L\n", strings.ToUpper, segment.Options{}},
		"no header":          {"A: b\n\nFirst: a\nSecond: b@c.d e\nf: g\n", "A: b\n\nFirst: A\nSecond: b@c.d e\nf: G\n", strings.ToUpper, segment.Options{}},
		"signature":          {"A: b\n\na\n-- \nBob\n> c\n", "A: b\n\nA\n-- \nBob\n> C\n", strings.ToUpper, segment.Options{}},
		"line ends":          {"A: b\r\n\r\na\r\nb\r\n", "A: b\r\n\r\nA\r\nB\r\n", strings.ToUpper, segment.Options{}},
		"quoted-printable":   {"A: b\n" + qp + "Content-Type: text/plain; charset=utf-8\n\ncaf=C3=A9 a=\nb\n", "A: b\n" + qp + "Content-Type: text/plain; charset=utf-8\n\nCAF=C3=89 AB\n", strings.ToUpper, segment.Options{}},
		"base64":             {"A: b\nContent-Transfer-Encoding: BASE64\n\nYSBi\n\n", "A: b\nContent-Transfer-Encoding: BASE64\n\nQSBC\n\n", strings.ToUpper, segment.Options{}},
		"kept encoding":      {"A: b\n" + qp + "Content-Type: text/plain; charset=iso-8859-1\n\na\n", "A: b\n" + qp + "Content-Type: text/plain; charset=iso-8859-1\n\n=E9\n", accents, segment.Options{}},
		"another encoding":   {"A: b\n" + qp + "Content-Type: text/plain; charset=iso-8859-1; format=flowed\n\na\n", "A: b\n" + qp + "Content-Type: text/plain; charset=utf-8; format=flowed\nMIME-Version: 1.0\n\n=E6=97=A5\n", func(string) string { return "日" }, segment.Options{}},
		"seven bits":         {"A: b\n\na\n", "A: b\nContent-Type: text/plain; charset=utf-8\nMIME-Version: 1.0\nContent-Transfer-Encoding: quoted-printable\n\n=C3=A9\n", accents, segment.Options{}},
		"said to be ASCII":   {"A: b\nMIME-Version: 1.0\nContent-Type: text/plain; charset=us-ascii\n\na\n", "A: b\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n=C3=A9\n", accents, segment.Options{}},
		"quotation marks":    {"A: b\nMIME-Version: 1.0\n" + qp + "Content-Type: text/plain; charset=iso-8859-1\n\na\n", "A: b\nMIME-Version: 1.0\n" + qp + "Content-Type: text/plain; charset=utf-8\n\n=E2=80=9C\n", func(string) string { return "“" }, segment.Options{}},
		"eight bits":         {"A: b\nContent-Transfer-Encoding: 8bit\nContent-Type: text/plain; charset=utf-8\n\na\n", "A: b\nContent-Transfer-Encoding: 8bit\nContent-Type: text/plain; charset=utf-8\n\né\n", accents, segment.Options{}},
		"language":           {"Content-Language: en\n\na\n", "Content-Language: de\n\nA\n", strings.ToUpper, segment.Options{To: "de"}},
		"HTML":               {"Content-Type: text/html\n\n<p>a <b>b</b></p>\n", "Content-Type: text/html\n\n<p>A <b>B</b></p>\n", strings.ToUpper, segment.Options{}},
		"attachment":         {"Content-Type: text/plain\nContent-Disposition: attachment\n\na\n", "Content-Type: text/plain\nContent-Disposition: attachment\n\na\n", strings.ToUpper, segment.Options{}},
		"other kinds":        {"Content-Type: text/calendar\n\na\n", "Content-Type: text/calendar\n\na\n", strings.ToUpper, segment.Options{}},
		"parts":              {"Content-Type: multipart/mixed; boundary=\"x\"\n\npre\n--x\n\na\n--x\nContent-Type: text/html\n\n<p>b\n--x--\npost\n", "Content-Type: multipart/mixed; boundary=\"x\"\n\npre\n--x\n\nA\n--x\nContent-Type: text/html\n\n<p>B\n--x--\npost\n", strings.ToUpper, segment.Options{}},
		"forwarded":          {"Content-Type: message/rfc822\n\nSubject: a\n\nb\n", "Content-Type: message/rfc822\n\nSubject: A\n\nB\n", strings.ToUpper, segment.Options{}},
		"cannot be decoded":  {"Content-Transfer-Encoding: x-unknown\n\na\n", "Content-Transfer-Encoding: x-unknown\n\na\n", strings.ToUpper, segment.Options{}},
		"bilingual":          {"Subject: a\n\nb\n> c\n", "Subject: =?utf-8?q?a_=E2=80=93_A?=\n\nb\n\nB\n> c\n> \n> C\n", strings.ToUpper, segment.Options{Bilingual: true}},
		"no last boundary":   {"Content-Type: multipart/mixed; boundary=x\n\n--x\n\na", "Content-Type: multipart/mixed; boundary=x\n\n--x\n\nA", strings.ToUpper, segment.Options{}},
		"a line in the mbox": {"From a@b Mon Nov 2\nSubject: a\n\nb", "From a@b Mon Nov 2\nSubject: A\n\nB", strings.ToUpper, segment.Options{}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, translated(t, c.raw, c.translate, c.o))
		})
	}
}

// What Go's own reader of mail sees, who knows nothing of ours.
func TestSubjectsAreRead(t *testing.T) {
	long := "Ñandú " + strings.Repeat("lorem ípsum ", 20)
	out := translated(t, "Subject: a\n\nb\n", func(s string) string { return map[string]string{"a": long, "b": "c"}[s] }, segment.Options{})
	for line := range strings.SplitSeq(out, "\n") {
		require.LessOrEqual(t, len(line), 78)
	}
	m, err := netmail.ReadMessage(strings.NewReader(out))
	require.NoError(t, err)
	subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	require.NoError(t, err)
	require.Equal(t, strings.TrimSpace(long), subject)
}

func TestHostileMessages(t *testing.T) {
	nested := strings.Repeat("Content-Type: message/rfc822\n\n", 60)
	for name, c := range map[string]struct{ raw, says string }{
		"nested":     {nested + "Subject: a\n\nb", "nested too deep"},
		"parts":      {"Content-Type: multipart/mixed; boundary=x\n\n" + strings.Repeat("--x\n\na\n", maxParts+1), "too many"},
		"fields":     {strings.Repeat("A: b\n", maxFields+1), "too many fields"},
		"no header":  {"\na\n", "no header"},
		"not a mail": {"just a text\n", "no header"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := Read([]byte(c.raw))
			require.ErrorContains(t, err, c.says)
		})
	}
}

func TestLooks(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "testdata", "eml", "parts.eml"))
	require.NoError(t, err)
	require.True(t, Looks(string(raw)))
	for _, body := range []string{"", "a\n", "From: a\nhello\n", "Subject: a\n\nb", "from: here\nto: there\n"} {
		require.False(t, Looks(body), body)
	}
}
