package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Source says where a setting's value is from.
type Source string

const (
	SourceDefault     Source = "default"
	SourceFile        Source = "file"
	SourceEnvironment Source = "environment"
)

// Settings are a Config and where each value of it is from.
type Settings struct {
	Config
	File    string // that was read, or is not there
	sources map[string]Source
}

// Setting is one key with its value.
type Setting struct {
	Key    Key
	Value  string // in force, as TOML writes it
	Source Source
}

// ContentError is a mistake in a configuration file. It names file, line, key
// and what to do.
type ContentError struct {
	File    string
	Line    int // from 1; 0 where it cannot be told
	Key     string
	Problem string
}

func (e *ContentError) Error() string {
	place := e.place()
	if e.Key != "" {
		place += ": " + e.Key
	}
	return place + ": " + e.Problem
}

// place is the file with the line.
func (e *ContentError) place() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s:%d", e.File, e.Line)
	}
	return e.File
}

// Load reads the configuration file at path and this process's environment on
// top of Default. A file that is not there gives Default. Mistakes in the file
// are a *ContentError. It changes nothing: a caller whose Load fails goes on
// with the Config that it has.
func Load(path string) (Config, error) {
	s, err := Read(path, os.Getenv)
	return s.Config, err
}

// Read is Load with another environment and with the sources of the values. A
// variable that is empty counts as unset. A mistake in one is an error that
// names the variable.
func Read(path string, getenv func(string) string) (Settings, error) {
	// Opening a pipe would wait for a writer for ever.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return Settings{}, fmt.Errorf("read configuration: %s is no file: move it away, or name another with %s", path, EnvConfig)
	}
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Settings{}, fmt.Errorf("read configuration: %w", err)
	}
	s, err := parse(path, text)
	if err != nil {
		return Settings{}, err
	}
	p, err := readPolicy()
	if err != nil {
		return Settings{}, err
	}
	s.apply(p)
	if err := s.environment(getenv); err != nil {
		return Settings{}, err
	}
	return s, nil
}

// Check finds mistakes in text as the content of the configuration file path,
// which may hold something else or be missing.
func Check(path string, text []byte) error {
	_, err := parse(path, text)
	return err
}

// Source says where the value of the key of that name is from.
func (s Settings) Source(name string) Source {
	if from, ok := s.sources[name]; ok {
		return from
	}
	return SourceDefault
}

// All returns every setting in the order of Keys. Values that are secret are
// left out (""), where they are set.
func (s Settings) All() []Setting {
	all := make([]Setting, len(keys))
	for i, k := range keys {
		all[i] = Setting{Key: k, Value: k.literal(&s.Config), Source: s.Source(k.Name)}
		if k.Secret && all[i].Source != SourceDefault {
			all[i].Value = ""
		}
	}
	return all
}

// Plain returns a setting's value without TOML's quotes, a list with a line an
// entry. It returns secret values too.
func (s Settings) Plain(k Key) string { return plain(k.value(&s.Config)) }

// parse reads a file's content on top of Default.
func parse(path string, text []byte) (Settings, error) {
	s := Settings{Config: Default(), File: path, sources: map[string]Source{}}
	err := eachSetting(path, text, func(_ *ContentError, k Key, v any) error {
		k.assign(&s.Config, k.relative(filepath.Dir(path), v))
		s.sources[k.Name] = SourceFile
		return nil
	}, nil)
	if err != nil {
		return Settings{}, err
	}
	return s, nil
}

// eachSetting calls take with every setting in text, the content of the file at
// path, with its checked value and the place where it stands. What stands before
// the tables is offered to other, which says whether it is known and what is
// wrong with it; nil knows nothing.
func eachSetting(path string, text []byte, take func(*ContentError, Key, any) error, other func(name string, v any) (bool, string)) error {
	d, err := parseDocument(text)
	if err != nil {
		problem := &ContentError{File: path, Problem: err.Error() + ": correct it, or remove the file for the defaults"}
		var at *parseError
		if errors.As(err, &at) {
			problem.Line, problem.Key = at.line, at.key
		}
		return problem
	}
	if err := checkHeaders(path, d); err != nil {
		return err
	}
	for _, e := range d.entries {
		name := dotted(e.path)
		at := &ContentError{File: path, Line: d.line(e.start), Key: name}
		k, known := keyAt(e.path)
		if !known || e.list {
			if e.table && slices.Contains(tables(), name) {
				continue
			}
			if other != nil && len(e.path) == 1 {
				if taken, problem := other(name, d.valueAt(e.path)); taken && problem == "" {
					continue
				} else if taken {
					at.Problem = problem
					return at
				}
			}
			at.Problem = unknown(name)
			return at
		}
		v, err := k.fromTOML(d.valueAt(e.path))
		if err == nil {
			err = take(at, k, v)
		}
		if err != nil {
			at.Problem = err.Error()
			return at
		}
	}
	return nil
}

