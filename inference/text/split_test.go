package text

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sentences returns the texts of the Sentence pieces.
func sentences(pieces []Piece) []string {
	var all []string
	for _, p := range pieces {
		if p.Kind == Sentence {
			all = append(all, p.Text)
		}
	}
	return all
}

func whole(pieces []Piece) string {
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(p.Text)
	}
	return b.String()
}

// Sentences are divided by "|" in want.
func TestSplitSentences(t *testing.T) {
	for _, test := range []struct{ lang, text, want string }{
		// General rules.
		{"en", "Hello world", "Hello world"},
		{"en", "One. Two! Three? Four", "One.|Two!|Three?|Four"},
		{"en", "What?! Really... Yes.", "What?!|Really...|Yes."},
		{"en", "It costs 3.50 euros. Cheap.", "It costs 3.50 euros.|Cheap."},
		{"en", "Version 2.0.1 is out. Get it.", "Version 2.0.1 is out.|Get it."},
		{"en", "Wait... what is this?", "Wait... what is this?"},
		{"en", "Well… I do not know. Ask.", "Well…|I do not know.|Ask."},
		{"en", "... and so on. End.", "... and so on.|End."},
		{"en", "He was born in 1990. 20 years later he left.", "He was born in 1990.|20 years later he left."},
		{"en", "Two spaces.  Here.", "Two spaces.|Here."},
		{"en", "no capital. still the same", "no capital. still the same"},
		// Lines drawn around words.
		{"en", "-----Original Message-----", "Original Message"},
		{"en", "=== Chapter 1: The house ===", "Chapter 1: The house"},
		{"en", "> ——— The end. We go. ———", "The end.|We go."},
		{"en", "Your name: ______", "Your name:"},
		{"en", "--- \n-----\n--a-- b", "--a-- b"},
		// Quotes, brackets, references, emoji after the mark.
		{"en", `She said "Go." Then she left.`, `She said "Go."|Then she left.`},
		{"en", `"Stop!" he said. "Why?" she asked.`, `"Stop!" he said.|"Why?" she asked.`},
		{"en", "(It rained.) We left.", "(It rained.)|We left."},
		{"en", "It is known.[12] But not here.", "It is known.[12]|But not here."},
		{"en", "“Really?” Yes. ‘No.’ Fine.", "“Really?”|Yes.|‘No.’|Fine."},
		{"en", "**Bold.** _Italic._ Plain.", "**Bold.**|_Italic._|Plain."},
		{"en", "Great!😀 See you.", "Great!😀|See you."},
		{"en", "Is it (Fig. 3)? No.", "Is it (Fig. 3)?|No."},
		// Abbreviations, initials.
		{"en", "Mr. Smith met Dr. Jones. They spoke.", "Mr. Smith met Dr. Jones.|They spoke."},
		{"en", "J. R. R. Tolkien wrote it. It is long.", "J. R. R. Tolkien wrote it.|It is long."},
		{"en", "I read J.R.R. Tolkien. He wrote it.", "I read J.R.R. Tolkien.|He wrote it."},
		{"en", "He lives in the U.S. He likes it.", "He lives in the U.S.|He likes it."},
		{"en", "The U.S. Government said no.", "The U.S. Government said no."},
		{"en", "Apples, pears, etc. We like them.", "Apples, pears, etc.|We like them."},
		{"en", "Use it, e.g. Monday, i.e. Tomorrow.", "Use it, e.g. Monday, i.e. Tomorrow."},
		{"en", "At 5 p.m. on Monday. At 6 p.m. We left.", "At 5 p.m. on Monday.|At 6 p.m.|We left."},
		{"en", "See No. 5 and p. 7. He said no. Then he left.", "See No. 5 and p. 7.|He said no.|Then he left."},
		{"en", "Apple Inc. CEO resigned. It was Apple Inc. The end.", "Apple Inc. CEO resigned.|It was Apple Inc.|The end."},
		{"en", "So do I. He left.", "So do I.|He left."},
		{"en", "Take vitamin C. It helps.", "Take vitamin C.|It helps."},
		{"en", "He met G. De Niro. Fine.", "He met G. De Niro.|Fine."},
		{"en", "She has a Ph.D. in law. Good.", "She has a Ph.D. in law.|Good."},
		// Addresses and file names are not cut.
		{"en", "See https://example.com/a.b?c=d. Then go.", "See https://example.com/a.b?c=d.|Then go."},
		{"en", "Mail a.b@example.com! Now.", "Mail a.b@example.com!|Now."},
		{"en", "Open read.me.txt. Run Console.WriteLine now.", "Open read.me.txt.|Run Console.WriteLine now."},
		{"en", "Go to example.com. Then rest.", "Go to example.com.|Then rest."},
		// German.
		{"de", "Das ist z. B. Brot. Es ist gut.", "Das ist z. B. Brot.|Es ist gut."},
		{"de", "Das ist z.B. Brot, d.h. Nahrung. Gut.", "Das ist z.B. Brot, d.h. Nahrung.|Gut."},
		{"de", "Am 3. Oktober 1990 war es so weit. Alle kamen.", "Am 3. Oktober 1990 war es so weit.|Alle kamen."},
		{"de", "Er ist 20. Das Haus ist alt.", "Er ist 20.|Das Haus ist alt."},
		{"de", "Nach dem II. Weltkrieg kam Dr. med. Müller bzw. Herr Maier.", "Nach dem II. Weltkrieg kam Dr. med. Müller bzw. Herr Maier."},
		{"de", "Äpfel, Birnen usw. Danach schlief er.", "Äpfel, Birnen usw.|Danach schlief er."},
		{"de", "„Halt!“ rief sie. „Komm her.“ Er kam.", "„Halt!“ rief sie.|„Komm her.“|Er kam."},
		{"de", "»Hallo!« »Wie geht es?« Gut.", "»Hallo!«|»Wie geht es?«|Gut."},
		{"de", "Es kostet 2 Mrd. Euro. Das ist viel.", "Es kostet 2 Mrd. Euro.|Das ist viel."},
		{"de", "Es war 1989. Viele kamen.", "Es war 1989.|Viele kamen."},
		// French.
		{"fr", "M. Dupont et Mme. Durand. Ils sont là.", "M. Dupont et Mme. Durand.|Ils sont là."},
		{"fr", "M. Le Pen parle.", "M. Le Pen parle."},
		{"fr", "En 49 av. J.-C. Rome change.", "En 49 av. J.-C. Rome change."},
		{"fr", "Bonjour ! Ça va ? Oui.", "Bonjour !|Ça va ?|Oui."},
		{"fr", "« Bonjour ! » Il entra.", "« Bonjour ! »|Il entra."},
		{"fr", "« Bonjour ! » dit-il. Puis rien.", "« Bonjour ! » dit-il.|Puis rien."},
		{"fr", "Des fruits, p. ex. Pommes. L’homme dort.", "Des fruits, p. ex. Pommes.|L’homme dort."},
		{"fr", "Des pommes, etc. Les autres aussi.", "Des pommes, etc.|Les autres aussi."},
		// Spanish, Italian, Portuguese.
		{"es", "El Sr. García y la Sra. López. ¿Qué tal? ¡Bien!", "El Sr. García y la Sra. López.|¿Qué tal?|¡Bien!"},
		{"es", "Véase p. ej. Madrid, núm. 5, pág. 3. Fin.", "Véase p. ej. Madrid, núm. 5, pág. 3.|Fin."},
		{"es", "En EE. UU. Washington manda. Ud. Manuel sabe.", "En EE. UU. Washington manda.|Ud. Manuel sabe."},
		{"es", "Hacia ca. 1600 a. C. el sr. Gómez vivía. Y ya.", "Hacia ca. 1600 a. C. el sr. Gómez vivía.|Y ya."},
		{"es-MX", "—¿Vienes? —preguntó. —No. Adiós.", "—¿Vienes? —preguntó.|—No.|Adiós."},
		{"it", "Il Sig. Rossi e la Dott.ssa Bianchi. Ciao!", "Il Sig. Rossi e la Dott.ssa Bianchi.|Ciao!"},
		{"it", "La Fiat S.p.A. Torino vende auto. L'uomo dorme.", "La Fiat S.p.A. Torino vende auto.|L'uomo dorme."},
		{"pt", "O Sr. Silva e a Dra. Costa. Estão bem?", "O Sr. Silva e a Dra. Costa.|Estão bem?"},
		{"pt_BR", "Frutas, p. ex. Maçãs, etc. Ele gosta.", "Frutas, p. ex. Maçãs, etc.|Ele gosta."},
		// More languages.
		{"nl", "Dhr. Jansen komt, bijv. Maandag. Hij blijft.", "Dhr. Jansen komt, bijv. Maandag.|Hij blijft."},
		{"pl", "Np. Kraków jest duży. To prawda.", "Np. Kraków jest duży.|To prawda."},
		{"ru", "А. С. Пушкин жил на ул. Пушкина. Он писал.", "А. С. Пушкин жил на ул. Пушкина.|Он писал."},
		{"ru", "«Стой!» — сказал он. Она ушла.", "«Стой!» — сказал он.|Она ушла."},
		{"uk", "Він жив на вул. Шевченка. Потім поїхав.", "Він жив на вул. Шевченка.|Потім поїхав."},
		{"el", "Τι κάνεις; Καλά. Εσύ;", "Τι κάνεις;|Καλά.|Εσύ;"},
		{"en", "First; Second part.", "First; Second part."},
		{"tr", "3. sınıf iyi. Evet.", "3. sınıf iyi.|Evet."},
		{"cs", "Dne 5. Května přišel. Ano.", "Dne 5. Května přišel.|Ano."},
		{"ka", "გამარჯობა. როგორ ხარ?", "გამარჯობა.|როგორ ხარ?"},
		{"hy", "Բարեւ։ Ինչպե՞ս ես։", "Բարեւ։|Ինչպե՞ս ես։"},
		{"am", "ሰላም። እንዴት ነህ፡፡ ደህና።", "ሰላም።|እንዴት ነህ፡፡|ደህና።"},
		{"he", "שלום. מה שלומך? טוב.", "שלום.|מה שלומך?|טוב."},
		{"ar", "مرحبا. كيف حالك؟ بخير!", "مرحبا.|كيف حالك؟|بخير!"},
		{"ar", "قال د. أحمد نعم. ثم ذهب.", "قال د. أحمد نعم.|ثم ذهب."},
		{"fa", "سلام. حال شما چطور است؟ خوب.", "سلام.|حال شما چطور است؟|خوب."},
		{"ur", "یہ کتاب ہے۔ وہ کون ہے؟ اچھا۔", "یہ کتاب ہے۔|وہ کون ہے؟|اچھا۔"},
		{"hi", "राम आया।श्याम गया। डॉ. शर्मा कहाँ हैं? यहाँ।", "राम आया।|श्याम गया।|डॉ. शर्मा कहाँ हैं?|यहाँ।"},
		{"bn", "আমি যাই। তুমি কি যাবে?", "আমি যাই।|তুমি কি যাবে?"},
		{"km", "សួស្តី។ អ្នកសុខសប្បាយទេ?", "សួស្តី។|អ្នកសុខសប្បាយទេ?"},
		{"my", "မင်္ဂလာပါ။ နေကောင်းလား၊ ကောင်းပါတယ်။", "မင်္ဂလာပါ။|နေကောင်းလား၊ ကောင်းပါတယ်။"},
		{"th", "สวัสดีครับ คุณสบายดีไหม", "สวัสดีครับ คุณสบายดีไหม"},
		{"ko", "안녕하세요. 잘 지내요? 네.", "안녕하세요.|잘 지내요?|네."},
		{"zh", "你好。再见！真的吗？是的", "你好。|再见！|真的吗？|是的"},
		{"zh", "他说：“你好。”然后走了。", "他说：“你好。”|然后走了。"},
		{"zh", "他走了。“你好”是问候。", "他走了。|“你好”是问候。"},
		{"zh", "你好.再见!好吗?好", "你好.|再见!|好吗?|好"},
		{"zh", "见https://a.com/x?y。然后走。", "见https://a.com/x?y。|然后走。"},
		{"zh", "圆周率是3.14。对", "圆周率是3.14。|对"},
		{"zh", "我不知道……也许吧。", "我不知道……也许吧。"},
		{"ja", "こんにちは。元気ですか？はい。", "こんにちは。|元気ですか？|はい。"},
		{"ja", "「寒い。」と彼は言った。そうです。", "「寒い。」と彼は言った。|そうです。"},
		{"ja", "（本当です。）彼は来た。", "（本当です。）|彼は来た。"},
		// Unknown and missing languages.
		{"", "Mr. Smith left. He ran.", "Mr. Smith left.|He ran."},
		{"xx", "Prof. Smith left. Run!", "Prof. Smith left.|Run!"},
	} {
		pieces := Split(test.text, test.lang)
		require.Equal(t, test.want, strings.Join(sentences(pieces), "|"), "%s: %s", test.lang, test.text)
		require.Equal(t, test.text, whole(pieces))
	}
}

