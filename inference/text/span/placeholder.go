package span

import "strings"

// mostBrace is how long a placeholder in braces may be, in bytes: longer ones
// are text.
const mostBrace = 200

// braceLen returns the length of a placeholder in braces at text[i]: {0},
// {name}, {0:N2}, {{ user.name }}, {count, plural, one {# file} other {# files}}.
// Braces around words are text, unless they are doubled.
func (f *finder) braceLen(i int) int {
	s := f.text[i:min(len(f.text), i+mostBrace)]
	depth := 0
	for n := 0; n < len(s); n++ {
		switch s[n] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				if isBraced(s[1:n]) {
					return n + 1
				}
				return 0
			}
		case '\n':
			return 0
		}
	}
	return 0
}

func isBraced(inner string) bool {
	if strings.HasPrefix(inner, "{") || strings.HasPrefix(inner, "%") || strings.HasPrefix(inner, "#") {
		return true
	}
	inner = strings.Trim(inner, " ")
	n := nameLen(inner)
	if strings.HasPrefix(strings.TrimLeft(inner[n:], " "), ",") {
		kind, _, _ := strings.Cut(strings.Trim(inner[n:], " ,"), ",")
		switch strings.TrimSpace(kind) {
		case "plural", "select", "selectordinal", "number", "date", "time", "ordinal", "choice":
			return true
		}
	}
	return inner == "" || !strings.ContainsAny(inner, " \t{}")
}

// dollarLen returns the length of ${x}, $(NAME), $HOME or $name at text[i].
// Sums of money are no placeholders.
func (f *finder) dollarLen(i int) int {
	rest := f.text[i+1:]
	switch {
	case rest == "":
		return 0
	case rest[0] == '{':
		return plusOne(f.braceLen(i + 1))
	case rest[0] == '(':
		if n := nameLen(rest[1:]); n > 0 && strings.HasPrefix(rest[1+n:], ")") {
			return n + 3
		}
		return 0
	case f.inWord: // US$, A$
		return 0
	}
	n := nameLen(rest)
	if n > 0 && strings.HasPrefix(rest[n:], "$") { // $name$
		n++
	}
	return plusOne(n)
}

const conversions = "sdifuxXeEgGcpvqtoTb@"

// percentLen returns the length of a placeholder of printf's family, of
// %(name)s, %{x}, %VAR% or %% at text[i]. A digit before it makes it a per cent
// sign, unless it is that of another placeholder.
func percentLen(text string, i int) int {
	s := text[i:]
	if len(s) < 2 {
		return 0
	}
	switch s[1] {
	case '%':
		return 2
	case '{':
		if n := strings.IndexByte(s, '}'); n > 2 && n < mostBrace && !strings.ContainsAny(s[:n], " \n") {
			return n + 1
		}
		return 0
	case '(':
		n := 2 + nameLen(s[2:])
		if n == 2 || !strings.HasPrefix(s[n:], ")") {
			return 0
		}
		return conversionEnd(s, n+1)
	}
	if n := nameLen(s[1:]); n > 1 && strings.HasPrefix(s[1+n:], "%") && strings.ToUpper(s[1:1+n]) == s[1:1+n] {
		return n + 2 // %PATH%
	}
	if i > 0 && isDigit(text[i-1]) {
		return 0
	}
	return conversionEnd(s, 1)
}

// conversionEnd returns the end of a conversion whose flags begin at s[n], 0 if
// it is none.
func conversionEnd(s string, n int) int {
	for n < len(s) && strings.IndexByte("-+0#'123456789.*$", s[n]) >= 0 {
		n++
	}
	for n < len(s) && strings.IndexByte("hlLzjq", s[n]) >= 0 && n+1 < len(s) && strings.IndexByte(conversions, s[n+1]) >= 0 {
		n++
	}
	if n >= len(s) || strings.IndexByte(conversions, s[n]) < 0 {
		return 0
	}
	n++
	if n < len(s) && isASCIILetter(s[n]) && !unitFollows(s[n:]) {
		return 0 // "100 %sure"
	}
	return n
}

// unitFollows allows for units that stand right behind a placeholder: %dpx.
func unitFollows(s string) bool {
	n := 0
	for n < len(s) && isASCIILetter(s[n]) {
		n++
	}
	return n <= 2 || units[s[:n]]
}

// colonLen returns the length of :name, as in database queries and routes, or
// of :smile:. It stands after a space or a sign.
func colonLen(s string, inWord bool) int {
	if inWord || len(s) < 2 {
		return 0
	}
	n := nameLen(s[1:])
	if n < 2 || strings.ToLower(s[1:1+n]) != s[1:1+n] {
		return 0
	}
	if strings.HasPrefix(s[1+n:], ":") {
		n++
	}
	return n + 1
}

// doubledLen returns the length of __count__ or @@name@@ at the beginning of s.
func doubledLen(s, mark string) int {
	if !strings.HasPrefix(s, mark) {
		return 0
	}
	rest := s[len(mark):]
	n := strings.Index(rest[:min(len(rest), 64)], mark)
	if n < 1 || nameLen(rest[:n]) != n && strings.Trim(rest[:n], "0123456789") != "" {
		return 0
	}
	return n + 2*len(mark)
}
