package main

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEraseAtATerminal(t *testing.T) {
	c := withService(t)
	c.succeeds("translate", "--from", "en", "--to", "de", "The house is big.")
	erase := func(typed string, args ...string) outcome {
		keyboard, terminal := openTerminal(t)
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		cmd := c.prepare(ctx, append([]string{"history", "erase"}, args...)...)
		var stdout, stderr bytes.Buffer
		cmd.Stdin, cmd.Stdout, cmd.Stderr = terminal, &stdout, &stderr
		_, err := keyboard.WriteString(typed)
		require.NoError(t, err)
		return outcome{exitStatus(t, cmd.Run()), stdout.String(), stderr.String()}
	}
	for _, no := range []string{"\n", "n\n", "\x04", "yesterday\n"} {
		o := erase(no)
		require.Equal(t, exitFailed, o.code, o.stderr)
		require.Contains(t, o.stderr, "Erase all texts that were kept, and the translation memory for good? [y/N] ")
		require.Contains(t, o.stderr, "nothing was erased")
	}
	require.Contains(t, c.succeeds("history"), "The house is big.")
	o := erase("y\n", "--older-than", "3")
	require.Equal(t, exitOK, o.code, o.stderr)
	require.Contains(t, o.stderr, "Erase the texts from before 20")
	require.Contains(t, o.stdout, "0 texts")
	o = erase("", "--yes")
	require.Equal(t, exitOK, o.code, o.stderr)
	require.Empty(t, o.stderr, "nothing is asked")
	require.Contains(t, o.stdout, "1 text.")
	c.succeeds("translate", "--from", "en", "--to", "de", "The house is big.")
	require.Contains(t, erase("YES\n").stdout, "1 text.")
	require.Empty(t, c.succeeds("history"))
	require.Contains(t, c.succeeds("history", "erase", "--older-than", "3"), "0 texts", "scripts are not asked")
}
