package m2m100

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"dragoman/inference/m2m100/host"
	"dragoman/inference/m2m100/tokenizer"
	"dragoman/inference/model"
)

// Weights of four bits are rounded for what the model itself says: it translates
// sentences into its languages, then those translations into other ones. So the text
// is in all languages of whatever model, and no test set is among it.
//
// calibrationText was written for this, under the program's licence.
//
//go:embed calibration.txt
var calibrationText string

// calibrationTokens is how many tokens of outputs there are to be, about: of a
// quarter of them less is learned, of more hardly more (docs/performance.md).
const calibrationTokens = 12_000

// calibrates tells whether a recipe's four-bit weights are rounded by a calibration.
func (r Recipe) calibrates(c model.Config) bool {
	return r.Host && r.Decoder == Int4 && r.Encoder == Int8 && host.EncoderServes(c)
}

// calibrate makes the calibration of a checkpoint whose encoder is written: nil where
// it has no words to say anything in.
func calibrate(ctx context.Context, c *model.Checkpoint, encoder func(key string) ([]byte, error), forbid []int32, threads int, p *preparation) (*host.Calibration, error) {
	words, err := tokenizer.Load(c.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	t, err := openCalibrator(c, encoder, forbid, threads)
	if err != nil {
		return nil, err
	}
	defer t.close()
	t.progress = func(tokens int) error {
		p.calibrated(tokens)
		return ctx.Err()
	}
	if err := t.translateAll(words); err != nil {
		return nil, err
	}
	layers := c.Config.DecoderLayers
	part := 0 // of a token
	return host.Calibrate(c, encoder, t.examples, threads, func(rows int) error {
		part += rows
		p.calibrated(part / layers)
		part %= layers
		return ctx.Err()
	}), nil
}

// calibrationSource is a sentence that is to be translated.
type calibrationSource struct {
	tokens   []int32 // as the encoder takes them
	language string  // of the output
}

// calibrationSources are English sentences for every language in turn.
func calibrationSources(words *tokenizer.Tokenizer) (all []calibrationSource, err error) {
	const english = "en"
	languages := slices.DeleteFunc(words.Languages(), func(l string) bool { return l == english })
	if _, ok := words.LanguageID(english); !ok || len(languages) == 0 {
		return nil, nil
	}
	for pass := range 5 {
		line := 0
		for text := range strings.Lines(calibrationText) {
			to := languages[(pass+line)%len(languages)]
			line++
			source, err := words.Encode(words.SourceLanguage(english, to), strings.TrimSpace(text))
			if err != nil {
				return nil, err
			}
			all = append(all, calibrationSource{source, to})
		}
	}
	return all, nil
}

// calibrator makes examples: it translates with weights of eight bits, in memory.
type calibrator struct {
	checkpoint *model.Checkpoint
	table      *embedding
	encoder    *host.Encoder
	decoder    *host.Model
	rows       [waveRows]struct {
		*host.Sequence
		cross []host.Cross
	}
	examples []host.Example
	tokens   int
	// progress is told of tokens of examples, and may end it with an error.
	progress func(tokens int) error
}

func openCalibrator(c *model.Checkpoint, encoder func(key string) ([]byte, error), forbid []int32, threads int) (t *calibrator, err error) {
	t = &calibrator{checkpoint: c}
	if t.table, err = newEmbedding(c); err != nil {
		return nil, err
	}
	size, err := host.Size(c, host.Int8)
	if err != nil {
		return nil, err
	}
	var weights bytes.Buffer
	weights.Grow(size) // which would take up to three times as much as it grows
	if err := host.Write(&weights, c, host.Int8, nil, threads); err != nil {
		return nil, err
	}
	if t.encoder, err = host.OpenEncoder(encoder, c.Config, threads); err != nil {
		return nil, err
	}
	if t.decoder, err = host.Open(weights.Bytes(), c, host.Int8, forbid, threads); err != nil {
		t.encoder.Close()
		return nil, err
	}
	for i := range t.rows {
		t.rows[i].Sequence, t.rows[i].cross = t.decoder.NewSequence(), make([]host.Cross, c.Config.DecoderLayers)
	}
	return t, nil
}

func (t *calibrator) close() {
	t.encoder.Close()
	t.decoder.Close()
}

// translateAll works wave by wave: every second one is of translations of the one
// before.
func (t *calibrator) translateAll(words *tokenizer.Tokenizer) error {
	all, err := calibrationSources(words)
	if err != nil {
		return err
	}
	for wave := range slices.Chunk(all, waveRows) {
		outputs, err := t.translate(words, wave)
		if err != nil {
			return err
		}
		var back []calibrationSource
		for i, s := range wave {
			to := "en"
			if other := wave[(i+1)%len(wave)].language; i%2 == 1 && other != s.language {
				to = other
			}
			first, _ := words.LanguageID(words.SourceLanguage(s.language, to))
			source := append(append([]int32{first}, outputs[i]...), words.EOS())
			back = append(back, calibrationSource{source, to})
		}
		if _, err := t.translate(words, back); err != nil {
			return err
		}
		if t.tokens >= calibrationTokens {
			return nil
		}
	}
	return nil
}

// translate makes an example of each source and returns their outputs.
func (t *calibrator) translate(words *tokenizer.Tokenizer, wave []calibrationSource) ([][]int32, error) {
	d := t.table.width()
	var sources []host.Source
	for i, s := range wave {
		data := make([]float32, len(s.tokens)*d)
		if err := t.table.lookUpAll(data, s.tokens, 0); err != nil {
			return nil, err
		}
		sources = append(sources, host.Source{Embeddings: data, Rows: len(s.tokens), Out: t.rows[i].cross})
	}
	if err := t.encoder.Encode(sources...); err != nil {
		return nil, err
	}
	outputs := make([][]int32, len(wave))
	starts := make([]int, len(wave)) // tokens before the output's first
	for i, s := range wave {
		copy(sources[i].Embeddings, t.encoder.Hidden(i, len(s.tokens)))
		language, _ := words.DecoderLanguage(s.language)
		outputs[i] = decoder{config: t.checkpoint.Config}.start(language)
		starts[i] = len(outputs[i])
	}
	if err := t.generate(wave, outputs, starts); err != nil {
		return nil, err
	}
	before := t.tokens
	for i := range wave {
		x := host.Example{Output: make([]float32, len(outputs[i])*d), Source: sources[i].Embeddings}
		if err := t.table.lookUpAll(x.Output, outputs[i], 0); err != nil {
			return nil, err
		}
		t.examples = append(t.examples, x)
		t.tokens += len(outputs[i])
		outputs[i] = outputs[i][starts[i]:]
	}
	return outputs, t.progress(t.tokens - before)
}

// generate goes on with outputs greedily. The end token is in none.
func (t *calibrator) generate(wave []calibrationSource, outputs [][]int32, starts []int) error {
	c := t.checkpoint.Config
	var under []int
	for i, s := range wave {
		r := &t.rows[i]
		r.Begin(t.decoder, r.cross, starts[i]+calibrationLength(len(s.tokens), c.MaxPositions))
		under = append(under, i)
	}
	fed := make([]int, len(wave))
	for len(under) > 0 {
		var batch []*host.Sequence
		for _, i := range under {
			r := &t.rows[i]
			if err := t.table.feed(r.Sequence, outputs[i][fed[i]:], fed[i]); err != nil {
				return err
			}
			fed[i] = len(outputs[i])
			batch = append(batch, r.Sequence)
		}
		if err := t.decoder.Step(batch...); err != nil {
			return err
		}
		under = slices.DeleteFunc(under, func(i int) bool {
			r := &t.rows[i]
			if score := r.Scores[0]; score-score != 0 {
				outputs[i] = outputs[i][:starts[i]]
				return true
			}
			if r.Tokens[0] == int32(c.EOS) || len(outputs[i])-starts[i] >= calibrationLength(len(wave[i].tokens), c.MaxPositions) {
				return true
			}
			outputs[i] = append(outputs[i], r.Tokens[0])
			return false
		})
		if err := t.progress(0); err != nil {
			return err
		}
	}
	return nil
}

// calibrationLength bounds an output: what is far longer than its source is a loop.
func calibrationLength(source, maxPositions int) int {
	return min(source+source/2+4, maxNewTokens(source, maxPositions))
}
