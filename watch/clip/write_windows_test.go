package clip

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/watch/clip/selection"
)

func TestWindowsOwnWrites(t *testing.T) {
	c, news := open(t, Options{})
	other, toldOther := open(t, Options{})
	reader := start(t, ownerSpec{Idle: true})
	const written = "Buenos días,\r\nmundo entero 😀"
	require.NoError(t, c.Write(t.Context(), written))
	for name, by := range map[string]*Clipboard{"this process": c, "another one of ours": other} {
		n, err := by.Read(t.Context(), selection.Clipboard)
		require.NoError(t, err)
		require.Equal(t, Own, n.Skip, name)
	}
	want := map[string]string{
		"application/x-dragoman-translation": "00",
		"CanUploadToCloudClipboard":          "00000000",
		"CF_UNICODETEXT":                     "Buenos días,\r\nmundo entero 😀",
	}
	require.Equal(t, want, reader.read())

	// A program hands it on, with nothing to tell whose it was: the other, which
	// did not write it, takes it for news.
	for _, part := range []string{written, "mundo entero"} {
		copied(t, text(part)).end()
		n := next(t, toldOther)
		require.Equal(t, part, n.Text, n.Skip.String())
	}
	require.NoError(t, c.Write(t.Context(), "otra vez"))
	require.NoError(t, c.Write(t.Context(), written))
	quiet(t, news)
	require.Equal(t, "nothing but this", next(t, toldOther).Text)

	require.NoError(t, c.Write(t.Context(), written))
	require.NoError(t, c.Close(t.Context()))
	require.Equal(t, want, reader.read(), "the text outlives who wrote it")
	_, err := c.Read(t.Context(), selection.Clipboard)
	require.ErrorIs(t, err, ErrAway)
}

// drain returns the texts that were told up to one.
func drain(t *testing.T, news <-chan Copy, last string) (texts []string) {
	t.Helper()
	for {
		n := next(t, news)
		texts = append(texts, n.Text)
		if n.Text == last {
			return texts
		}
	}
}

func TestWindowsPrimarySelectionIsEmpty(t *testing.T) {
	c, _ := open(t, Options{})
	copied(t, text("Guten Tag"))
	n, err := c.Read(t.Context(), selection.Primary)
	require.NoError(t, err)
	require.Equal(t, Empty, n.Skip)
}

func TestWindowsOwnerThatHangs(t *testing.T) {
	c, news := open(t, Options{})
	// It does not even take messages: the clipboard is not opened, others can.
	hung := copied(t, asked("hunter2"))
	require.Equal(t, "hunter2", next(t, news).Text)
	hung.again()
	require.Equal(t, "hunter2", next(t, news).Text)
	hung.do("hang")
	n, err := c.Read(t.Context(), selection.Clipboard)
	require.NoError(t, err)
	require.Equal(t, Hung, n.Skip)
	hung.end()
	quiet(t, news)
}

func TestWindowsOwnerThatHangsWhileItMakesItsText(t *testing.T) {
	c, news := open(t, Options{})
	hung := copied(t, formatSpec{Name: "CF_UNICODETEXT", Made: true, Hangs: true})
	require.Equal(t, Hung, next(t, news).Skip)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	n, err := c.Read(ctx, selection.Clipboard)
	require.True(t, err != nil || n.Skip == Hung || n.Skip == Refused, "%v %v", err, n.Skip)
	hung.end()
	copied(t, text("Guten Tag"))
	drain(t, news, "Guten Tag")
}

func TestWindowsOwnerThatEnds(t *testing.T) {
	c, news := open(t, Options{})
	copied(t, text("Guten Tag")).end()
	require.Equal(t, "Guten Tag", next(t, news).Text, "Windows has it")
	n, err := c.Read(t.Context(), selection.Clipboard)
	require.NoError(t, err)
	require.Equal(t, "Guten Tag", n.Text)

	ends := copied(t, asked("Guten Morgen"))
	require.Equal(t, "Guten Morgen", next(t, news).Text)
	ends.again()
	next(t, news)
	ends.end()
	_, err = c.Read(t.Context(), selection.Clipboard)
	require.NoError(t, err)
}

func TestWindowsClipboardThatAnotherKeepsOpen(t *testing.T) {
	c, news := open(t, Options{})
	keeper := start(t, ownerSpec{Idle: true})
	copied(t, text("Guten Tag"))
	require.Equal(t, "Guten Tag", next(t, news).Text)

	keeper.do("open")
	n, err := c.Read(t.Context(), selection.Clipboard)
	require.NoError(t, err)
	require.Equal(t, Hung, n.Skip)
	require.ErrorContains(t, c.Write(t.Context(), "Hola"), "another program keeps the clipboard open")

	wrote := make(chan error, 1)
	go func() { wrote <- c.Write(t.Context(), "Hola") }()
	keeper.do("close")
	require.NoError(t, <-wrote)
	n, err = c.Read(t.Context(), selection.Clipboard)
	require.NoError(t, err)
	require.Equal(t, Own, n.Skip)
}

// TestWindowsOwnerThatEndsAtOnce copies as programs of the command line do.
func TestWindowsOwnerThatEndsAtOnce(t *testing.T) {
	_, news := open(t, Options{})
	for i := range 40 {
		text := fmt.Sprint("Guten Tag ", i)
		start(t, ownerSpec{Ends: true, Formats: []formatSpec{{Name: "CF_UNICODETEXT", Value: text}}})
		n := next(t, news)
		require.Equal(t, Accepted, n.Skip, n.Skip.String())
		require.Equal(t, text, n.Text)
	}
}

func TestWindowsManyCopies(t *testing.T) {
	_, news := open(t, Options{})
	o := start(t, ownerSpec{Idle: true})
	o.do("burst")
	texts := drain(t, news, "Guten Tag 199")
	for i, told := range texts {
		require.True(t, strings.HasPrefix(told, "Guten Tag "), "%q", told)
		require.NotContains(t, texts[i+1:], told, "once each")
	}
}