// Verbatim pieces are in angle brackets in want.
func TestSplitKeeps(t *testing.T) {
	for _, test := range []struct{ name, lang, text, want string }{
		{"empty", "en", "", ""},
		{"blank", "en", " \n\t ", "< \n\t >"},
		{"final newline", "en", "One.\n", "One.<\n>"},
		{"no final newline", "en", "One.\nTwo", "One.<\n>Two"},
		{"blank lines", "en", "One\n\n\nTwo\n\n", "One<\n\n\n>Two<\n\n>"},
		{"CRLF", "en", "One\r\nTwo\r\n", "One<\r\n>Two<\r\n>"},
		{"CR", "en", "One\rTwo\r", "One<\r>Two<\r>"},
		{"mixed line ends", "en", "One\n\rTwo", "One<\n\r>Two"},
		{"NEL, LS, PS, VT, FF", "en", "A\u0085B\u2028C\u2029D\vE\fF", "A<\u0085>B<\u2028>C<\u2029>D<\v>E<\f>F"},
		{"leading and trailing space", "en", "  Two.  \tThree \t\n", "<  >Two.<  \t>Three< \t\n>"},
		{"no-break spaces", "en", "\u00a0One.\u00a0\u202fTwo.\u3000", "<\u00a0>One.<\u00a0\u202f>Two.<\u3000>"},
		{"byte order mark", "en", "\ufeffOne\ufeff\n", "<\ufeff>One<\ufeff\n>"},
		{"zero width space", "en", "\u200bOne\u200b", "<\u200b>One<\u200b>"},
		{"table", "en", "Name\tValue\t12\nRed\t\tBlue", "Name<\t>Value<\t12\n>Red<\t\t>Blue"},
		{"bullets", "en", "- One\n* Two\n• Three\n  + Four", "<- >One<\n* >Two<\n• >Three<\n  + >Four"},
		{"numbers", "en", "1. One\n2) Two\n(3) Three\n4.1. Four", "<1. >One<\n2) >Two<\n(3) >Three<\n4.1. >Four"},
		{"letters", "en", "a) One\nb. Two\n(iv) Three", "<a) >One<\nb. >Two<\n(iv) >Three"},
		{"bullet and tab", "en", "•\tOne\n1.\tTwo", "<•\t>One<\n1.\t>Two"},
		{"headings, quotes, boxes", "en", "## Title\n> > Quote\n- [x] Done", "<## >Title<\n> > >Quote<\n- [x] >Done"},
		{"initial is no marker", "en", "J. Smith left.", "J. Smith left."},
		{"outline letter stays", "en", "A. Scope\nIV. Scope", "A. Scope<\n>IV. Scope"},
		{"German date is no marker", "de", "3. Oktober\n3. Brot\n3. kommt", "3. Oktober<\n3. >Brot<\n>3. kommt"},
		{"year is no marker", "en", "1984. A novel", "1984. A novel"},
		{"marker alone", "en", "-\n1.\n- \n", "<-\n1.\n- \n>"},
		{"numbers between", "en", "One. 12:30! Two.", "One.< 12:30! >Two."},
		{"address alone", "en", "Look!\nhttps://example.com/x\nGood.", "Look!<\nhttps://example.com/x\n>Good."},
		{"subtitle", "en", "1\n00:00:01,000 --> 00:00:02,000\nHello.\n", "<1\n00:00:01,000 --> 00:00:02,000\n>Hello.<\n>"},
		{"emoji line", "en", "👍🏽👨‍👩‍👧🇩🇪\nYes", "<👍🏽👨‍👩‍👧🇩🇪\n>Yes"},
		{"touching sentences", "zh", "你好。再见。\n", "你好。再见。<\n>"},
		{"invalid UTF-8", "en", "\xffOne.\xfe Two\x85\xe2\x80\n\xc2", "\xffOne.\xfe< >Two\x85\xe2\x80<\n\xc2>"},
	} {
		t.Run(test.name, func(t *testing.T) {
			pieces := Split(test.text, test.lang)
			var got strings.Builder
			for _, p := range pieces {
				if p.Kind == Verbatim {
					got.WriteString("<" + p.Text + ">")
				} else {
					got.WriteString(p.Text)
				}
			}
			require.Equal(t, test.want, got.String())
			require.Equal(t, test.text, whole(pieces))
		})
	}
}

