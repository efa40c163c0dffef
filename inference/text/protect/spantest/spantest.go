// Package spantest makes sentences with spans that a translation must keep, for
// tests with and without a model. It imports nothing of ours.
package spantest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Languages are those that there are sentences in: the starter model's.
var Languages = strings.Fields("de en es fr it pt")

// Sentence is one with the spans that were put into it.
type Sentence struct {
	Text  string
	Spans []string
}

// carriers have a %v for each span. They were written for this test.
var carriers = map[string][]string{
	"en": {
		"Hello %v, welcome back.", "The file %v was not found.", "Please send %v to %v before Monday.", "%v of %v files were copied.",
		"Click %v to save the document.", "You can read more about it at %v.", "Did you open %v yesterday?", "Use %v or %v, but never both.",
		"We visited %v, %v and %v in the summer.", "The house is big (%v).", "%v", "%v %v", "I like this song very much %v", "Set the value of %v to %v.",
	},
	"de": {
		"Hallo %v, willkommen zurück.", "Die Datei %v wurde nicht gefunden.", "Bitte schicken Sie %v bis Montag an %v.", "%v von %v Dateien wurden kopiert.",
		"Klicken Sie auf %v, um das Dokument zu speichern.", "Mehr darüber steht auf %v.", "Hast du gestern %v geöffnet?", "Das Haus ist groß (%v).", "%v: %v",
	},
	"es": {
		"Hola %v, bienvenido de nuevo.", "No se encontró el archivo %v.", "Envíe %v a %v antes del lunes.", "Se copiaron %v de %v archivos.",
		"Haga clic en %v para guardar el documento.", "Puede leer más en %v.", "¿Abriste %v ayer?", "La casa es grande (%v).",
	},
	"fr": {
		"Bonjour %v, bon retour.", "Le fichier %v est introuvable.", "Envoyez %v à %v avant lundi.", "%v fichiers sur %v ont été copiés.",
		"Cliquez sur %v pour enregistrer le document.", "Vous en saurez plus sur %v.", "As-tu ouvert %v hier ?", "La maison est grande (%v).",
	},
	"it": {
		"Ciao %v, bentornato.", "Il file %v non è stato trovato.", "Invia %v a %v prima di lunedì.", "Sono stati copiati %v di %v file.",
		"Fare clic su %v per salvare il documento.", "Puoi leggere di più su %v.", "Hai aperto %v ieri?", "La casa è grande (%v).",
	},
	"pt": {
		"Olá %v, bem-vindo de volta.", "O arquivo %v não foi encontrado.", "Envie %v para %v antes de segunda-feira.", "%v de %v arquivos foram copiados.",
		"Clique em %v para salvar o documento.", "Você pode ler mais em %v.", "Você abriu %v ontem?", "A casa é grande (%v).",
	},
}

// spans are of all kinds; the trigger words are those of public bug reports
// (rows T11, T14 and T16 of the test log of this project's issue).
var spans = []string{
	"{0}", "{1:N2}", "{name}", "{{user.name}}", "{{ count }}", "%s", "%d", "%1$d/%2$d", "%(name)s", "%@", "%.2f", "__count__", "$HOME", "${dir}", "$(ROOT)", "%PATH%",
	":name", "@@token@@", "#{id}", "{count, plural, one {# file} other {# files}}",
	"https://example.org/a?b=c.d&e=f.g", "http://localhost:8080/x", "www.example.com", "me@example.com", "mailto:me@example.com",
	`C:\Program Files\App\readme.txt`, "/usr/local/bin", "~/notes.md", "./run.sh", "src/main.go", "report.final.pdf", `\\server\share`,
	"`go test ./...`", "foo()", "my_var", "MAX_SIZE", "--dry-run", "std::vector", "#hashtag", "@mention", "&amp;", "&#39;", "<br/>", "<b>",
	"👍", "👨‍👩‍👧‍👦", "🇩🇪", "✓", ":-)", "/ˈwɔːtə/", "10 kg", "100 KBps", "20 °C", "GitHub", "iPhone", "M2M-100", "H2O", "CO₂", "COVID-19", "1.2.3", "v2.0-beta1", "10.0.0.1",
}

// Make returns n sentences of a language; the same seed gives the same ones.
func Make(language string, n int, seed uint64) []Sentence {
	r := rand.New(rand.NewPCG(seed, uint64(language[0])<<8|uint64(language[1])))
	all := make([]Sentence, n)
	for i := range all {
		carrier := carriers[language][r.IntN(len(carriers[language]))]
		s := Sentence{}
		var values []any
		for range strings.Count(carrier, "%v") {
			span := spans[r.IntN(len(spans))]
			s.Spans = append(s.Spans, span)
			values = append(values, span)
		}
		s.Text = fmt.Sprintf(carrier, values...)
		all[i] = s
	}
	return all
}

// Broken says which span a translation has not exactly as often as the
// sentence; "" where none.
func (s Sentence) Broken(translation string) string {
	for _, span := range s.Spans {
		if strings.Count(translation, span) != strings.Count(s.Text, span) {
			return span
		}
	}
	return ""
}
