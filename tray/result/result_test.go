package result

import (
	"strings"
	"testing"

	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/require"

	"dragoman/tray/message"
)

func TestNote(t *testing.T) {
	texts := message.New("de")
	n := Note(texts, "7", Title(texts, "Spanisch"), strings.Repeat("Hola ", 1000), true)
	require.Equal(t, "Übersetzt in: Spanisch", n.Title)
	require.True(t, strings.HasPrefix(n.Body, "Hola Hola"))
	require.LessOrEqual(t, uniseg.GraphemeClusterCount(n.Body), length)
	require.True(t, n.Private)
	require.Equal(t, "7", n.Key)
	n = Note(texts, "7", "", "Hola", false)
	require.Equal(t, texts.Say(message.NoteHidden), n.Body)
}
