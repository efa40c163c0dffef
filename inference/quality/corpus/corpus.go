// Package corpus reads the parallel test sets that translations are measured
// on. It imports nothing of ours.
package corpus

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Languages are those that there are test sets for: the starter model's.
var Languages = strings.Fields("de en es fr it pt")

// ErrMissing is the error of a test set that cannot be used.
var ErrMissing = errors.New("cannot read the test set")

// Pair is sentences with a human translation each.
type Pair struct {
	From, To          string
	Set               string // "laser-tatoeba" or "pud"
	Source, Reference []string
}

// Read reads the first sentences of a pair: of laser-tatoeba where English is
// on one side, else of pud, whose sentences are the same in all languages.
func Read(dir, from, to string, sentences int) (Pair, error) {
	p := Pair{From: from, To: to, Set: "pud"}
	base := "pud"
	switch {
	case from == to:
		return p, fmt.Errorf("%w: %s to %s is no pair", ErrMissing, from, to)
	case from == "en":
		p.Set, base = "laser-tatoeba", "laser-tatoeba-"+to
	case to == "en":
		p.Set, base = "laser-tatoeba", "laser-tatoeba-"+from
	}
	var err error
	if p.Source, err = lines(dir, base+"."+from, sentences); err != nil {
		return p, err
	}
	if p.Reference, err = lines(dir, base+"."+to, sentences); err != nil {
		return p, err
	}
	if len(p.Source) != len(p.Reference) {
		return p, fmt.Errorf("%w: %d sentences and %d translations of %s", ErrMissing, len(p.Source), len(p.Reference), base)
	}
	return p, nil
}

func lines(dir, name string, most int) ([]string, error) {
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMissing, err)
	}
	all := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	return all[:min(most, len(all))], nil
}
