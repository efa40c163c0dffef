// Package fidelity measures what quantising takes from a model: how near its
// translations of a few sentences are to those of its own float weights. It says
// nothing of how good either is. What was measured is kept in the model's folder.
//
// It owns the sentences and the file, and must not import anything of ours outside
// inference.
package fidelity

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"dragoman/inference"
	"dragoman/inference/bench/chrf"
)

// Name is the file in a model's folder.
const Name = "dragoman-fidelity.json"

// Result is what was measured of a model's weights in one format.
type Result struct {
	Weights   string    `json:"weights"` // such as int8
	Key       string    `json:"key"`     // of the checkpoint's content
	Languages []string  `json:"languages"`
	Sentences int       `json:"sentences"` // into all languages together
	Same      int       `json:"same"`      // that are the same as with float weights
	ChrF      float64   `json:"chrf"`      // with the translations of the float weights as references, 0 to 100
	Measured  time.Time `json:"measured"`
}

// sentences are short and long ones, with numbers, names and questions.
var sentences = []string{
	"The house is big.",
	"Where is the station?",
	"I would like to reserve a table for four people at eight o'clock.",
	"The meeting was moved from Tuesday to Thursday, because two colleagues are on holiday.",
	"Please send the signed contract back by 31 March 2027.",
	"My brother has lived in a small town near the sea for twelve years.",
	"It rained the whole night, and in the morning the river had risen by half a metre.",
	"Do not open the window while the machine is running.",
	"She said that she had never read a better book about the history of the city.",
	"The price rose by 7.5 percent last year.",
	"Good morning!",
	"If you have any questions, write to us and we will answer within two days.",
	"The children were playing in the garden when the first guests arrived.",
	"This medicine must be kept in the refrigerator.",
	"Nobody knew why the lights had gone out.",
	"We will meet in front of the museum, and then we will have lunch together.",
}

// into are the languages that are translated into, as far as a model has them.
var into = []string{"de", "fr", "es", "ru", "zh"}

// most is how many of them are taken.
const most = 3

// Measure translates the sentences with the weights of o.Recipe and with float ones.
// step, where not nil, is told how many of all translations are done. One
// model is closed before the other is opened.
func Measure(ctx context.Context, o inference.Options, step func(done, of int)) (Result, error) {
	r := Result{Weights: o.Recipe, Measured: time.Now().UTC().Truncate(time.Second)}
	if step == nil {
		step = func(int, int) {}
	}
	o.Encoder, o.Decoder, o.Acceleration = "CPU", "CPU", inference.Acceleration{}
	// The float weights take much room, and are needed once.
	scratch, remove, err := o.Cache.Scratch()
	if err != nil {
		return Result{}, fmt.Errorf("measure the model in %s: %w", o.ModelDir, err)
	}
	defer func() { _ = remove() }() // what stays goes with the next one
	caches := [2]inference.Cache{o.Cache, scratch}
	var texts [2][]string
	for i, weights := range []string{o.Recipe, "f32"} { // a format that is none fails at once
		o.Recipe, o.Cache = weights, caches[i]
		err := r.translate(ctx, o, &texts[i], func(n, of int) { step(i*of+n, 2*of) })
		if err != nil {
			return Result{}, fmt.Errorf("measure the model in %s with %s weights: %w", o.ModelDir, weights, err)
		}
	}
	for i := range texts[0] {
		if texts[0][i] == texts[1][i] {
			r.Same++
		}
	}
	r.Sentences = len(texts[0])
	r.ChrF, err = chrf.Corpus(texts[0], texts[1])
	return r, err
}

func (r *Result) translate(ctx context.Context, o inference.Options, texts *[]string, step func(done, of int)) (err error) {
	t, err := inference.Open(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	if r.Key, err = t.ModelKey(); err != nil {
		return err
	}
	r.Languages = nil
	for _, lang := range into {
		if slices.Contains(t.Languages(), lang) && len(r.Languages) < most {
			r.Languages = append(r.Languages, lang)
		}
	}
	if len(r.Languages) == 0 || !slices.Contains(t.Languages(), "en") {
		return errors.New("the model has none of the languages that are measured")
	}
	for _, lang := range r.Languages {
		for _, s := range sentences {
			got, err := t.Translate(ctx, inference.Request{Text: s, From: "en", To: lang})
			if err != nil {
				return err
			}
			*texts = append(*texts, got.Text)
			step(len(*texts), len(r.Languages)*len(sentences))
		}
	}
	return nil
}

// CheckKept tells whether what is measured of the model in dir can be kept there,
// so that nothing is measured in vain.
func CheckKept(dir string) error {
	if _, err := Read(dir); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, Name+"-*")
	if err == nil {
		err = errors.Join(f.Close(), os.Remove(f.Name()))
	}
	if err != nil {
		return fmt.Errorf("what is measured is kept with the model, whose folder cannot be written: %w", err)
	}
	return nil
}

// Write keeps a result in the model's folder, in the place of an older one of the
// same weights.
func (r Result) Write(dir string) error {
	all, err := Read(dir)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(old Result) bool { return old.Weights == r.Weights })
	text, err := json.MarshalIndent(append(all, r), "", " ")
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, Name+"-*")
	if err == nil {
		_, err = f.Write(append(text, '\n'))
		err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close())
	}
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, Name))
	}
	if err != nil && f != nil {
		_ = os.Remove(f.Name())
	}
	if err != nil {
		return fmt.Errorf("keep what was measured: %w", err)
	}
	return nil
}

// Read returns what was measured of the model in dir, nothing where nothing was.
func Read(dir string) (all []Result, err error) {
	text, err := os.ReadFile(filepath.Join(dir, Name))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("read %s: %w: remove this file and measure again", filepath.Join(dir, Name), err)
	}
	return all, nil
}
