package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"dragoman/daemon/config"
)

func (cc *configCommand) newEdit() *cobra.Command {
	return &cobra.Command{
		Use:   "edit",
		Short: "Open the settings file in an editor",
		Long: `Open the settings file in an editor: $VISUAL, else $EDITOR, else nano, vi or
Notepad. What is edited is a copy. It takes the file's place once it has no
mistakes; where it has, you are asked whether to edit it again.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return cc.edit(c) },
	}
}

func (cc *configCommand) edit(c *cobra.Command) error {
	file, err := configFile()
	if err != nil {
		return err
	}
	old, err := os.ReadFile(file)
	begin := old
	switch {
	case errors.Is(err, fs.ErrNotExist):
		old, begin = nil, config.DefaultFile()
	case err != nil:
		return fmt.Errorf("read the settings: %w", err)
	}
	editor, err := findEditor()
	if err != nil {
		return err
	}
	// The folder is this user's alone: the file may hold a secret.
	folder, err := os.MkdirTemp("", "dragoman-config-")
	if err != nil {
		return fmt.Errorf("make a copy of the settings: %w", err)
	}
	e := edit{command: c, file: file, copy: filepath.Join(folder, filepath.Base(file)), editor: editor, answers: bufio.NewReader(c.InOrStdin())}
	if err := os.WriteFile(e.copy, begin, 0o600); err != nil {
		return errors.Join(fmt.Errorf("make a copy of the settings: %w", err), os.RemoveAll(folder))
	}
	changed, err := e.run(old, begin)
	if err != nil {
		return err
	}
	if changed {
		err = cc.tellService(c.Context())
	} else {
		fmt.Fprintln(c.ErrOrStderr(), "Nothing was changed.")
	}
	if removeErr := os.RemoveAll(folder); removeErr != nil {
		err = errors.Join(err, fmt.Errorf("remove the copy of the settings: %w", removeErr))
	}
	return err
}

// edit is one run of an editor on a copy of the file.
type edit struct {
	command    *cobra.Command
	file, copy string
	editor     []string // program and arguments
	answers    *bufio.Reader
}

// run edits until the copy has no mistakes and puts it in the file's place. The
// copy stays where it was edited and could not be used.
func (e edit) run(old, begin []byte) (changed bool, err error) {
	for {
		if err := e.open(); err != nil {
			return false, e.kept(begin, err)
		}
		text, err := os.ReadFile(e.copy)
		if err != nil {
			return false, fmt.Errorf("read what was edited: %w", err)
		}
		if bytes.Equal(text, begin) {
			return false, nil
		}
		err = config.Replace(e.file, old, text)
		var content *config.ContentError
		if !errors.As(err, &content) {
			return err == nil, e.kept(begin, err)
		}
		again, answerErr := e.again(content)
		switch {
		case answerErr != nil:
			return false, e.kept(begin, answerErr)
		case !again:
			return false, e.kept(begin, setupError{content})
		}
	}
}

// kept says with an error where the copy is, and removes one that is as before.
func (e edit) kept(begin []byte, err error) error {
	if err == nil {
		return nil
	}
	if text, readErr := os.ReadFile(e.copy); readErr != nil || bytes.Equal(text, begin) {
		return errors.Join(err, os.RemoveAll(filepath.Dir(e.copy)))
	}
	return fmt.Errorf("%w (%s is unchanged, what you edited is in %s)", err, e.file, e.copy)
}

func (e edit) open() error {
	// Not bound to the context: Ctrl-C is for the editor while it runs.
	program := exec.Command(e.editor[0], append(e.editor[1:len(e.editor):len(e.editor)], e.copy)...)
	program.Stdin, program.Stdout, program.Stderr = e.command.InOrStdin(), e.command.OutOrStdout(), e.command.ErrOrStderr()
	if err := program.Run(); err != nil {
		return fmt.Errorf("run the editor %s: %w", e.editor[0], err)
	}
	return nil
}

// again asks whether to correct a mistake. No answer is no.
func (e edit) again(mistake *config.ContentError) (bool, error) {
	fmt.Fprintf(e.command.ErrOrStderr(), "%s\nEdit again? [Y/n] ", printable(mistake.Error()))
	type line struct {
		text string
		err  error
	}
	answer := make(chan line, 1)
	go func() { // ends with the process: a read from a terminal cannot be interrupted
		text, err := e.answers.ReadString('\n')
		answer <- line{text, err}
	}()
	ctx := e.command.Context()
	select {
	case <-ctx.Done():
		return false, context.Cause(ctx)
	case got := <-answer:
		if got.err != nil && !errors.Is(got.err, io.EOF) {
			return false, fmt.Errorf("read the answer: %w", got.err)
		}
		text := strings.ToLower(strings.TrimSpace(got.text))
		return text == "y" || text == "yes" || text == "" && got.err == nil, nil
	}
}

// findEditor returns a program and its arguments.
func findEditor() ([]string, error) {
	for _, variable := range []string{"VISUAL", "EDITOR"} {
		if value := strings.TrimSpace(os.Getenv(variable)); value != "" {
			if _, err := exec.LookPath(value); err == nil {
				return []string{value}, nil // its path may have blanks
			}
			return strings.Fields(value), nil
		}
	}
	known := []string{"nano", "vi"}
	if runtime.GOOS == "windows" {
		known = []string{"notepad"}
	}
	for _, name := range known {
		if path, err := exec.LookPath(name); err == nil {
			return []string{path}, nil
		}
	}
	return nil, fmt.Errorf("there is no editor (%s): set EDITOR to one", strings.Join(known, ", "))
}
