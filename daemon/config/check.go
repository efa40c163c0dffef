package config

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A check gets a value of its key's type and returns the canonical one, or what
// is wrong with it, to be read after the value.

func oneOf(values []string, orEmpty bool) func(any) (any, string) {
	return func(v any) (any, string) {
		text := v.(string)
		if text == "" && orEmpty {
			return text, ""
		}
		i := slices.IndexFunc(values, func(known string) bool { return strings.EqualFold(known, text) })
		if i < 0 {
			return nil, "is not among the choices"
		}
		return values[i], ""
	}
}

func between(low, high int64) func(any) (any, string) {
	return func(v any) (any, string) {
		if n := v.(int64); n < low || n > high {
			return nil, "is out of range"
		}
		return v, ""
	}
}

func within(low, high time.Duration) func(any) (any, string) {
	return func(v any) (any, string) {
		if d := v.(time.Duration); d < low || d > high {
			return nil, "is out of range"
		}
		return v, ""
	}
}

func each(check func(string) (string, string)) func(any) (any, string) {
	return func(v any) (any, string) {
		checked := []string{}
		for _, item := range v.([]string) {
			good, problem := check(item)
			if problem != "" {
				return nil, fmt.Sprintf("has an entry that cannot be: %q %s", item, problem)
			}
			if !slices.Contains(checked, good) {
				checked = append(checked, good)
			}
		}
		return checked, ""
	}
}

// groupPattern is what shadow's groupadd takes, with upper case and dots as
// directories of companies have them.
var groupPattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]{0,62}\$?$`)

func groupName(v any) (any, string) {
	if name := v.(string); name != "" && !groupPattern.MatchString(name) {
		return nil, "cannot be a group's name"
	}
	return v, ""
}

// loopback takes only what nobody outside this machine can reach. A name other
// than localhost may lead anywhere, and elsewhere tomorrow.
func loopback(v any) (any, string) {
	address := v.(string)
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, "is not a host and a port"
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return nil, "has no port from 0 to 65535"
	}
	if strings.EqualFold(host, "localhost") {
		host = "localhost"
	} else {
		ip, err := netip.ParseAddr(host)
		switch {
		case host == "" || err == nil && ip.Unmap().IsUnspecified():
			return nil, "would serve everyone on the network"
		case err != nil:
			return nil, "names a host that may lead away from this machine"
		case !ip.Unmap().IsLoopback():
			return nil, "can be reached from the network"
		}
		host = ip.String()
	}
	return net.JoinHostPort(host, strconv.FormatUint(n, 10)), ""
}

// address takes the base of URLs. "" is none.
func address(v any) (any, string) {
	text := v.(string)
	if text == "" {
		return v, ""
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" {
		return nil, "is not such an address"
	}
	if u.RawQuery != "" || u.Fragment != "" {
		return nil, "has more than a host and a path"
	}
	return strings.TrimRight(text, "/"), ""
}

// Bounds of an API key: shorter ones can be guessed, longer ones do not fit
// into what clients store.
const minSecret, maxSecret = 16, 256

func secret(v any) (any, string) {
	key := v.(string)
	if key == "" {
		return v, ""
	}
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, "has a character that does not pass through every program"
	}
	if len(key) < minSecret || len(key) > maxSecret {
		return nil, fmt.Sprintf("has %d characters", len(key))
	}
	return v, ""
}

// originSchemes are those of web pages and of browsers' extensions.
var originSchemes = []string{"http", "https", "chrome-extension", "moz-extension", "safari-web-extension"}

// origin follows the serialisation of RFC 6454 section 6.2: scheme and host in
// lower case, no path, no port where it is the scheme's own.
func origin(text string) (string, string) {
	switch text {
	case "*":
		return "", "would let every page of the web read what is translated"
	case "null":
		return "", "is what any sandboxed page claims to be"
	}
	u, err := url.Parse(text)
	if err != nil || !slices.Contains(originSchemes, strings.ToLower(u.Scheme)) || u.Hostname() == "" {
		return "", "is not an origin"
	}
	if u.User != nil || u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.Fragment != "" || u.ForceQuery {
		return "", "has more than scheme, host and port"
	}
	scheme, host := strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	host = strings.TrimSuffix(host, ":")
	if port := u.Port(); port == "80" && scheme == "http" || port == "443" && scheme == "https" {
		host = strings.TrimSuffix(host, ":"+port)
	}
	if _, problem := hostName(u.Hostname()); problem != "" {
		return "", "is not an origin"
	}
	return scheme + "://" + host, ""
}

// hostPattern is a name of RFC 1123 with the underscores that local networks use.
var hostPattern = regexp.MustCompile(`^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$`)

func hostName(text string) (string, string) {
	host := strings.ToLower(strings.TrimSuffix(text, "."))
	if ip, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return ip.String(), ""
	}
	if len(host) > 253 || !hostPattern.MatchString(host) {
		return "", "is not the name of a host"
	}
	return host, ""
}

// alternatives joins values for a sentence.
func alternatives(values []string) string {
	last := len(values) - 1
	return strings.Join(values[:last], ", ") + " or " + values[last]
}

// languagePattern is what the models call languages: two or three letters, and
// a region where a family of models has several.
var languagePattern = regexp.MustCompile(`^[a-z]{2,3}([_-][A-Za-z]{2,4})?$`)

func languageCode(v any) (any, string) {
	if code := v.(string); code != "" && !languagePattern.MatchString(code) {
		return nil, "is no language's code"
	}
	return v, ""
}

func programName(name string) (string, string) {
	if name == "" || strings.ContainsAny(name, `/\`) {
		return "", "is not the name of a program's file without its folder"
	}
	return name, ""
}

func modelChoice(name string) (string, string) {
	if strings.TrimSpace(name) == "" {
		return "", "is empty"
	}
	return name, ""
}
