package language

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Sentences of our own, several a language: at least this share of each must be
// told rightly, among all languages of the large models.
var own = map[string][]string{
	"en": {"Please turn off the lights when you leave the office.", "I have never been there.", "The file could not be saved because the disk is full.", "How much is it?"},
	"de": {"Bitte mach das Licht aus, wenn du das Büro verlässt.", "Ich war noch nie dort.", "Die Datei konnte nicht gespeichert werden, weil der Datenträger voll ist.", "Wie viel kostet das?"},
	"fr": {"Éteignez la lumière en quittant le bureau, s'il vous plaît.", "Je n'y suis jamais allée.", "Le fichier n'a pas pu être enregistré car le disque est plein.", "Combien ça coûte ?"},
	"es": {"Apaga la luz cuando salgas de la oficina, por favor.", "Nunca he estado allí.", "No se pudo guardar el archivo porque el disco está lleno.", "¿Cuánto cuesta?"},
	"it": {"Spegni la luce quando esci dall'ufficio, per favore.", "Non ci sono mai stata.", "Non è stato possibile salvare il file perché il disco è pieno.", "Quanto costa?"},
	"pt": {"Apague a luz quando sair do escritório, por favor.", "Nunca estive lá.", "Não foi possível salvar o arquivo porque o disco está cheio.", "Quanto custa isso?"},
	"nl": {"Doe het licht uit als je het kantoor verlaat.", "Ik ben daar nog nooit geweest.", "Hoeveel kost dat?"},
	"sv": {"Släck lampan när du går hem från kontoret.", "Jag har aldrig varit där.", "Hur mycket kostar det?"},
	"da": {"Sluk lyset, når du går hjem fra kontoret.", "Det har jeg aldrig hørt noget om.", "Hvad koster det, hvis vi køber to?"},
	"no": {"Slå av lyset når du går hjem fra kontoret.", "Jeg har ikke hørt noe om det.", "Eg veit ikkje kva du meiner."},
	"fi": {"Sammuta valot, kun lähdet toimistosta.", "En ole koskaan ollut siellä.", "Mitä tämä maksaa?"},
	"pl": {"Zgaś światło, kiedy wychodzisz z biura.", "Nigdy tam nie byłem.", "Ile to kosztuje?"},
	"cs": {"Zhasni, když odcházíš z kanceláře.", "Nikdy jsem tam nebyl.", "Kolik to stojí, když si vezmu dva?"},
	"sk": {"Zhasni svetlo, keď odchádzaš z kancelárie.", "Nikdy som tam nebol.", "Čo si o tom myslíš ty?"},
	"hu": {"Kapcsold le a lámpát, amikor elmész az irodából.", "Még soha nem voltam ott.", "Mennyibe kerül ez?"},
	"ro": {"Stinge lumina când pleci de la birou.", "Nu am fost niciodată acolo.", "Cât costă aceasta?"},
	"tr": {"Ofisten çıkarken ışığı kapat lütfen.", "Orada hiç bulunmadım.", "Bu ne kadar?"},
	"ca": {"Apaga el llum quan surtis de l'oficina, si us plau.", "No hi he estat mai.", "Quant costa això?"},
	"is": {"Slökktu ljósið þegar þú ferð heim af skrifstofunni.", "Ég hef aldrei verið þar.", "Hvað kostar þetta?"},
	"id": {"Matikan lampu ketika kamu pulang dari kantor.", "Saya belum pernah ke sana.", "Berapa harga barang ini kalau saya beli dua?"},
	"vi": {"Hãy tắt đèn khi bạn rời văn phòng.", "Tôi chưa bao giờ đến đó.", "Cái này giá bao nhiêu?"},
	"sw": {"Tafadhali zima taa unapotoka ofisini kwako.", "Sijawahi kwenda huko lakini nataka kwenda.", "Hii ni bei gani?"},
	"ru": {"Выключи свет, когда уходишь из офиса.", "Я никогда там не был.", "Сколько это стоит?"},
	"uk": {"Вимкни світло, коли виходиш з офісу.", "Я ніколи там не був.", "Скільки це коштує?"},
	"bg": {"Изгаси лампата, когато излизаш от офиса.", "Никога не съм бил там.", "Колко струва това?"},
	"sr": {"Угаси светло кад одлазиш из канцеларије.", "Никад нисам био тамо.", "Колико ово кошта, ако узмем две?"},
	"ar": {"أطفئ الضوء عندما تغادر المكتب.", "لم أكن هناك من قبل.", "كم ثمن هذا؟"},
	"fa": {"وقتی از دفتر بیرون می\u200cروی چراغ را خاموش کن.", "من هرگز آنجا نبوده\u200cام.", "این چند است؟"},
	"ur": {"دفتر سے جاتے وقت بتی بند کر دیں۔", "میں وہاں کبھی نہیں گیا۔", "یہ کتنے کا ہے؟"},
	"hi": {"दफ़्तर से जाते समय बत्ती बंद कर दो।", "मैं वहाँ कभी नहीं गया।", "यह कितने का है?"},
	"mr": {"कार्यालयातून जाताना दिवा बंद कर.", "मी तिथे कधीच गेलो नाही आणि जाणार नाही.", "हे केवढ्याला आहे?"},
	"yi": {"איך בין קיין מאָל נישט געווען דאָרט.", "וויפֿל קאָסט דאָס, אַז מיר נעמען צוויי?"},
}

