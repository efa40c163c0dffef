package clip

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/watch/clip/selection"
)

func TestX11OurWritesAreNotTold(t *testing.T) {
	t.Parallel()
	x := startX(t)
	c, news := x.open(t, Options{})
	result := "The weather is fine today. We are going to the beach."
	require.NoError(t, c.Write(t.Context(), result))
	n, err := c.Read(t.Context(), selection.Clipboard)
	require.NoError(t, err)
	require.Equal(t, Own, n.Skip)
	// A clipboard manager takes it over, and the user copies a part of it.
	x.own(t, text(result+"\n"))
	x.own(t, text("going to the beach"))
	// Another process of ours writes: its mark says so.
	other := x.own(t, text("Otro texto"), formatSpec{Name: selection.Marker})
	x.own(t, text("Guten Tag"))
	n = next(t, news)
	require.Equal(t, "Guten Tag", n.Text)
	require.Equal(t, uint64(1), n.Serial, "nothing was told before")
	require.NotContains(t, other.requests(), "UTF8_STRING")

	c.Remember("A result that was only shown.")
	x.own(t, text("only shown"))
	x.own(t, text("Auf Wiedersehen"))
	require.Equal(t, "Auf Wiedersehen", next(t, news).Text)
}

func TestX11WriteServesOthers(t *testing.T) {
	t.Parallel()
	x := startX(t)
	need(t, "xclip", "xclip")
	need(t, "xsel", "xsel")
	c, _ := x.open(t, Options{})
	require.NoError(t, c.Write(t.Context(), "Öl"))
	require.Equal(t, "Öl", x.run(t, "xclip", "-o", "-selection", "clipboard"))
	require.Equal(t, "Öl", x.run(t, "xsel", "-b", "-o"))
	targets := x.run(t, "xclip", "-o", "-selection", "clipboard", "-t", "TARGETS")
	require.Equal(t, "TARGETS TIMESTAMP MULTIPLE SAVE_TARGETS UTF8_STRING text/plain;charset=utf-8 text/plain TEXT "+selection.Marker+" STRING",
		strings.Join(strings.Fields(targets), " "))
	for target, want := range map[string]string{
		"UTF8_STRING": "Öl", "text/plain;charset=utf-8": "Öl", "text/plain": "Öl", "STRING": "\xd6l",
	} {
		require.Equal(t, want, x.run(t, "xclip", "-o", "-selection", "clipboard", "-t", target), target)
	}
	require.NoError(t, c.Write(t.Context(), "学习"), "the second write replaces the first")
	require.Equal(t, "学习", x.run(t, "xclip", "-o", "-selection", "clipboard"))
	require.NotContains(t, strings.Fields(x.run(t, "xclip", "-o", "-selection", "clipboard", "-t", "TARGETS")), "STRING", "Latin-1 cannot write it")
}

func TestX11WriteServesLongTextsToMany(t *testing.T) {
	t.Parallel()
	x := startX(t)
	need(t, "xclip", "xclip")
	c, _ := x.open(t, Options{})
	long := string(letters26(5 << 20))
	require.NoError(t, c.Write(t.Context(), long))
	hung := x.start(t, ownerSpec{Reads: true}) // takes the first piece and no more
	hung.until("first piece")
	results := make(chan string, 4)
	for range 4 {
		go func() { results <- x.run(t, "xclip", "-o", "-selection", "clipboard") }()
	}
	for range 4 {
		require.True(t, long == <-results)
	}
	hung.end()
	require.True(t, long == x.run(t, "xclip", "-o", "-selection", "clipboard"), "after a reader that died on the way")
}

func TestX11ReadsRealPrograms(t *testing.T) {
	t.Parallel()
	x := startX(t)
	need(t, "xclip", "xclip")
	need(t, "xsel", "xsel")
	c, news := x.open(t, Options{MaxBytes: 2 << 20})
	x.copy(t, "Guten Tag", "xclip", "-selection", "clipboard")
	require.Equal(t, "Guten Tag", next(t, news).Text)
	x.copy(t, "Auf Wiedersehen", "xsel", "-b", "-i")
	require.Equal(t, "Auf Wiedersehen", next(t, news).Text)
	x.copy(t, "marked with the mouse", "xclip", "-selection", "primary")
	require.Eventually(t, func() bool { // xclip owns it only after its parent has ended
		n, err := c.Read(t.Context(), selection.Primary)
		return err == nil && n.Text == "marked with the mouse"
	}, 20*time.Second, 10*time.Millisecond)
	n, err := c.Read(t.Context(), selection.Clipboard)
	require.NoError(t, err)
	require.Equal(t, "Auf Wiedersehen", n.Text)
	require.NoError(t, c.Write(t.Context(), "ours"))

	million := string(letters26(1_000_000))
	x.copy(t, million, "xclip", "-selection", "clipboard")
	require.True(t, million == next(t, news).Text, "in pieces")
	// Nine megabytes are refused, and xclip still has them for the user.
	long := string(letters26(9 << 20))
	x.copy(t, long, "xclip", "-selection", "clipboard")
	require.Equal(t, TooLong, next(t, news).Skip)
	require.True(t, long == x.run(t, "xclip", "-o", "-selection", "clipboard"), "a paste of the user")
	// xsel now and then loses such a long text without any help, so it is not
	// asked to give it again.
	x.copy(t, long, "xsel", "-b", "-i")
	require.Equal(t, TooLong, next(t, news).Skip)
	x.copy(t, "Guten Abend", "xsel", "-b", "-i")
	require.Equal(t, "Guten Abend", next(t, news).Text)
}

func TestX11ReadOfNothing(t *testing.T) {
	t.Parallel()
	x := startX(t)
	c, _ := x.open(t, Options{})
	for _, name := range []selection.Name{selection.Clipboard, selection.Primary} {
		n, err := c.Read(t.Context(), name)
		require.NoError(t, err)
		require.Equal(t, Empty, n.Skip)
	}
}

func TestX11CloseHandsTheTextToAClipboardManager(t *testing.T) {
	t.Parallel()
	x := startX(t)
	alone, _ := x.open(t, Options{})
	require.NoError(t, alone.Write(t.Context(), "text"))
	require.ErrorContains(t, alone.Close(t.Context()), "none runs")

	manager := x.start(t, ownerSpec{Manages: true})
	c, _ := x.open(t, Options{})
	long := string(letters26(300_000))
	require.NoError(t, c.Write(t.Context(), long))
	require.NoError(t, c.Close(t.Context()))
	manager.until("saved 300000")

	hung, _ := x.open(t, Options{})
	require.NoError(t, hung.Write(t.Context(), "text"))
	manager.signal(syscall.SIGSTOP)
	ctx, cancel := contextWithTimeout(t, 300*time.Millisecond)
	defer cancel()
	require.Error(t, hung.Close(ctx), "a manager that hangs holds nobody up")
}

func TestX11TwoPrograms(t *testing.T) {
	t.Parallel()
	x := startX(t)
	a, toldA := x.open(t, Options{})
	b, toldB := x.open(t, Options{})
	require.NoError(t, a.Write(t.Context(), "from a"))
	require.NoError(t, b.Write(t.Context(), "from b"))
	n, err := a.Read(t.Context(), selection.Clipboard)
	require.NoError(t, err)
	require.Equal(t, Own, n.Skip, "the other process is one of ours")
	x.own(t, text("Guten Tag"))
	require.Equal(t, uint64(1), next(t, toldA).Serial)
	require.Equal(t, uint64(1), next(t, toldB).Serial)
}
