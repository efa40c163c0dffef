package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"dragoman/inference/sentencepiece"
)

// The files of a checkpoint folder that concern the tokenizer. Only the first
// two must be there.
const (
	piecesFile     = "sentencepiece.bpe.model"
	vocabularyFile = "vocab.json"
	tokenizerFile  = "tokenizer_config.json"
	addedFile      = "added_tokens.json"
	modelFile      = "config.json"
)

// Files are the files of a checkpoint that say how its text is numbered.
var Files = []string{piecesFile, vocabularyFile, tokenizerFile, addedFile}

// Load reads the tokenizer of the Hugging Face checkpoint in dir:
// sentencepiece.bpe.model and vocab.json, which must be there, and where they
// are there tokenizer_config.json (language_codes, num_madeup_words, and
// trained_languages, dragoman's own key: the languages the model was trained on
// where they are not all it has tokens for), added_tokens.json (languages beyond
// the known ones) and config.json (vocab_size, and _name_or_path).
//
// A model is taken for one of SMaLL-100's kind, with the target language's token in
// the encoder, where tokenizer_class is SMALL100Tokenizer, or where _name_or_path,
// which converters and trainers leave, ends in small100: the published model and
// those that were trained from it have one or the other.
//
// Errors name the file and the place in it.
func Load(dir string) (*Tokenizer, error) {
	t, err := load(dir)
	if err != nil {
		return nil, fmt.Errorf("load tokenizer: %w: fetch the model's files again, or name another model", err)
	}
	return t, nil
}

func load(dir string) (*Tokenizer, error) {
	t := &Tokenizer{}
	var piecesErr, vocabErr error
	// Each of the two large files takes about the same time, and both count
	// into the time to the first translation.
	var loads sync.WaitGroup
	loads.Go(func() { t.pieces, piecesErr = sentencepiece.Load(filepath.Join(dir, piecesFile)) })
	loads.Go(func() { t.vocab, vocabErr = loadVocabulary(filepath.Join(dir, vocabularyFile)) })
	config, configErr := loadConfiguration(dir)
	loads.Wait()
	if err := errors.Join(piecesErr, vocabErr, configErr); err != nil {
		return nil, err
	}
	if err := t.setSpecials(); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, vocabularyFile), err)
	}
	if err := t.mapPieces(); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, vocabularyFile), err)
	}
	t.targetFirst = config.targetFirst
	if err := t.setLanguages(config); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return t, nil
}

func loadVocabulary(path string) (*vocabulary, error) {
	data, err := readString(path)
	if err != nil {
		return nil, fmt.Errorf("read vocabulary: %w", err)
	}
	v, err := parseVocabulary(data)
	if err != nil {
		return nil, fmt.Errorf("read vocabulary %s: %w", path, err)
	}
	return v, nil
}

// readString reads a file without the copy that converting its bytes costs.
func readString(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if info.Size() > maxVocabularyFile {
		return "", fmt.Errorf("%s has %d bytes, more than any vocabulary", path, info.Size())
	}
	var data strings.Builder
	data.Grow(int(info.Size()))
	if _, err := io.Copy(&data, f); err != nil {
		return "", err
	}
	return data.String(), nil
}

// setSpecials finds the four tokens that every M2M-100 vocabulary has.
func (t *Tokenizer) setSpecials() error {
	specials := map[string]*int32{"<s>": &t.bos, "<pad>": &t.pad, "</s>": &t.eos, "<unk>": &t.unknown}
	// They are the first four entries of every vocabulary known, but nothing
	// says that they must be.
	for id := int32(0); int(id) < t.vocab.size() && len(specials) > 0; id++ {
		if to, ok := specials[t.vocab.entry(id)]; ok {
			*to = id
			delete(specials, t.vocab.entry(id))
		}
	}
	for token := range specials {
		return fmt.Errorf("the token %s is missing: this is not the vocabulary of an M2M-100 model", token)
	}
	return nil
}

// mapPieces joins the two files by the text of their entries.
func (t *Tokenizer) mapPieces() error {
	const none = -1
	t.ofPiece = slices.Repeat([]int32{none}, t.pieces.Size())
	t.ofText = make(map[string]int32)
	for id := int32(0); int(id) < t.vocab.size(); id++ {
		text := t.vocab.entry(id)
		first, twice := int32(none), false
		if piece, ok := t.pieces.Lookup(text); ok {
			first, twice = t.ofPiece[piece], t.ofPiece[piece] != none
			t.ofPiece[piece] = id
		} else {
			first, twice = t.ofText[text]
			t.ofText[text] = id
		}
		if twice {
			return fmt.Errorf("tokens %d and %d have the same text", first, id)
		}
	}
	// Text never becomes a special token.
	for _, id := range []int32{t.bos, t.pad, t.eos} {
		text := t.vocab.entry(id)
		delete(t.ofText, text)
		if piece, ok := t.pieces.Lookup(text); ok {
			t.ofPiece[piece] = t.unknown
		}
	}
	for i, id := range t.ofPiece {
		if id == none {
			t.ofPiece[i] = t.unknown
		}
	}
	return nil
}

// configuration is what the checkpoint's small files say.
type configuration struct {
	languageCodes    string
	madeUpWords      int
	trainedLanguages []string
	addedTokens      map[string]int32
	vocabSize        int // 0: not said
	targetFirst      bool
}

func loadConfiguration(dir string) (*configuration, error) {
	tokenizer := struct {
		LanguageCodes    string   `json:"language_codes"`
		MadeUpWords      int      `json:"num_madeup_words"`
		TrainedLanguages []string `json:"trained_languages"`
		Class            string   `json:"tokenizer_class"`
	}{LanguageCodes: "m2m100", MadeUpWords: 8}
	var model struct {
		VocabSize int    `json:"vocab_size"`
		Origin    string `json:"_name_or_path"`
	}
	added := make(map[string]int32)
	for file, to := range map[string]any{tokenizerFile: &tokenizer, modelFile: &model, addedFile: &added} {
		data, err := os.ReadFile(filepath.Join(dir, file))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read tokenizer configuration: %w", err)
		}
		if err := json.Unmarshal(data, to); err != nil {
			return nil, fmt.Errorf("read tokenizer configuration %s: %w", filepath.Join(dir, file), err)
		}
	}
	if min(tokenizer.MadeUpWords, model.VocabSize) < 0 || max(tokenizer.MadeUpWords, model.VocabSize) > maxVocabulary {
		return nil, fmt.Errorf("read tokenizer configuration in %s: num_madeup_words %d and vocab_size %d must be from 0 to %d",
			dir, tokenizer.MadeUpWords, model.VocabSize, maxVocabulary)
	}
	return &configuration{
		languageCodes:    tokenizer.LanguageCodes,
		madeUpWords:      tokenizer.MadeUpWords,
		trainedLanguages: tokenizer.TrainedLanguages,
		addedTokens:      added,
		vocabSize:        model.VocabSize,
		targetFirst:      tokenizer.Class == "SMALL100Tokenizer" || strings.HasSuffix(model.Origin, "small100"),
	}, nil
}

// maxVocabularyFile bounds the memory that a wrong file can take, in bytes.
const maxVocabularyFile = 1 << 28

// maxVocabulary is far above any vocabulary known; a larger number is a broken
// file, and would be believed with gigabytes.
const maxVocabulary = 1 << 24