func TestDetectOwnSentences(t *testing.T) {
	right, total := 0, 0
	for code, sentences := range own {
		n := 0
		for _, s := range sentences {
			if got, confidence := answer(s, all); got == code {
				n++
				assert.Greater(t, confidence, 0.0)
			} else {
				t.Logf("%s was taken for %s (%.2f): %q", code, got, confidence, s)
			}
		}
		right += n
		total += len(sentences)
		assert.GreaterOrEqual(t, n*3, len(sentences)*2, "%s: %d of %d", code, n, len(sentences))
	}
	assert.GreaterOrEqual(t, right*100, total*95, "%d of %d", right, total)
}

func TestDetectByScript(t *testing.T) {
	for text, want := range map[string]string{
		"Καλημέρα σε όλους": "el",
		"Բարև ձեզ":          "hy",
		"გამარჯობა":         "ka",
		"안녕하세요":             "ko",
		"สวัสดีครับ":        "th",
		"ສະບາຍດີ":           "lo",
		"မင်္ဂလာပါ":         "my",
		"សួស្តី":            "km",
		"ሰላም":               "am",
		"নমস্কার":           "bn",
		"નમસ્તે":            "gu",
		"ਸਤ ਸ੍ਰੀ ਅਕਾਲ":      "pa",
		"ನಮಸ್ಕಾರ":           "kn",
		"നമസ്കാരം":          "ml",
		"வணக்கம்":           "ta",
		"ආයුබෝවන්":          "si",
		"ନମସ୍କାର":           "or",
		"שלום":              "he", // T30: short Hebrew
		"こんにちは":             "ja",
		"コーヒー":              "ja",
		"東京は日本の首都です。":       "ja",
		"你好，今天天气很好！":        "zh", // T26: full-width punctuation says nothing
		"他说：“の”是日文，很多人在广告里用它代替中文的字。": "zh", // a quoted kana
		"東京":     "zh", // T28: Han alone, a guess
		"Привет": "ru",
		"iPhone 15 Pro Max の新しい機能について": "ja",
	} {
		got, confidence := answer(text, all)
		assert.Equal(t, want, got, text)
		assert.Positive(t, confidence, text)
		assert.LessOrEqual(t, confidence, 1.0, text)
	}
	_, han := answer("東京", all)
	_, kana := answer("東京です", all)
	assert.Less(t, han, kana, "Han alone is a guess")
	code, _ := answer("東京", []string{"en", "ja"})
	assert.Equal(t, "ja", code, "only languages of the model are answered")
}

func TestDetectNothing(t *testing.T) {
	for _, text := range []string{"", "  \n\t", "12:30", "3,14 €", "😀🎉 👍🏽", "…!?", "https://example.org/the/house", "a@example.org",
		"日本語", "Привет, как дела?", "1º 2ª"} {
		code, confidence := answer(text, six)
		assert.Empty(t, code, text)
		assert.Zero(t, confidence, text)
	}
	code, _ := answer("Good morning", nil)
	assert.Empty(t, code)
}

func TestDetectMixed(t *testing.T) {
	// A name or a sentence in another script does not decide.
	code, confidence := answer("The word мир means both peace and world in this language, which is hard to translate.", all)
	assert.Equal(t, "en", code)
	assert.Greater(t, confidence, 0.7)
	code, _ = answer("Siehe https://example.org/the/quick/brown/fox/and/the/dog für mehr dazu", all)
	assert.Equal(t, "de", code)
	long := strings.Repeat("Das ist ein Satz über nichts. ", 10000)
	code, confidence = answer(long, all)
	assert.Equal(t, "de", code)
	assert.Greater(t, confidence, 0.99)
}

func TestConfidenceGrows(t *testing.T) {
	_, one := answer("casa", six)
	_, many := answer("La casa de mi hermano está muy lejos de aquí.", six)
	require.Less(t, one, 0.5)
	require.Greater(t, many, 0.85)
}

func FuzzDetect(f *testing.F) {
	f.Add("Guten Morgen")
	f.Add("東京です\xff\x00 ーー ́ a̐")
	f.Fuzz(func(t *testing.T, text string) {
		code, confidence := answer(text, all)
		require.True(t, 0 <= confidence && confidence <= 1, "%v", confidence)
		if code != "" {
			require.Contains(t, all, code)
		}
		words, _ := cut(text)
		for _, w := range words {
			require.True(t, utf8.ValidString(w.text) || !utf8.ValidString(text))
		}
	})
}

// BenchmarkDetect: one sentence among all languages.
func BenchmarkDetect(b *testing.B) {
	for b.Loop() {
		Detect("The file could not be saved because the disk is full.", all)
	}
}

func answer(text string, among []string) (code string, confidence float64) {
	found := Detect(text, among)
	return found.Language, found.Confidence
}
