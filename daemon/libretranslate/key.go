package libretranslate

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
)

// MinKey is the least number of characters of an API key.
const MinKey = 16

// NewKey makes an API key of 130 random bits: 26 letters and digits.
func NewKey() string { return strings.ToLower(rand.Text()) }

// maxWrongKeys is how many wrong keys a connection may bring before it is
// closed.
const maxWrongKeys = 5

// secret compares keys by their hashes, which takes as long for any key of the
// same length and tells nothing about ours.
type secret [sha256.Size]byte

func newSecret(key string) secret { return sha256.Sum256([]byte(key)) }

func (s secret) is(key string) bool {
	other := sha256.Sum256([]byte(key))
	return subtle.ConstantTimeCompare(s[:], other[:]) == 1
}

type wrongKeys struct{}

// countWrongKeys gives each connection its own count (http.Server.ConnContext).
func countWrongKeys(ctx context.Context, _ net.Conn) context.Context {
	return context.WithValue(ctx, wrongKeys{}, new(atomic.Int32))
}

// checkKey says what is wrong with the key of a request. The statuses are
// LibreTranslate's: 400 without a key, 403 with a wrong one.
func (h *Handler) checkKey(w http.ResponseWriter, r *http.Request, key string) error {
	if key == "" {
		return failure{http.StatusBadRequest, "an API key is needed: see libretranslate.api_key in the settings, or the file libretranslate.key"}
	}
	count, counted := r.Context().Value(wrongKeys{}).(*atomic.Int32)
	if counted && count.Load() >= maxWrongKeys {
		w.Header().Set("Connection", "close")
		return failure{http.StatusTooManyRequests, "too many wrong API keys"}
	}
	if !h.key.is(key) {
		if counted {
			count.Add(1)
		}
		return failure{http.StatusForbidden, "wrong API key"}
	}
	return nil
}

// keyOutsideBody is the key where a request can be refused before its body is
// read: in the query or the Authorization header, of the kind Bearer.
func keyOutsideBody(r *http.Request) string {
	if kind, key, found := strings.Cut(r.Header.Get("Authorization"), " "); found && strings.EqualFold(kind, "Bearer") {
		return strings.TrimSpace(key)
	}
	return r.URL.Query().Get("api_key")
}
