//go:build unix

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"dragoman/watch/clip"
)

const hasPrimary = true

// ownerName is the command that stays for as long as a text of ours is on the
// clipboard.
const ownerName = "clip-owner"

const (
	// ownerReady is what the owner says once others can have the text. Anything
	// else is why they cannot.
	ownerReady = "ready"
	// ownerHandOver is how long a clipboard manager may take for the text when
	// the owner is asked to end.
	ownerHandOver = 3 * time.Second
)

// replaceClipboard puts a text on the clipboard. X11 and Wayland ask the program
// that copied for the text whenever somebody pastes it, so a process stays behind
// until somebody else copies, as that of xclip and of wl-copy does.
func replaceClipboard(ctx context.Context, text string) error {
	if err := startOwner(ctx, text); err != nil {
		return fmt.Errorf("put the translation on the clipboard: %w", err)
	}
	return nil
}

func startOwner(ctx context.Context, text string) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(program, ownerName)
	cmd.Dir = "/" // holds no disk
	cmd.Stdin = strings.NewReader(text)
	// A session of its own: the terminal that this command came from may close.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	said := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(out).ReadString('\n')
		said <- strings.TrimSpace(line)
	}()
	ctx, cancel := context.WithTimeout(ctx, 2*clipPatience)
	defer cancel()
	select {
	case line := <-said:
		if line == ownerReady {
			return cmd.Process.Release()
		}
		err = errors.New(line)
		if line == "" {
			err = errors.New("its owner ended early")
		}
	case <-ctx.Done():
		err = ctx.Err()
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	return err
}

// clipOwners are commands that only this program starts.
func clipOwners() []*cobra.Command {
	return []*cobra.Command{{
		Use:    ownerName,
		Short:  "Keep a text on the clipboard",
		Hidden: true,
		Args:   noArgs,
		RunE:   func(c *cobra.Command, _ []string) error { return ownClipboard(c.Context(), c.InOrStdin(), os.Stdout) },
	}}
}

// ownClipboard serves the text that in holds until somebody else copies. It says
// nothing after out was closed.
func ownClipboard(ctx context.Context, in io.Reader, out io.WriteCloser) error {
	tell := func(line string) {
		_, _ = fmt.Fprintln(out, strings.ReplaceAll(line, "\n", "; ")) // who asked may have gone
		_ = out.Close()
	}
	text, err := io.ReadAll(in)
	if err != nil {
		tell(err.Error())
		return nil
	}
	opening, cancel := context.WithTimeout(ctx, clipPatience)
	defer cancel()
	board, err := clip.Open(opening, clip.Options{})
	if err != nil {
		tell(err.Error())
		return nil
	}
	written := false
	err = board.Hold(ctx, string(text), func() {
		written = true
		tell(ownerReady)
	})
	if !written {
		tell(err.Error())
	}
	limited, cancelClose := context.WithTimeout(context.WithoutCancel(ctx), ownerHandOver)
	defer cancelClose()
	_ = board.Close(limited) // nobody is left who could be told
	return nil
}
