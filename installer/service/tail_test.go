package service

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestLastLines(t *testing.T) {
	for _, test := range []struct {
		text string
		n    int
		want string
	}{
		{"a\nb\nc\n", 2, "b\nc\n"},
		{"a\nb\nc", 2, "b\nc"},
		{"a\nb\nc\n", 3, "a\nb\nc\n"},
		{"a\nb\nc\n", 9, "a\nb\nc\n"},
		{"a\nb\nc\n", 0, ""},
		{"a", 0, ""},
		{"", 5, ""},
		{"\n\n", 1, "\n"},
	} {
		require.Equal(t, test.want, string(lastLines([]byte(test.text), test.n)), "%q, %d", test.text, test.n)
	}
}

func TestTail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	require.ErrorContains(t, tail(t.Context(), path, io.Discard, false, 5), "has not run yet")
	require.NoError(t, os.WriteFile(path, []byte("one\ntwo\n"), 0o600))
	var out strings.Builder
	require.NoError(t, tail(t.Context(), path, &out, false, 1))
	require.Equal(t, "two\n", out.String())
}

func TestTailFollowsARotatedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	require.NoError(t, os.WriteFile(path, []byte("one\ntwo\n"), 0o600))
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	reader, writer := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- tail(ctx, path, writer, true, 1) }()
	expect := func(want string) {
		t.Helper()
		got := make([]byte, len(want))
		_, err := io.ReadFull(reader, got)
		require.NoError(t, err)
		require.Equal(t, want, string(got))
	}
	expect("two\n")
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = f.WriteString("three\n")
	require.NoError(t, err)
	require.NoError(t, f.Close())
	expect("three\n")
	require.NoError(t, os.Rename(path, path+".old"))
	require.NoError(t, os.WriteFile(path, []byte("four\n"), 0o600))
	expect("four\n")
	stop()
	require.ErrorIs(t, <-ended, context.Canceled)
}
