package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// openTerminal makes a pseudo-terminal, see pty(7): what is written to keyboard
// is typed on terminal.
func openTerminal(t *testing.T) (keyboard, terminal *os.File) {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { keyboard.Close() })
	require.NoError(t, unix.IoctlSetPointerInt(int(keyboard.Fd()), unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(int(keyboard.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { terminal.Close() })
	return keyboard, terminal
}

func TestConfigEditAtATerminal(t *testing.T) {
	t.Parallel()
	const twice = `if grep -q '^threds' "$1"; then sed -i s/threds/threads/ "$1"; echo >>"$1"; else sed -i s/threads/threds/ "$1"; fi`
	const meanwhile = `echo '# a' >>"$1"; echo '# b' >>"$DRAGOMAN_CONFIG"`
	for name, test := range map[string]struct {
		editor, typed string
		code          int
		want          string // on the standard error
		after         string
	}{
		"again":          {twice, "\n", exitOK, "inference.threds: unknown key: did you mean inference.threads?\nEdit again? [Y/n] ", goodSettings + "\n"},
		"not again":      {twice, "n\n", exitSetup, "Edit again? [Y/n] dragoman: ", goodSettings},
		"end of input":   {twice, "\x04", exitSetup, "Edit again? [Y/n] dragoman: ", goodSettings},
		"overwrite":      {meanwhile, "y\n", exitOK, "Replace it by what you edited? [y/N] ", goodSettings + "# a\n"},
		"not overwrite":  {meanwhile, "\n", exitFailed, "was changed meanwhile", goodSettings + "# b\n"},
		"killed instead": {`sed -i s/threads/threds/ "$1"; (sleep 0.2; kill $PPID) &`, "", exitInterrupted, "dragoman: interrupted", goodSettings},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newEditCommand(t, goodSettings, test.editor)
			keyboard, terminal := openTerminal(t)
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			cmd := c.prepare(ctx, "config", "edit")
			var stdout, stderr bytes.Buffer
			cmd.Stdin, cmd.Stdout, cmd.Stderr = terminal, &stdout, &stderr
			_, err := keyboard.WriteString(test.typed)
			require.NoError(t, err)
			require.Equal(t, test.code, exitStatus(t, cmd.Run()), stderr.String())
			require.Contains(t, stderr.String(), test.want)
			requireEdited(t, c, test.after)
		})
	}
}
