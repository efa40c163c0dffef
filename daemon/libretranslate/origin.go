package libretranslate

import (
	"fmt"
	"net/url"
	"strings"
)

// originPattern is an origin as browsers send it (RFC 6454, section 6.2), in
// lower case. With an empty host it is every origin of the scheme.
type originPattern struct{ scheme, host string }

// extensionSchemes are those of browsers' extensions. Only their hosts may be
// left open: an extension's is made up at installation (Firefox) and no page of
// the web can have it.
var extensionSchemes = map[string]bool{"moz-extension": true, "chrome-extension": true, "safari-web-extension": true}

func parseOrigin(text string) (originPattern, error) {
	scheme, host, found := strings.Cut(strings.ToLower(text), "://")
	if found && host == "*" && extensionSchemes[scheme] {
		return originPattern{scheme, ""}, nil
	}
	u, err := url.Parse(strings.ToLower(text))
	switch {
	case text == "*" || text == "null" || err != nil || u.Host == "" || strings.Contains(u.Host, "*"):
		return originPattern{}, fmt.Errorf("libretranslate: %q is no origin that can be allowed: write it as https://example.org, moz-extension://ID or moz-extension://*", text)
	case u.Scheme != "http" && u.Scheme != "https" && !extensionSchemes[u.Scheme]:
		return originPattern{}, fmt.Errorf("libretranslate: the origin %q is neither a web page's nor an extension's", text)
	case u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "":
		return originPattern{}, fmt.Errorf("libretranslate: the origin %q has more than scheme, host and port", text)
	}
	return originPattern{u.Scheme, withoutDefaultPort(u)}, nil
}

func withoutDefaultPort(u *url.URL) string {
	if u.Scheme == "http" && u.Port() == "80" || u.Scheme == "https" && u.Port() == "443" {
		return strings.TrimSuffix(u.Host, ":"+u.Port())
	}
	return u.Host
}

func (p originPattern) matches(origin string) bool {
	scheme, host, found := strings.Cut(strings.ToLower(origin), "://")
	return found && scheme == p.scheme && host != "" && (p.host == "" || host == p.host)
}
