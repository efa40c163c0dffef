package text

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTranslatable(t *testing.T) {
	for _, s := range []string{
		"", " ", "\n\t\u00a0", "\ufeff", "123", "1,234.56", "٣٤٥", "१२३", "½", "-5 %", "€ 12.00", "2024-01-31", "31.12.2024 23:59", "12/31/99",
		"+49 (0)30 123-456", "...", "?!", "—", "***", "[ ]", "。！", "=>", "→", "©", "😀", "👍🏽", "👨‍👩‍👧‍👦", "🇩🇪", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "1️⃣", "ℹ️", "❤️ 100%!", "3.º", "2ª",
		"https://example.com", "http://example.com/a?b=c.d&e=f#g", "HTTPS://EXAMPLE.COM", "(https://example.com/x_(y))", "<https://example.com>",
		"https://example.com.", "https://zh.wikipedia.org/wiki/中国", "ftp://a/b", "www.example.com", "example.com", "example.com/path", "example.co.uk",
		"localhost://x", "mailto:a@b.c", "tel:+123", "https://münchen.de/straße", "name@example.com", "First.Last+tag@mail.example.org,", "@user", "@user@host.social",
		"/usr/bin/env", "./a.sh", "../x", "~/notes", `C:\Windows`, `c:/Users/x`, `C:\Program Files\App\read me.txt`, `\\server\share`, "report.pdf", "src/main.go",
		"2024-01-02T10:00:00Z", "2024-01-02T10:00:00.123+02:00", "\xff\xfe", "\x00",
	} {
		require.False(t, Translatable(s), "%q", s)
	}
	for _, s := range []string{
		"a", "Hello", "你好", "สวัสดี", "مرحبا", "é", "5 apples", "OK 👍", "Hello.World", "and/or", "See https://example.com", "https://a.com and https://b.com",
		"https://a.com你好", "https://a.com。再见", "Mail name@example.com", "e-mail", "user@", "a@b", `C:\Windows is a folder`, "Note: this", "No.", "//", "x",
		"/a b", "Who? Me.", "2024年", "12 Uhr", "data: none", "Node.js rocks", "THIS-IS-IT",
	} {
		require.Equal(t, s != "//", Translatable(s), "%q", s)
	}
}
