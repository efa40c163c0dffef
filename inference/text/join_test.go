package text

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestJoin(t *testing.T) {
	for _, test := range []struct{ name, text, from, to, translated, want string }{
		{"white space stays", "One.  Two.\r\n\r\n- Three\n", "en", "de", "Eins.|Zwei.|Drei", "Eins.  Zwei.\r\n\r\n- Drei\n"},
		{"space put in", "你好。再见。\n好。", "zh", "en", "Hello.|Goodbye.|Good.", "Hello. Goodbye.\nGood."},
		{"no space between two languages without", "你好。再见。", "zh", "ja", "こんにちは。|さようなら。", "こんにちは。さようなら。"},
		{"space stays", "Hello. Goodbye.", "en", "zh", "你好。|再见。", "你好。 再见。"},
		{"space that is there is enough", "你好。 再见。", "zh-Hans", "en", "Hello.|Goodbye.", "Hello. Goodbye."},
		{"Korean has spaces", "안녕. 잘 가.", "ko", "en", "Hello.|Bye.", "Hello. Bye."},
		{"nothing to translate", "12:30\n", "en", "de", "", "12:30\n"},
		{"empty", "", "en", "de", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			translated := strings.FieldsFunc(test.translated, func(c rune) bool { return c == '|' })
			require.Equal(t, test.want, Join(Split(test.text, test.from), translated, test.from, test.to))
		})
	}
}

func TestJoinRefusesAnotherNumberOfTranslations(t *testing.T) {
	pieces := Split("One. Two.", "en")
	require.Panics(t, func() { Join(pieces, []string{"Eins."}, "en", "de") })
	require.Panics(t, func() { Join(pieces, []string{"Eins.", "Zwei.", "Drei."}, "en", "de") })
}
