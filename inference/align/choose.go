package align

import "strings"

// Known is a pair of which is known which words stand for each other. Each of them is
// there once.
type Known struct {
	From, To       string // languages
	Source, Target string
	Words          string // "house=Haus red=rotes"
}

// KnownPairs are for choosing ways: their words do not follow each other alike, so
// that a look at the same place of the sentence is told from one at the word.
var KnownPairs = []Known{
	{"en", "de", "Yesterday the old teacher bought a red car in Berlin.", "Gestern kaufte der alte Lehrer in Berlin ein rotes Auto.",
		"Yesterday=Gestern old=alte teacher=Lehrer bought=kaufte red=rotes car=Auto Berlin=Berlin"},
	{"en", "de", "I cannot find the key of the blue house because it is dark.", "Ich kann den Schlüssel des blauen Hauses nicht finden, weil es dunkel ist.",
		"find=finden key=Schlüssel blue=blauen house=Hauses because=weil dark=dunkel is=ist"},
	{"en", "de", "If you want to delete the file, click on this button.", "Klicken Sie auf diese Schaltfläche, wenn Sie die Datei löschen möchten.",
		"If=wenn want=möchten delete=löschen file=Datei click=Klicken this=diese button=Schaltfläche"},
	{"en", "de", "She has never seen such a beautiful garden in her life.", "In ihrem Leben hat sie noch nie einen so schönen Garten gesehen.",
		"She=sie has=hat never=nie seen=gesehen beautiful=schönen garden=Garten her=ihrem life=Leben"},
	{"en", "fr", "Yesterday Maria sold her white horse to a rich farmer.", "Hier, Maria a vendu son cheval blanc à un riche fermier.",
		"Yesterday=Hier Maria=Maria sold=vendu her=son white=blanc horse=cheval rich=riche farmer=fermier"},
	{"en", "fr", "The government gave us a new answer in 2019.", "En 2019, le gouvernement nous a donné une nouvelle réponse.",
		"government=gouvernement gave=donné us=nous new=nouvelle answer=réponse 2019=2019"},
	{"en", "fr", "We do not know them, but they live near the old church.", "Nous ne les connaissons pas, mais ils vivent près de la vieille église.",
		"We=Nous know=connaissons them=les but=mais they=ils live=vivent near=près old=vieille church=église"},
	{"en", "es", "The black cat sleeps under the big table of my grandmother.", "El gato negro duerme debajo de la mesa grande de mi abuela.",
		"black=negro cat=gato sleeps=duerme under=debajo big=grande table=mesa my=mi grandmother=abuela"},
	{"en", "es", "Tomorrow John will show you the interesting book.", "Mañana Juan te mostrará el libro interesante.",
		"Tomorrow=Mañana John=Juan show=mostrará you=te interesting=interesante book=libro"},
	{"en", "es", "In 1998 the city built a long bridge over the dangerous river.", "La ciudad construyó un puente largo sobre el río peligroso en 1998.",
		"1998=1998 city=ciudad built=construyó long=largo bridge=puente over=sobre dangerous=peligroso river=río"},
}

// Choose finds the ways that tell most about known pairs, one or two of them: the
// product of two tells what each alone does not. right is what they have right, of 1.
func Choose(all []Way, pairs []Known, looks []*Looks) (best []Way, right float64) {
	const worth = 0.01 // a second way at least
	most := 0.0
	try := func(ways ...Way) {
		sum, count := 0.0, 0
		for i, p := range pairs {
			share, words := looks[i].right(looks[i].Matrix(ways), p)
			sum, count = sum+share, count+words
		}
		share := sum / float64(max(count, 1))
		if score := share - worth*float64(len(ways)); best == nil || score > most {
			best, most, right = ways, score, share
		}
	}
	for i, a := range all {
		try(a)
		for _, b := range all[i+1:] {
			try(a, b)
		}
	}
	return best, right
}

// right is how much of the weights of the known words is where it should be, in words.
func (l *Looks) right(m Matrix, k Known) (sum float64, words int) {
	find := func(text, word string, places []Span) int {
		for i, p := range places {
			if text[p.Start:p.End] == word {
				return i
			}
		}
		return -1
	}
	for pair := range strings.FieldsSeq(k.Words) {
		source, target, _ := strings.Cut(pair, "=")
		s, t := find(k.Source, source, l.Source.Words), find(k.Target, target, l.Target.Words)
		if words++; s >= 0 && t >= 0 {
			sum += m[t][s]
		}
	}
	return sum, words
}

// Least is how much must be right for ways to be of use.
const Least = 0.4
