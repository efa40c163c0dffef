package clip

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWorth(t *testing.T) {
	for want, texts := range map[Reason][]string{
		Accepted: {
			"Guten Tag", "hello", "Hello!", "Straßenbahnhaltestelle", "Donaudampfschifffahrtsgesellschaftskapitän",
			"COVID-19", "24-Stunden-Service", "1990er-Jahre", "and/or", "he/she/they", "don't", "l’été", "z.B.", "U.S.A.", "Mr.Smith",
			"Ende.Der", "»Wiedervereinigung«", "#Wiedervereinigung", "rhythm", "JavaScript", "McDonald", "state-of-the-art", "C++-Entwickler",
			"学习", "第3章", "2024年の予定", "Привет", "안녕하세요", "שלום", "สวัสดี", "čtvrtek", "Silben\u00adtrennung", "Danke😊", "Angstschweiß",
			"Das Passwort lautet x7$kQ!", "see https://example.org for more", "\n  Hallo  \n", "a b",
		},
		NoLetters: {"", "   ", "123", "12.5 %", "+49 30 1234567", "🙂🙂", "---", "3 / 4", "x", "é"},
		LooksSecret: {
			"hunter2", "Passw0rd!", "correcthorse9battery", "Tr0ub4dor&3", "x7$kQ!mPz", "xKqTbWzPmNvR", "p@ssword", "qwrtzpsdfg",
			"550e8400-e29b-41d4-a716-446655440000", "d41d8cd98f00b204e9800998ecf8427e", "AKIAIOSFODNN7EXAMPLE",
			"ghp_16C7e42F292c6912E7710c838347Ae178B4a", "QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "v1.2.3-rc4", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgN", "key=value",
			"DE89-3704-0044-0532", "AB-12-CD-34-EF-56", "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n-----END OPENSSH PRIVATE KEY-----",
		},
		Address: {
			"https://example.org/a?b=c", "HTTP://EXAMPLE.ORG", "www.example.org", "example.org", "example.org/de/seite", "example.org:8080",
			"mailto:a@example.org", "anna.muster@example.org", "<anna@example.org>", "/usr/share/doc", "~/Dokumente", "./run.sh",
			`C:\Users\anna`, "C:/Users/anna", `\\server\share`, `src\main`, "src/main.go", "report-2.PDF", "archive.tar.gz", "data:text/plain,hello",
		},
	} {
		for _, text := range texts {
			got := worth(text)
			require.Equal(t, want, got, "%q: %v, not %v", text, got, want)
		}
	}
}

func FuzzWorth(f *testing.F) {
	for _, s := range []string{"Guten Tag", "x7$kQ!", "a@b.de", "C:\\", "\xff\xfe\x00", "....", "1er"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if worth(s) == Accepted {
			require.Equal(t, Accepted, worth(" "+s+"\n"), "white space around it changes nothing")
		}
	})
}