func FuzzSplit(f *testing.F) {
	for _, seed := range []string{
		"", "Hello. World!\r\n\r\n- a) «Oui ! » 3.5 \xff\xe2\x80", "你好。“再见”!好?\u2028\u0085", "1. z. B. A. (B.) [1] … ... ?!\t\tx",
		"Τι; ፡፡ ፡። 「。」と．5 \ufeff\u200b", "> - [x] # https://a.b?c.d 👨‍👩‍👧.x .\" '",
	} {
		for _, lang := range []string{"en", "de", "fr", "ja", "el", ""} {
			f.Add(seed, lang)
		}
	}
	f.Fuzz(func(t *testing.T, text, lang string) {
		pieces := Split(text, lang)
		checkPieces(t, text, pieces)
		short := func(s string) bool { return len(s) <= 10 }
		for _, s := range sentences(pieces) {
			require.False(t, strings.ContainsAny(s, "\n\r\t\v\f\u2028\u2029"))
			parts := Cut(s, short)
			checkPieces(t, s, parts)
			for _, part := range sentences(parts) {
				require.True(t, short(part), "%q", part) // no code point takes more than 4 bytes
			}
		}
	})
}

// checkPieces checks what Split and Cut promise of their results.
func checkPieces(t *testing.T, text string, pieces []Piece) {
	t.Helper()
	require.Equal(t, text, whole(pieces))
	for i, p := range pieces {
		require.NotEmpty(t, p.Text)
		if p.Kind == Sentence {
			require.True(t, Translatable(p.Text), "%q", p.Text)
			require.Equal(t, strings.TrimFunc(p.Text, isBlank), p.Text)
		} else if i > 0 {
			require.Equal(t, Sentence, pieces[i-1].Kind)
		}
	}
}

