package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"dragoman/daemon/config"
)

func (cc *configCommand) newEdit() *cobra.Command {
	return &cobra.Command{
		Use:   "edit",
		Short: "Open the settings file in an editor",
		Long: `Open the settings file in an editor: $VISUAL, else $EDITOR, else nano, vi or
Notepad. What is edited is a copy, which is gone afterwards. It takes the file's
place once it has no mistakes; where it has, you are asked at a terminal whether
to edit it again, and elsewhere it is refused.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return cc.edit(c) },
	}
}

func (cc *configCommand) edit(c *cobra.Command) error {
	paths, err := config.NewPaths(config.Host())
	if err != nil {
		return setupError{err}
	}
	file := paths.ConfigFile
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
	before, beforeErr := config.Load(file)
	signals := make(chan os.Signal, 4)
	// Ctrl-C is for the editor while it runs, and what ends this command must
	// leave no copy behind.
	signal.Reset(os.Interrupt, syscall.SIGTERM)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	scratch, err := newScratch(paths.StateDir, file, begin)
	if err != nil {
		return err
	}
	e := edit{command: c, file: file, copy: scratch.file, editor: editor, answers: bufio.NewReader(c.InOrStdin()), signals: signals}
	changed, err := e.run(old, begin)
	if err = errors.Join(err, scratch.remove()); err != nil {
		return err
	}
	if !changed {
		fmt.Fprintln(c.ErrOrStderr(), "Nothing was changed.")
		return nil
	}
	var keys []string // all, where one of the two cannot be read
	if after, err := config.Load(file); err == nil && beforeErr == nil {
		keys = append([]string{}, config.Differences(before, after)...)
	}
	return cc.tellService(c, file, keys)
}

// edit is one run of an editor on a copy of the file.
type edit struct {
	command    *cobra.Command
	file, copy string
	editor     []string // program and arguments
	answers    *bufio.Reader
	signals    chan os.Signal
}

// run edits until the copy has no mistakes and puts it in the file's place.
func (e edit) run(old, begin []byte) (changed bool, err error) {
	for {
		if err := e.open(); err != nil {
			return false, err
		}
		text, err := os.ReadFile(e.copy)
		if err != nil {
			return false, fmt.Errorf("read what was edited: %w", err)
		}
		if bytes.Equal(text, begin) {
			return false, nil
		}
		err = config.Replace(e.file, old, text)
		if errors.Is(err, config.ErrConflict) {
			err = e.overwrite(err, text)
		}
		var content *config.ContentError
		if !errors.As(err, &content) {
			return err == nil, err
		}
		again, answerErr := e.ask(content, "Edit again? [Y/n] ", true)
		switch {
		case answerErr != nil:
			return false, answerErr
		case !again:
			return false, setupError{fmt.Errorf("%w (the file is as it was before)", content)}
		}
	}
}

// overwrite asks what becomes of a file that someone else has changed.
func (e edit) overwrite(conflict error, text []byte) error {
	sure, err := e.ask(conflict, "Replace it by what you edited? [y/N] ", false)
	if err != nil || !sure {
		return errors.Join(err, conflict)
	}
	now, err := os.ReadFile(e.file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read the settings: %w", err)
	}
	return config.Replace(e.file, now, text)
}

// editorGrace is how long an editor that is told to end may take.
const editorGrace = 2 * time.Second

// open runs the editor until it ends, or this command is told to.
func (e edit) open() error {
	program := exec.Command(e.editor[0], append(e.editor[1:len(e.editor):len(e.editor)], e.copy)...)
	program.Stdin, program.Stdout, program.Stderr = e.command.InOrStdin(), e.command.OutOrStdout(), e.command.ErrOrStderr()
	if err := program.Start(); err != nil {
		return fmt.Errorf("run the editor %s: %w", e.editor[0], err)
	}
	ended := make(chan error, 1)
	go func() { ended <- program.Wait() }()
	for {
		select {
		case err := <-ended:
			if err != nil {
				return fmt.Errorf("run the editor %s: %w: the settings are as they were", e.editor[0], err)
			}
			return nil
		case s := <-e.signals:
			if s == os.Interrupt {
				continue
			}
			if program.Process.Signal(syscall.SIGTERM) != nil { // Windows has no such signal
				_ = program.Process.Kill()
			}
			select {
			case <-ended:
			case <-time.After(editorGrace):
				_ = program.Process.Kill()
			}
			return context.Canceled
		}
	}
}

// ask puts a question at a terminal; no answer, and no terminal, is no.
func (e edit) ask(about error, question string, enter bool) (bool, error) {
	in, isFile := e.command.InOrStdin().(*os.File)
	if !isFile || !term.IsTerminal(int(in.Fd())) {
		return false, nil
	}
	fmt.Fprintf(e.command.ErrOrStderr(), "%s\n%s", printable(about.Error()), question)
	type line struct {
		text string
		err  error
	}
	answer := make(chan line, 1)
	go func() { // ends with the process: a read from a terminal cannot be interrupted
		text, err := e.answers.ReadString('\n')
		answer <- line{text, err}
	}()
	select {
	case <-e.signals:
		return false, context.Canceled
	case got := <-answer:
		text := strings.ToLower(strings.TrimSpace(got.text))
		return text == "y" || text == "yes" || enter && text == "" && got.err == nil, nil
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
