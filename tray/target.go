package tray

import (
	"slices"
	"sync"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"dragoman/daemon/api"
	"dragoman/tray/message"
)

func (r renderer) targetMenu() Item {
	say, t := r.Texts.Say, r.Target
	known := map[string]api.Language{}
	for _, l := range t.Languages {
		known[l.Code] = l
	}
	name := func(code string) string {
		l := known[code]
		if l.Name == "" {
			l.Name = l.Native
		}
		return short(r.Texts.Name(code, l.Name), shortText)
	}
	chosen := func(code string) bool { return !t.TwoWay.used() && code == t.Language }

	recent := t.recent()
	items := []Item{line(InfoLine, "target", say(message.TargetNone)).unless(len(recent) > 0)}
	for i := range MaxRecent {
		if i >= len(recent) {
			items = append(items, check(SetTarget, "", "", false, true).unless(true))
			continue
		}
		items = append(items, check(SetTarget, recent[i], name(recent[i]), chosen(recent[i]), !r.Fixed.Target))
	}
	both := t.TwoWay
	pair := name(both.First) + " ↔ " + name(both.Second)
	items = append(items,
		separator(),
		check(SetTwoWay, "", say(message.TwoWay, "First", name(both.First), "Second", name(both.Second)), both.used(), !r.Fixed.TwoWay).
			unless(!both.possible()),
		r.fixedLine("target", r.Fixed.Target || r.Fixed.TwoWay),
		line(InfoLine, "languages", say(message.TargetUnknown)).unless(len(t.Languages) > 0))
	for _, l := range sorted(t.Languages, r.Texts) {
		items = append(items, check(SetTarget, l.Code, name(l.Code), chosen(l.Code), !r.Fixed.Target))
	}

	title := say(message.TargetNone)
	switch {
	case both.used():
		title = pair
	case t.Language != "":
		title = name(t.Language)
	}
	return menu("target", say(message.Target, "Language", title), items...)
}

func (p TwoWay) possible() bool { return p.First != "" && p.Second != "" && p.First != p.Second }

// used says that it counts, and not the one language.
func (p TwoWay) used() bool { return p.On && p.possible() }

// recent are the last chosen languages, the present one among them.
func (t Target) recent() []string {
	var codes []string
	add := func(code string) {
		if code != "" && len(codes) < MaxRecent && !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
	}
	// The present one keeps its place where it has one in what is shown.
	if !slices.Contains(t.Recent[:min(len(t.Recent), MaxRecent)], t.Language) {
		add(t.Language)
	}
	for _, code := range t.Recent {
		add(code)
	}
	return codes
}

// order keeps the last sorted list of languages: there are a hundred, and a
// view is made for each piece of news.
var order struct {
	sync.Mutex
	of     []api.Language
	in     language.Tag
	sorted []api.Language
}

// sorted orders languages by their names as those who read them do.
func sorted(languages []api.Language, texts *message.Texts) []api.Language {
	order.Lock()
	defer order.Unlock()
	if order.in == texts.Language() && slices.Equal(order.of, languages) {
		return order.sorted
	}
	collator := collate.New(texts.Language())
	list := slices.Clone(languages)
	slices.SortStableFunc(list, func(a, b api.Language) int {
		return collator.CompareString(texts.Name(a.Code, a.Name), texts.Name(b.Code, b.Name))
	})
	order.of, order.in, order.sorted = slices.Clone(languages), texts.Language(), list
	return list
}
