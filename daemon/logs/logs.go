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
	// File, if not empty, is where messages go in any case; its folder is made.
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

	closers []io.Closer
}

// Open finds out where messages go, unless a file is named:
//
//   - to stderr with systemd's priorities, where that is the journal;
//   - to stderr as text for people, where that is a terminal;
//   - otherwise to a file in the state folder, warnings also to the event log
//     of a Windows service, errors also to stderr.
//
// A file or event log that cannot be opened is an error, but the Log is usable
// without it.
func Open(o Options) (*Log, error) {
	if o.Stderr == nil {
		o.Stderr = os.Stderr
	}
	l := &Log{Level: new(slog.LevelVar)}
	var handlers []slog.Handler
	var err error
	switch {
	case o.File == "" && isJournal(o.Stderr):
		l.Place = "the journal"
		handlers = append(handlers, newHandler(o.Stderr, l.Level, journalLine))
	case o.File == "" && o.EventSource == "" && isTerminal(o.Stderr):
		l.Place = "this terminal"
		handlers = append(handlers, newHandler(o.Stderr, l.Level, terminalLine))
	default:
		handlers = append(handlers, newHandler(o.Stderr, slog.LevelError, terminalLine))
		var more []slog.Handler
		more, err = l.files(o)
		handlers = append(handlers, more...)
	}
	l.Logger = slog.New(slog.NewMultiHandler(handlers...))
	return l, err
}

func (l *Log) files(o Options) (handlers []slog.Handler, err error) {
	path := cmp.Or(o.File, File(o.StateDir))
	if err = os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		l.Place = "nowhere"
		err = fmt.Errorf("make the folder of the log: %w", err)
	} else {
		l.Place = path
		file := &lumberjack.Logger{Filename: path, MaxSize: fileMB, MaxBackups: oldFiles, LocalTime: true}
		l.closers = append(l.closers, file)
		handlers = append(handlers, newHandler(file, l.Level, fileLine))
	}
	if o.EventSource == "" {
		return handlers, err
	}
	events, eventErr := openEvents(o.EventSource)
	if eventErr != nil {
		return handlers, errors.Join(err, eventErr)
	}
	l.closers = append(l.closers, events)
	return append(handlers, newHandler(events, slog.LevelWarn, eventLine)), err
}

// Close closes the files. What is logged later is lost.
func (l *Log) Close() error {
	var errs []error
	for _, c := range l.closers {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}
