package drop

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

// What a user should know of an output is told once, not of each file and language.
func TestNotesOfDocumentsAreTold(t *testing.T) {
	b := newBench(t, Options{}).start()
	raw, err := os.ReadFile(filepath.Join("..", "..", "watch", "document", "testdata", "pdf", "doc.pdf"))
	require.NoError(t, err)
	b.write("in/a.pdf", string(raw))
	b.write("in/b.pdf", string(raw))
	b.settled(b.add(settings(b.path("in"), "es", "de")), 4)
	require.Contains(t, b.read("in/translated/a.pdf.es.txt"), "es: ")
	b.toldOf(1)
	require.Contains(t, b.firstTold(), ".pdf: only the text of a PDF is translated")
}

// A folder says which encoding its files have, and what of JSON and tables is translated.
func TestFoldersSayHowFilesAreRead(t *testing.T) {
	b := newBench(t, Options{}).start()
	b.write("in/a.json", `{"id": "one two", "text": "three four"}`)
	b.write("in/b.csv", "Key,Text\none two,three four\n")
	b.write("in/c.txt", "caf\xe9")
	s := settings(b.path("in"), "es")
	s.JSONPaths, s.Columns, s.Encoding = []string{"id"}, []string{"Text"}, "latin1"
	b.settled(b.add(s), 3)
	require.Equal(t, `{"id": "es: two one", "text": "three four"}`, b.read("in/translated/a.es.json"))
	require.Equal(t, "Key,Text\none two,es: four three\n", b.read("in/translated/b.es.csv"))
	require.Equal(t, "es: caf\xe9", b.read("in/translated/c.es.txt"))
}

// Files with markup are translated in their texts only.
func TestDocumentsKeepTheirMarkup(t *testing.T) {
	b := newBench(t, Options{}).start()
	b.write("in/a.md", "# one\n\n`code`\n")
	b.write("in/b.html", "<p title='one two'>three four</p>\n")
	id := b.add(settings(b.path("in"), "es"))
	b.settled(id, 2)
	require.Equal(t, "# es: one\n\n`code`\n", b.read("in/translated/a.es.md"))
	require.Equal(t, "<p title='es: two one'>four three</p>\n", b.read("in/translated/b.es.html"), "in one request")
}

// changing stands for two models, of which the second takes over when the first has
// answered once. Neither leaves a word as it is, so that documents with markup ask again.
type changing struct {
	notAligning
	b     *bench
	asked int
}

func (c *changing) Translate(_ context.Context, r Request) (Result, error) {
	c.b.mu.Lock()
	defer c.b.mu.Unlock()
	model := c.b.recipe
	c.asked++
	c.b.recipe = "new"
	return Result{Text: strings.NewReplacer("one", "uno "+model, "two", "dos "+model).Replace(r.Text), Model: model, From: r.From}, nil
}

// A document whose texts are asked for while another model takes over is of the new
// one as a whole; then its original may go.
func TestDocumentIsOfOneModel(t *testing.T) {
	b := newBench(t, quick)
	translator := &changing{b: b}
	b.opts.Translator, b.recipe = translator, "old"
	b.start()
	b.write("in/a.html", "<p>one <b>two</b></p>\n")
	s := settings(b.path("in"), "es")
	s.Original = api.OriginalDone
	id := b.add(s)
	b.settled(id, 1)
	require.Equal(t, "<p>uno new <b>dos new</b></p>\n", b.read("in/translated/a.es.html"))
	require.Equal(t, 4, translator.asked, "two questions, twice")
	row, err := b.store.File(t.Context(), id, "a.html", "es")
	require.NoError(t, err)
	require.Equal(t, "en new", row.Recipe)
	require.Contains(t, b.firstTold(), "a.html is translated anew: another model has taken over in the middle of it")
	require.NoFileExists(t, b.path("in/a.html"))
}