// The lines are made to be slow where a rule looks ahead or back without a bound.
func BenchmarkSplitMegabyteLine(b *testing.B) {
	for name, unit := range map[string]string{
		"prose": "The quick brown fox, e.g. Mr. Fox, jumps over 3.5 dogs. ", "spaces": " ", "dots": ".", "dotted": "a.",
		"closers": ")", "brackets": "a. (", "marks": "a?中", "cjk": "你好。", "numbers": "a. 1 ", "references": "a.[1]", "no space": "a",
	} {
		line := "A. " + strings.Repeat(unit, 1<<20/len(unit)) + "B"
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(line)))
			for b.Loop() {
				Split(line, "en")
			}
		})
	}
}

func TestSpansAreNotCut(t *testing.T) {
	for _, s := range []string{
		"Run `go test ./...` now.", "H2O: `go test ./...`", `A <a title="Hi. You">link</a> is here.`, "It is {count, plural, one {One. File} other {#}} there.",
	} {
		require.Equal(t, []Piece{{Text: s}}, Split(s, "en"))
	}
	require.Equal(t, []Piece{{Text: "Run `a. B`."}, {Text: " ", Kind: Verbatim}, {Text: "Then `c. D` too."}}, Split("Run `a. B`. Then `c. D` too.", "en"))
}
