package config

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// literal is a value as TOML writes it, on one line.
func literal(v any) string {
	switch v := v.(type) {
	case string:
		return quote(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case bool:
		return strconv.FormatBool(v)
	case time.Duration:
		return quote(shortDuration(v))
	case []string:
		items := make([]string, len(v))
		for i, item := range v {
			items[i] = quote(item)
		}
		return "[" + strings.Join(items, ", ") + "]"
	default:
		panic(fmt.Sprintf("no setting is a %T", v))
	}
}

// quote prefers TOML's literal strings where a basic one would need escapes, so
// that Windows' paths stay readable.
func quote(s string) string {
	plain := !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7F || r == '\'' })
	if plain && strings.ContainsAny(s, `\"`) {
		return "'" + s + "'"
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7F:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// shortDuration leaves out the zeros that time.Duration writes: 15m, not 15m0s.
func shortDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// fromTOML takes a value as the TOML library decodes it.
func (k Key) fromTOML(v any) (any, error) {
	typed, ok := k.convert(v)
	if !ok {
		return nil, k.refuse(shown(v), "is not "+k.Type.article())
	}
	return k.checked(typed, shown(v))
}

func (k Key) convert(v any) (any, bool) {
	switch k.Type {
	case Text:
		s, ok := v.(string)
		return s, ok
	case Number:
		n, ok := v.(int64)
		return n, ok
	case Switch:
		b, ok := v.(bool)
		return b, ok
	case Duration:
		s, ok := v.(string)
		if !ok {
			return nil, false
		}
		d, err := time.ParseDuration(s)
		return d, err == nil
	case List:
		items, ok := v.([]any)
		if !ok {
			return nil, false
		}
		list := []string{}
		for _, item := range items {
			s, ok := item.(string)
			if !ok {
				return nil, false
			}
			list = append(list, s)
		}
		return list, true
	}
	return nil, false
}

// fromText takes a value as a person types it and as environment variables hold
// it: strings without quotes, lists with commas or as TOML's arrays.
func (k Key) fromText(text string) (any, error) {
	var v any = text
	problem := ""
	switch k.Type {
	case Number:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			problem = "is not a whole number"
		}
		v = n
	case Switch:
		v = text == "true"
		if text != "true" && text != "false" {
			problem = "is neither true nor false"
		}
	case List:
		if strings.HasPrefix(strings.TrimSpace(text), "[") {
			return k.fromLiteral(text)
		}
		items := []any{}
		for item := range strings.SplitSeq(text, ",") {
			if item = strings.TrimSpace(item); item != "" {
				items = append(items, item)
			}
		}
		v = items
	}
	if problem != "" {
		return nil, k.refuse(strconv.Quote(text), problem)
	}
	return k.fromTOML(v)
}

// fromLiteral takes a value as TOML writes it, and nothing besides it.
func (k Key) fromLiteral(text string) (any, error) {
	d, err := parseDocument([]byte("value = " + text))
	if err != nil || len(d.entries) != 1 || len(d.headers) > 0 {
		return nil, k.refuse(strconv.Quote(text), "is not one value of TOML")
	}
	return k.fromTOML(d.values["value"])
}

func (k Key) checked(v any, shown string) (any, error) {
	if k.check == nil {
		return v, nil
	}
	good, problem := k.check(v)
	if problem != "" {
		return nil, k.refuse(shown, problem)
	}
	return good, nil
}

func (k Key) refuse(shown, problem string) error {
	if k.Secret {
		shown = "the value"
	}
	return fmt.Errorf("%s %s: use %s", shown, problem, k.Allowed)
}

// Parse takes a value as a person types it, such as 15m or a,b, and returns it
// as TOML writes it. An error says what is allowed.
func (k Key) Parse(text string) (string, error) {
	v, err := k.fromText(text)
	if err != nil {
		return "", fmt.Errorf("%s: %w", k.Name, err)
	}
	return literal(v), nil
}

func (t Type) article() string {
	switch t {
	case Number:
		return "a whole number"
	case Switch:
		return "true or false"
	case Duration:
		return "a duration"
	case List:
		return "a list of strings"
	}
	return "a string"
}

// shown is a decoded value for an error.
func shown(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case []any:
		parts := make([]string, len(v))
		for i, item := range v {
			parts[i] = shown(item)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case map[string]any:
		return "a table"
	case time.Time, toml.LocalDate, toml.LocalTime, toml.LocalDateTime:
		return "a date or time"
	}
	return fmt.Sprint(v)
}

// plain is a value without TOML's quotes, for scripts; lists have a line an entry.
func plain(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case time.Duration:
		return shortDuration(v)
	case []string:
		return strings.Join(v, "\n")
	}
	return literal(v)
}
