package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Type is what kind of value a key has in the file.
type Type string

const (
	Text     Type = "string"
	Number   Type = "integer"
	Switch   Type = "boolean"
	Duration Type = "duration" // a string such as "15m"
	List     Type = "list"     // an array of strings
)

// Key is one setting.
type Key struct {
	Name    string   // with its table: "inference.threads"
	Type    Type     // of its value
	Help    string   // what it means, in full sentences
	Allowed string   // what it takes; completes "use …"
	Values  []string // those to choose from, nil where there are too many
	Secret  bool     // its value must not be shown unasked

	env      string                       // the variable's name where it is not made from Name
	standard any                          // the default
	field    func(*Config) any            // pointer to its place
	check    func(any) (any, string)      // canonical value, or what is wrong with it; nil takes all
	resolve  func(base, in string) string // what a relative path becomes; nil is no path
}

// Keys returns all settings, those of a table together.
func Keys() []Key { return slices.Clone(keys) }

// Find returns the key of that name.
func Find(name string) (Key, bool) {
	i := slices.IndexFunc(keys, func(k Key) bool { return k.Name == name })
	if i < 0 {
		return Key{}, false
	}
	return keys[i], true
}

// Env is the environment variable that overrules the file.
func (k Key) Env() string {
	if k.env != "" {
		return k.env
	}
	return "DRAGOMAN_" + strings.ToUpper(strings.ReplaceAll(k.Name, ".", "_"))
}

// Default is the default value as TOML writes it.
func (k Key) Default() string { return literal(k.standard) }

// table and name are the two parts of the key's name.
func (k Key) table() string { table, _, _ := strings.Cut(k.Name, "."); return table }
func (k Key) name() string  { _, name, _ := strings.Cut(k.Name, "."); return name }

// literal is the key's value in c as TOML writes it.
func (k Key) literal(c *Config) string { return literal(k.value(c)) }

func (k Key) value(c *Config) any {
	switch p := k.field(c).(type) {
	case *string:
		return *p
	case *int:
		return int64(*p)
	case *int64:
		return *p
	case *bool:
		return *p
	case *time.Duration:
		return *p
	case *[]string:
		return *p
	default:
		panic(fmt.Sprintf("%s: no setting is a %T", k.Name, p))
	}
}

// assign puts a value that was checked into c.
func (k Key) assign(c *Config, v any) {
	switch p := k.field(c).(type) {
	case *string:
		*p = v.(string)
	case *int:
		*p = int(v.(int64))
	case *int64:
		*p = v.(int64)
	case *bool:
		*p = v.(bool)
	case *time.Duration:
		*p = v.(time.Duration)
	case *[]string:
		*p = slices.Clone(v.([]string))
	default:
		panic(fmt.Sprintf("%s: no setting is a %T", k.Name, p))
	}
}

// relative resolves paths that count from the configuration file's folder.
func (k Key) relative(base string, v any) any {
	text, isText := v.(string)
	if k.resolve == nil || !isText || text == "" {
		return v
	}
	return k.resolve(base, text)
}

// Resolve returns a value that a person typed in the folder base with a relative
// path made absolute. Values that are no paths stay as they are.
func (k Key) Resolve(base, text string) string { return k.relative(base, text).(string) }

// tables are the names of the tables, in the order of the keys.
func tables() []string {
	var names []string
	for _, k := range keys {
		if !slices.Contains(names, k.table()) {
			names = append(names, k.table())
		}
	}
	return names
}

func anyPath(base, in string) string {
	if filepath.IsAbs(in) {
		return in
	}
	return filepath.Join(base, in)
}

// modelPath leaves the names of models alone.
func modelPath(base, in string) string {
	if !isPath(in) {
		return in
	}
	return anyPath(base, in)
}
