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
