package main

import (
	"context"
	"errors"
	"strings"
	"unicode"

	"dragoman/daemon/api"
	"dragoman/daemon/config"
	"dragoman/inference/language"
	"dragoman/inference/m2m100/tokenizer"
	"dragoman/inference/openvino/locate"
	"dragoman/installer/service"
)

// Exit codes. Scripts rely on them: they do not change their meaning.
const (
	exitOK          = 0
	exitFailed      = 1   // the work itself failed
	exitUsage       = 2   // unknown flag, missing argument, a value that cannot be
	exitInput       = 3   // a text or file that cannot be translated, or is not there
	exitSetup       = 4   // this machine lacks something, or its settings are wrong
	exitNoService   = 5   // the service is not running
	exitInterrupted = 130 // stopped by Ctrl-C or SIGTERM before the work was done
)

const exitCodesHelp = `Exit codes:
  0    done
  1    failed while working
  2    wrong use: an unknown command, flag, language or setting, or a value that cannot be
  3    unusable input: not a text file, too large, in a language that the model does not know, not there
  4    no OpenVINO runtime, usable model, service manager or display, an older service, or wrong settings: see ` + "`dragoman doctor`" + `
  5    the service is not running or not installed: see ` + "`dragoman service`" + `
  130  interrupted; a watch that is stopped has done its work and ends with 0`

type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

type inputError struct{ error }

func (e inputError) Unwrap() error { return e.error }

type setupError struct{ error }

func (e setupError) Unwrap() error { return e.error }

// downError says in other words than api.ErrNotRunning that there is no service.
type downError struct{ error }

func (e downError) Unwrap() error { return e.error }

func exitCode(err error) int {
	var usage usageError
	var input inputError
	var setup setupError
	var down downError
	problem, _ := errors.AsType[*api.Problem](err)
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, context.Canceled), errors.Is(err, api.ErrCancelled):
		return exitInterrupted
	case errors.As(err, &down), errors.Is(err, api.ErrNotRunning), errors.Is(err, service.ErrNotInstalled):
		return exitNoService
	case errors.As(err, &usage), errors.Is(err, tokenizer.ErrUnknownLanguage), errors.Is(err, api.ErrLanguage),
		problem != nil && problem.Code == api.CodeBadRequest:
		return exitUsage
	case errors.As(err, &input), errors.Is(err, language.ErrForeign), errors.Is(err, api.ErrForeign), errors.Is(err, api.ErrNotFound), problem != nil && problem.Code == api.CodeTooLarge:
		return exitInput
	case errors.As(err, &setup), errors.Is(err, locate.ErrNotFound), errors.Is(err, api.ErrNoModel), errors.Is(err, api.ErrUnknown):
		return exitSetup
	default:
		return exitFailed
	}
}

// describe is what the user reads, one line for each failure.
func describe(err error) []string {
	var down downError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled):
		return []string{"interrupted"}
	case errors.Is(err, api.ErrNotRunning) && !errors.As(err, &down):
		return []string{api.ErrNotRunning.Error()}
	}
	// errors.Join puts failures on lines of their own. Other control characters
	// come from names of files and would act on the terminal.
	lines := strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\r' })
	for i, line := range lines {
		lines[i] = printable(line)
	}
	if paths, unknown := config.NewPaths(config.Host()); unknown == nil {
		if way := paths.Elsewhere(err); way != "" {
			lines[len(lines)-1] += ": " + way
		}
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
