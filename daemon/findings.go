package daemon

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"sync"

	"dragoman/inference/language"
)

// findingsKept is how many findings are remembered: one for each file that is
// under way, and a few texts.
const findingsKept = 16

// findings remember in which languages the last texts were found to be: a file is
// asked about once for each language that it is translated into. They keep
// checksums and no texts.
type findings struct {
	mu   sync.Mutex
	last []finding // the newest first
}

type finding struct {
	key   string
	found language.Finding
}

// of returns what detect finds for a text among some languages.
func (f *findings) of(text string, among []string, detect func(text string, among []string) language.Finding) language.Finding {
	sum := sha256.Sum256([]byte(text))
	key := hex.EncodeToString(sum[:]) + " " + strings.Join(among, " ")
	if found, known := f.find(key); known {
		return found
	}
	found := detect(text, among) // others need not wait for it
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last = append([]finding{{key, found}}, f.last[:min(len(f.last), findingsKept-1)]...)
	return found
}

func (f *findings) find(key string) (found language.Finding, known bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	at := slices.IndexFunc(f.last, func(r finding) bool { return r.key == key })
	if at < 0 {
		return found, false
	}
	return f.last[at].found, true
}
