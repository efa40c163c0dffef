package libretranslate

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// admit says whether a request may come in at all, before anything of it is
// read. It sets the headers that let an allowed origin read the answer, and
// none for others.
func (h *Handler) admit(w http.ResponseWriter, r *http.Request) error {
	if !h.ours(r.Host) {
		// A name that an attacker lets point here (DNS rebinding) makes his page
		// same-origin for the browser; the Host gives it away.
		return failure{http.StatusForbidden, "this host name is not served: use 127.0.0.1 or localhost, or add the name to libretranslate.hosts"}
	}
	origins := r.Header.Values("Origin")
	if len(origins) > 1 {
		return failure{http.StatusBadRequest, "more than one Origin"}
	}
	if len(origins) == 1 {
		if !h.allowed(origins[0]) {
			return failure{http.StatusForbidden, "this origin may not ask: add it to libretranslate.origins if you trust it"}
		}
		w.Header().Set("Access-Control-Allow-Origin", origins[0])
		return nil
	}
	// Some requests of pages carry no Origin (images, forms by GET, no-cors);
	// browsers mark them since 2020 to 2023. Same-site is no comfort here: to
	// them every port of localhost is the same site.
	switch site := r.Header.Get("Sec-Fetch-Site"); site {
	case "", "none", "same-origin":
	default:
		return failure{http.StatusForbidden, "a page of the web may not ask: add its origin to libretranslate.origins if you trust it"}
	}
	if r.Method == http.MethodOptions {
		return failure{http.StatusForbidden, "OPTIONS is for browsers, which name their Origin"}
	}
	return nil
}

// preflight answers the question that a browser asks before the request of an
// allowed origin (Fetch standard, section 3.2.2).
func (h *Handler) preflight(w http.ResponseWriter, method string) {
	header := w.Header()
	header.Set("Access-Control-Allow-Methods", method)
	header.Set("Access-Control-Allow-Headers", "Authorization, Content-Type")
	header.Set("Access-Control-Allow-Private-Network", "true")
	header.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
}

func (h *Handler) allowed(origin string) bool {
	return slices.ContainsFunc(h.origins, func(p originPattern) bool { return p.matches(origin) })
}

// ours says whether host, of a Host header, is this machine. An address cannot
// be rebound, so every one of the loopback is.
func (h *Handler) ours(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = canonicalHost(host)
	if ip, err := netip.ParseAddr(host); err == nil && ip.IsLoopback() {
		return true
	}
	return host == "localhost" || h.hosts[host]
}

func canonicalHost(host string) string {
	return strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"))
}
