package drop

import (
	"testing"

	"github.com/stretchr/testify/require"
)

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
