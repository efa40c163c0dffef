package agent

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/tray/target"
)

func TestWishIsMadeOfWhatIsKnown(t *testing.T) {
	a := newAgent(t, "[clipboard]\nto = 'es'\ntwo_way = true")
	a.desktopLanguage, a.languages = "ja", []api.Language{{Code: "en"}, {Code: "de"}, {Code: "es"}}
	require.Equal(t, target.Wish{To: "es", Other: "en", TwoWay: true}, a.wish())
	a.memory.Recent = []string{"es", "de"}
	require.Equal(t, "de", a.wish().Other)
	require.Equal(t, "en", newAgent(t, "").wish().To, "of the desktop")
}
