package hub

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"

	"dragoman/internal/english"
)

// Sum is a checksum with its kind: "sha256:…" of the content, or "git:…" of git's
// blob object (SHA-1 of "blob", the length and the content), which is what the hub
// has of small files.
type Sum string

const (
	kindSHA256 = "sha256"
	kindGit    = "git"
)

func sha256Sum(hexadecimal string) Sum { return Sum(kindSHA256 + ":" + strings.ToLower(hexadecimal)) }
func gitSum(hexadecimal string) Sum    { return Sum(kindGit + ":" + strings.ToLower(hexadecimal)) }

// check tells whether the sum can be one.
func (s Sum) check() error {
	kind, digits, _ := strings.Cut(string(s), ":")
	want := map[string]int{kindSHA256: sha256.Size, kindGit: sha1.Size}[kind]
	if raw, err := hex.DecodeString(digits); err != nil || want == 0 || len(raw) != want {
		return fmt.Errorf("%q is no checksum of a kind that dragoman knows", english.Short(string(s), shownName))
	}
	return nil
}

// hash begins to sum up content of size bytes.
func (s Sum) hash(size int64) hash.Hash {
	if strings.HasPrefix(string(s), kindGit+":") {
		h := sha1.New()
		fmt.Fprintf(h, "blob %d\x00", size)
		return h
	}
	return sha256.New()
}

// is tells whether h has summed up the content that s stands for.
func (s Sum) is(h hash.Hash) bool {
	_, digits, _ := strings.Cut(string(s), ":")
	return hex.EncodeToString(h.Sum(nil)) == digits
}
