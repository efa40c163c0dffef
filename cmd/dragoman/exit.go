package main

import (
	"context"
	"errors"
	"strings"
	"unicode"

	"dragoman/daemon/api"
	"dragoman/inference/m2m100/tokenizer"
	"dragoman/inference/openvino/locate"
)

// Exit codes. Scripts rely on them: they do not change their meaning.
const (
	exitOK          = 0
	exitFailed      = 1   // the work itself failed
	exitUsage       = 2   // unknown flag, missing argument
	exitInput       = 3   // a text, file or language that cannot be translated
	exitSetup       = 4   // no runtime, no usable model or no service manager
	exitNoService   = 5   // the service is not running
	exitInterrupted = 130 // stopped by Ctrl-C or SIGTERM before the work was done
)

const exitCodesHelp = `Exit codes:
  0    done
  1    failed while working
  2    wrong use of the command
  3    unusable input: unknown language, not a text file, a folder, not there
  4    no OpenVINO runtime or no usable model: see ` + "`dragoman doctor`" + `; for
       ` + "`dragoman service`" + `: no service manager
  5    the service is not running: see ` + "`dragoman service`" + `
  130  interrupted; a watch that is stopped has done its work and ends with 0`

type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

type inputError struct{ error }

func (e inputError) Unwrap() error { return e.error }

type setupError struct{ error }

func (e setupError) Unwrap() error { return e.error }

func exitCode(err error) int {
	var usage usageError
	var input inputError
	var setup setupError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, context.Canceled), errors.Is(err, api.ErrCancelled):
		return exitInterrupted
	case errors.Is(err, api.ErrNotRunning):
		return exitNoService
	case errors.As(err, &usage):
		return exitUsage
	case errors.As(err, &input), errors.Is(err, tokenizer.ErrUnknownLanguage), errors.Is(err, api.ErrLanguage), errors.Is(err, api.ErrNotFound):
		return exitInput
	case errors.As(err, &setup), errors.Is(err, locate.ErrNotFound), errors.Is(err, api.ErrNoModel):
		return exitSetup
	default:
		return exitFailed
	}
}

// describe is what the user reads, one line for each failure.
func describe(err error) []string {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled):
		return []string{"interrupted"}
	case errors.Is(err, api.ErrNotRunning):
		return []string{api.ErrNotRunning.Error()}
	}
	// errors.Join puts failures on lines of their own. Other control characters
	// come from names of files and would act on the terminal.
	lines := strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\r' })
	for i, line := range lines {
		lines[i] = printable(line)
	}
	return lines
}

// printable replaces what would act on a terminal instead of being shown.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '\ufffd'
		}
		return r
	}, s)
}
