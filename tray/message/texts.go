package message

import (
	"embed"
	"fmt"
	"math"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
	xmessage "golang.org/x/text/message"
	"golang.org/x/text/number"
)

//go:embed *.json
var files embed.FS

// Languages that the catalogue has, the one for all others first.
var Languages = []language.Tag{
	language.English, language.German, language.French, language.Spanish, language.Italian, language.Portuguese,
}

var matcher = language.NewMatcher(Languages)

// Texts says messages in one language. It may be used by several goroutines.
type Texts struct {
	tag       language.Tag
	localizer *i18n.Localizer
	numbers   *xmessage.Printer
	names     display.Namer
}

// New returns the texts in the first of the preferred languages (BCP 47, as
// System gives them) that the catalogue has, in English if it has none.
func New(preferred ...string) *Texts {
	tags := make([]language.Tag, 0, len(preferred))
	for _, p := range preferred {
		if tag, err := language.Parse(p); err == nil {
			tags = append(tags, tag)
		}
	}
	tag := Languages[0]
	if _, index, confidence := matcher.Match(tags...); confidence > language.Low {
		tag = Languages[index]
	}
	bundle := i18n.NewBundle(tag)
	name := tag.String() + ".json"
	// The files are part of the program and the tests read all of them.
	if _, err := bundle.LoadMessageFileFS(files, name); err != nil {
		panic(fmt.Sprintf("read the messages of %s: %v", name, err))
	}
	return &Texts{
		tag:       tag,
		localizer: i18n.NewLocalizer(bundle, tag.String()),
		numbers:   xmessage.NewPrinter(tag),
		names:     display.Languages(tag),
	}
}

// Language of the texts.
func (t *Texts) Language() language.Tag { return t.tag }

// Say returns a message. pairs are the names and values of its placeholders,
// one after the other.
func (t *Texts) Say(id ID, pairs ...any) string {
	return t.say(&i18n.LocalizeConfig{MessageID: string(id), TemplateData: data(pairs)})
}

// Count returns the form of a message that fits n, whose placeholder is Count.
func (t *Texts) Count(id ID, n int64, pairs ...any) string {
	d := data(pairs)
	d["Count"] = t.Whole(n)
	return t.say(&i18n.LocalizeConfig{MessageID: string(id), TemplateData: d, PluralCount: n})
}

// Number writes v with two significant digits below 10 and without decimals
// from there on.
func (t *Texts) Number(v float64) string {
	if math.Abs(v) >= 10 {
		return t.numbers.Sprint(number.Decimal(v, number.MaxFractionDigits(0)))
	}
	return t.numbers.Sprint(number.Decimal(v, number.Precision(2)))
}

// Whole writes a whole number.
func (t *Texts) Whole(n int64) string { return t.numbers.Sprint(number.Decimal(n)) }

// Name is a language's in the language of the texts, or other where that is
// not known.
func (t *Texts) Name(code, other string) string {
	tag, err := language.Parse(code)
	if code == "ns" { // the models' code for Northern Sotho, which ISO 639 calls nso
		tag, err = language.Make("nso"), nil
	}
	if err == nil {
		if name := t.names.Name(tag); name != "" {
			return name
		}
	}
	if other != "" {
		return other
	}
	return code
}

// say returns the message's name where the catalogue lacks it: better than a
// menu without a word.
func (t *Texts) say(c *i18n.LocalizeConfig) string {
	text, err := t.localizer.Localize(c)
	if err != nil && text == "" {
		return c.MessageID
	}
	return text
}

func data(pairs []any) map[string]any {
	d := make(map[string]any, len(pairs)/2+1)
	for i := 0; i+1 < len(pairs); i += 2 {
		d[fmt.Sprint(pairs[i])] = pairs[i+1]
	}
	return d
}