func checkHeaders(path string, d *document) error {
	for _, h := range d.headers {
		name := dotted(h.path)
		at := &ContentError{File: path, Line: d.line(h.start), Key: name}
		known := len(h.path) == 1 && slices.Contains(tables(), name)
		switch {
		case known && h.list:
			at.Problem = fmt.Sprintf("there is one such table only: write [%s]", name)
			return at
		case !known:
			at.Problem = unknown(name)
			return at
		}
	}
	return nil
}

// keyAt returns the key at a path. A quoted name with a dot is none.
func keyAt(path []string) (Key, bool) {
	if len(path) != 2 {
		return Key{}, false
	}
	return Find(path[0] + "." + path[1])
}

// dotted writes a path as a file does.
func dotted(path []string) string {
	parts := make([]string, len(path))
	for i, part := range path {
		if bareKey.MatchString(part) {
			parts[i] = part
		} else {
			parts[i] = quote(part)
		}
	}
	return strings.Join(parts, ".")
}

// bareKey is a name that needs no quotes.
var bareKey = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// unknown tells what is wrong with a name that is no key's, or stands where
// something else belongs.
func unknown(name string) string {
	if slices.Contains(tables(), name) {
		return fmt.Sprintf("this is a table of settings, not a value: write [%s] and its settings below", name)
	}
	if k, ok := Find(name); ok {
		return fmt.Sprintf("this is a value, not a table: write %s = %s", name, k.Default())
	}
	known := tables()
	for _, k := range keys {
		known = append(known, k.Name)
	}
	if near := nearest(name, known); near != "" {
		return fmt.Sprintf("unknown key: did you mean %s?", near)
	}
	table, _, _ := strings.Cut(name, ".")
	var names []string
	for _, k := range keys {
		if k.table() == table {
			names = append(names, k.name())
		}
	}
	if len(names) > 0 {
		return fmt.Sprintf("unknown key: remove it; in [%s] there are %s", table, strings.Join(names, ", "))
	}
	return fmt.Sprintf("unknown key: remove it; there are the tables %s", strings.Join(tables(), ", "))
}

// UnknownKeyError is that Name, which someone asked for, is no key's. It names
// the nearest key, or those of its table.
type UnknownKeyError struct{ Name string }

func (e *UnknownKeyError) Error() string {
	table, _, dotted := strings.Cut(e.Name, ".")
	var inTable, all []string
	for _, k := range keys {
		all = append(all, k.Name)
		if k.table() == table {
			inTable = append(inTable, k.Name)
		}
	}
	switch {
	case len(inTable) > 0 && !dotted:
		return fmt.Sprintf("%s is a table of settings, name one of it: %s", table, strings.Join(inTable, ", "))
	case nearest(e.Name, all) != "":
		return fmt.Sprintf("there is no setting %s: did you mean %s?", e.Name, nearest(e.Name, all))
	case len(inTable) > 0:
		return fmt.Sprintf("there is no setting %s, only %s", e.Name, strings.Join(inTable, ", "))
	}
	return fmt.Sprintf("there is no setting %s: `dragoman config get` shows all", e.Name)
}

// environment puts the values of environment variables over those of the file.
// A relative path in one is an error, since the service and the command run in
// different folders.
func (s *Settings) environment(getenv func(string) string) error {
	for _, k := range keys {
		text := getenv(k.Env())
		if text == "" || s.Source(k.Name) == SourcePolicy {
			continue
		}
		v, err := k.fromText(text)
		if err != nil {
			return fmt.Errorf("environment variable %s: %w", k.Env(), err)
		}
		if path, isText := v.(string); isText && k.resolve != nil && k.resolve("..", path) != path {
			return fmt.Errorf("environment variable %s=%s: give an absolute path", k.Env(), path)
		}
		k.assign(&s.Config, v)
		s.sources[k.Name] = SourceEnvironment
	}
	return nil
}
