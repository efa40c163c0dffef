// Package logs decides where the daemon's log goes: to the journal, a terminal,
// the event log of Windows or a file that stays small.
//
// It owns the form of the lines and the file's name. Who logs must see to it
// that no text of users is in what is logged. The package must not import
// anything of ours.
package logs

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"gopkg.in/natefinch/lumberjack.v2"
)

// Bounds of what is kept.
const (
	fileMB   = 5 // megabytes of the file
	oldFiles = 3 // files before it
)

// File is the log file of a daemon that works on stateDir.
func File(stateDir string) string { return filepath.Join(stateDir, "log", "dragomand.log") }

// Options say where a log may go.
type Options struct {
	StateDir string
	// File, if not empty, is where messages go besides; its folder is made.
	File string
	// EventSource is the name of a Windows service, "" where none is running.
	EventSource string
	Stderr      *os.File // os.Stderr if nil
}

// Log is where all messages of a process go.
type Log struct {
	Logger *slog.Logger
	// Level may be changed at any time; it begins with slog.LevelInfo.
	Level *slog.LevelVar
	// Place says where the messages go, for people.
	Place string

	handlers []slog.Handler
	closers  []io.Closer
}

// Open finds out where messages go:
//
//   - under systemd to the journal, which is stderr with systemd's priorities;
//   - in a Windows service to a file, warnings also to the event log;
//   - otherwise, at a terminal, in a container or behind a pipe, to stderr as
//     text for people, and to a file as well, which is what remains when nobody
//     looks.
//
// The file is the one that is named, or File in the state folder; only the
// journal does without one that is not named. A file or event log that cannot be
// opened is an error, but the Log is usable without it.
func Open(o Options) (*Log, error) {
	if o.Stderr == nil {
		o.Stderr = os.Stderr
	}
	l := &Log{Level: new(slog.LevelVar)}
	var places []string
	path := cmp.Or(o.File, File(o.StateDir))
	switch {
	case isJournal(o.Stderr):
		places = append(places, "the journal")
		l.add(o.Stderr, l.Level, journalLine)
		path = o.File
	case o.EventSource != "": // a service has no stderr
	case isTerminal(o.Stderr):
		places = append(places, "this terminal")
		l.add(o.Stderr, l.Level, terminalLine)
	default:
		places = append(places, "stderr")
		l.add(o.Stderr, l.Level, fileLine)
	}
	var errs []error
	if path != "" {
		if err := l.file(path); err != nil {
			errs = append(errs, err)
		} else {
			places = append(places, path)
		}
	}
	if o.EventSource != "" {
		events, err := openEvents(o.EventSource)
		if err != nil {
			errs = append(errs, err)
		} else {
			l.closers = append(l.closers, events)
			l.add(events, slog.LevelWarn, eventLine)
		}
	}
	l.Place = cmp.Or(strings.Join(places, " and "), "nowhere")
	l.Logger = slog.New(slog.NewMultiHandler(l.handlers...))
	return l, errors.Join(errs...)
}

func (l *Log) add(out io.Writer, level slog.Leveler, s style) {
	l.handlers = append(l.handlers, newHandler(out, level, s))
}

func (l *Log) file(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make the folder of the log: %w", err)
	}
	file := &lumberjack.Logger{Filename: path, MaxSize: fileMB, MaxBackups: oldFiles, LocalTime: true}
	l.closers = append(l.closers, file)
	l.add(file, l.Level, fileLine)
	return nil
}

// Close closes the files. What is logged later is lost.
func (l *Log) Close() error {
	var errs []error
	for _, c := range l.closers {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}
