package notify

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestToastXMLEscapes(t *testing.T) {
	text, err := toastXML(Note{Key: "7", Title: "A & B", Body: "<image src='x'/>\x00", Actions: []Action{{Default, "Open"}, {"copy", `"Copy"`}}})
	require.NoError(t, err)
	require.Equal(t, `<toast launch="default 7"><visual><binding template="ToastGeneric"><text>A &amp; B</text>`+
		`<text>&lt;image src=&#39;x&#39;/&gt;</text></binding></visual><actions>`+
		`<action content="&#34;Copy&#34;" arguments="copy 7" activationType="foreground"></action></actions>`+
		`<audio silent="true"></audio></toast>`, text)
}

// A process that has shown a toast hangs at its end where COM still holds what
// the library registered: that of the tests, too.
func TestNothingIsLeftAfterTheEnd(t *testing.T) {
	n := Open(Options{App: "dragoman", Activator: "{6B0C5B4E-6A3C-4C83-9E0E-5C3B0E0E7D1B}"})
	_ = n.Show(t.Context(), Note{Key: "1", Title: "title", Body: "body"}) // Wine shows none
	n.Close()
	select {
	case <-n.ended:
	default:
		t.Fatal("it still has the Windows Runtime")
	}
}
