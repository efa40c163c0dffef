package m2m100

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"dragoman/inference/blob"
	"dragoman/inference/cores"
	"dragoman/inference/m2m100/draft"
	"dragoman/inference/mapped"
	"dragoman/inference/model"
	"dragoman/inference/openvino"
)

// ErrEmpty is the error of a source that the model had no word for.
var ErrEmpty = errors.New("the model gave no output for this text")

// Options say how a model is run.
type Options struct {
	Core       *openvino.Core
	Checkpoint *model.Checkpoint
	Recipe     Recipe
	ContentKey string      // stands for the checkpoint's files in keys
	Dir        string      // of the prepared graphs; written where they are missing
	Blobs      *blob.Store // of compiled graphs; nil does without
	Forbidden  []int32     // tokens never to be generated
	Encoder    Placement
	Decoder    Decoder
	Threads    int // for the CPU; 0 leaves the choice to package cores, or to OpenVINO where that computes
	// Observe, where not nil, is told how long each graph took to be imported
	// from the store or to be compiled. It may be called by several goroutines.
	Observe func(fromStore bool, took time.Duration)
	// Preparing, where not nil, is told how far Prepare is, in percent, about, and in
	// ascending order. It is not called where there is nothing to prepare.
	Preparing func(percent int)
}

// recipe is what the recipe is on this processor.
func (o Options) recipe() Recipe { return o.Recipe.on(o.Checkpoint.Config, o.Decoder) }

// GraphKey names what the prepared graphs depend on.
func (o Options) GraphKey() string {
	return fmt.Sprintf("%s\x00%s\x00%d\x00%v\x00%v", o.ContentKey, o.recipe(), graphVersion, Buckets, o.Forbidden)
}

// Engine is a model ready to translate, on token ids. It is safe for
// concurrent use; texts take turns.
type Engine struct {
	config  model.Config
	weights *mapped.File

	turns   *turns
	encoder encoder
	decoder decoder
	acceleration
	decoding decoding
	batcher  batcher
	costs    draft.Costs
	reads    bool // the encoder reads the weights' file with each source
	settled  bool // the pages that compiling touched were given back; whoever is on the device may look
}

// Open prepares the graphs where needed and compiles them. The checkpoint must
// stay open as long as the engine.
func Open(ctx context.Context, o Options) (*Engine, error) {
	e, err := open(ctx, o)
	if !errors.Is(err, errDamaged) {
		return e, err
	}
	slog.Warn("Prepared model is prepared anew", "err", err)
	if err := os.Remove(filepath.Join(o.Dir, manifestFile)); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCache, err)
	}
	return open(ctx, o)
}

func open(ctx context.Context, o Options) (*Engine, error) {
	if err := Prepare(ctx, o); err != nil {
		return nil, err
	}
	weights, err := mapped.Open(filepath.Join(o.Dir, weightsFile))
	if err != nil {
		return nil, fmt.Errorf("open the prepared model: %w", err)
	}
	markUsed(o.Dir, time.Now())
	e := &Engine{config: o.Checkpoint.Config, decoder: decoder{config: o.Checkpoint.Config}, weights: weights, turns: newTurns()}
	e.batcher.engine = e
	if err := e.compile(ctx, o); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

func (e *Engine) compile(ctx context.Context, o Options) error {
	table, err := newEmbedding(o.Checkpoint)
	if err != nil {
		return err
	}
	graphs, err := newGraphs(o, processor(o.Threads), e.weights.Bytes())
	if err != nil {
		return err
	}
	threads := o.Threads
	if threads < 1 && o.recipe().Host {
		threads = cores.Count()
	}
	if err := e.openEncoder(ctx, o, graphs, table, threads); err != nil {
		return err
	}
	if err := e.openDecoder(ctx, o, graphs, table, threads); err != nil {
		return err
	}
	e.hire(o, graphs, table, threads)
	return nil
}

// hire makes a crew possible where package host encodes and decodes, on several threads.
func (e *Engine) hire(o Options, g graphs, table *embedding, threads int) {
	decoder, decodes := e.decoder.steps.(*hostDecoder)
	if _, encodes := e.encoder.(*hostEncoder); !encodes || !decodes {
		return
	}
	e.batcher.crew.size = threads
	e.batcher.crew.open = func() (*worker, error) {
		d, err := decoder.worker(o)
		if err != nil {
			return nil, err
		}
		encoder, err := newHostEncoder(g, e.config, table, 1)
		if err != nil {
			d.close()
			return nil, err
		}
		return &worker{decoder: d, encoder: encoder}, nil
	}
}

func (e *Engine) openEncoder(ctx context.Context, o Options, g graphs, table *embedding, threads int) error {
	if o.Encoder == CPUStatic || !o.recipe().HostEncoder {
		encoder, err := o.Encoder.newEncoder(ctx, g, e.config, table)
		e.encoder = encoder
		return err
	}
	encoder, err := newHostEncoder(g, e.config, table, threads)
	if err != nil {
		return err
	}
	e.encoder, e.reads = encoder, true
	return nil
}

func (e *Engine) openDecoder(ctx context.Context, o Options, g graphs, table *embedding, threads int) error {
	var steps stepper
	var err error
	if o.recipe().Host {
		steps, err = newHostDecoder(o, g.files[hostDecoderFile], table, threads)
	} else {
		steps, err = newGraphDecoder(ctx, g, e.config, table)
	}
	if err != nil {
		return err
	}
	e.decoder.steps = steps
	return nil
}

// Close waits for the texts under way and gives everything back.
func (e *Engine) Close() error {
	e.batcher.close()
	for lane := range Lane(lanes) {
		t, err := e.turns.take(context.Background(), lane)
		if err != nil {
			return err
		}
		t.leave()
		defer t.end()
	}
	err := errors.Join(e.acceleration.close(), e.UseDecoder(nil, nil))
	if e.encoder != nil {
		e.encoder.close()
	}
	if e.decoder.steps != nil {
		e.decoder.steps.close()
	}
	return errors.Join(err, e.weights.Close())
}

// Generation is what the model made of one source.
type Generation struct {
	Tokens  []int32 // without start, language and end token
	Cut     bool    // the length bound came before the end token
	Guarded int     // times the repetition guard refused the best token

	Encode   time.Duration   // embeddings, encoder and cross keys and values
	Steps    []time.Duration // of the decoder, the first with the language token
	Infer    time.Duration   // the runtime's part of all steps; the rest is the host's
	Drafted  int             // tokens that were guessed and checked
	Accepted int             // of them right

	Bucket  int // tokens of the static graph, 0 for the dynamic one
	Padding int // tokens of it that were padding

	Accelerated bool // the accelerator has encoded it
}

// Generate translates source, which holds its language token and end token,
// into the language of the target token. It ends early with ctx, between two
// tokens, and lets texts of a more urgent lane go first there. Texts of the batch
// lane that are asked for at the same time are translated together, which gives
// the same tokens sooner.
func (e *Engine) Generate(ctx context.Context, lane Lane, source []int32, target int32) (Generation, error) {
	return e.GenerateDrafted(ctx, lane, source, target, nil)
}

// GenerateDrafted is Generate with guesses of its output, nil for none: it gives
// the same tokens, sooner where they are right.
func (e *Engine) GenerateDrafted(ctx context.Context, lane Lane, source []int32, target int32, s *draft.Sentence) (Generation, error) {
	g := e.guess(s)
	n := lengths{least: 1, most: maxNewTokens(len(source), e.config.MaxPositions)}
	if lane == Batch {
		return e.batcher.generate(ctx, source, target, n, g)
	}
	return e.generate(ctx, lane, source, target, n, g)
}

// Guesses tells whether there is use in guesses now.
func (e *Engine) Guesses() bool {
	_, ok := e.decoder.steps.(*hostDecoder)
	return ok && !e.decodesElsewhere()
}

// GenerateExactly is Generate with exactly n tokens, the end token held back.
// Benchmarks use it, to compare the same work.
func (e *Engine) GenerateExactly(ctx context.Context, source []int32, target int32, n int) (Generation, error) {
	return e.generate(ctx, Interactive, source, target, lengths{least: n, most: n}, nil)
}

// GenerateExactlyDrafted is GenerateExactly with guesses, see GenerateDrafted.
func (e *Engine) GenerateExactlyDrafted(ctx context.Context, source []int32, target int32, n int, s *draft.Sentence) (Generation, error) {
	return e.generate(ctx, Interactive, source, target, lengths{least: n, most: n}, e.guess(s))
}

// GenerateExactlyTogether is GenerateExactly in the batch lane.
func (e *Engine) GenerateExactlyTogether(ctx context.Context, source []int32, target int32, n int) (Generation, error) {
	return e.batcher.generate(ctx, source, target, lengths{least: n, most: n}, nil)
}

func (e *Engine) generate(ctx context.Context, lane Lane, source []int32, target int32, n lengths, g *guesses) (Generation, error) {
	return e.generateBy(ctx, lane, e.encode, e.decodeWith(g), source, target, n)
}

// encode makes of a source what the decoder reads.
type encode func(ctx context.Context, lane Lane, source []int32) (encoded, error)

// decode generates what a source's outputs of the encoder lead to.
type decode func(ctx context.Context, turn *turn, cross []*openvino.Tensor, source []int32, target int32, n lengths, g *Generation) error

func (e *Engine) generateWith(ctx context.Context, lane Lane, encode encode, source []int32, target int32, n lengths) (Generation, error) {
	return e.generateBy(ctx, lane, encode, e.decodeWith(nil), source, target, n)
}

func (e *Engine) generateBy(ctx context.Context, lane Lane, encode encode, decode decode, source []int32, target int32, n lengths) (Generation, error) {
	if err := e.checkLength(source); err != nil {
		return Generation{}, err
	}
	turn, err := e.turns.take(ctx, lane)
	if err != nil {
		return Generation{}, err
	}
	defer turn.end()
	if err := ctx.Err(); err != nil {
		return Generation{}, err
	}
	start := time.Now()
	encoded, err := encode(ctx, lane, source)
	if err != nil {
		return Generation{}, fmt.Errorf("encode: %w", err)
	}
	g := Generation{Encode: time.Since(start), Bucket: encoded.bucket, Padding: encoded.padding, Accelerated: encoded.accelerated}
	err = decode(ctx, turn, encoded.cross, source, target, n, &g)
	if turn.on {
		e.settle()
	}
	if err != nil {
		return Generation{}, err // half a sentence is no translation
	}
	return g, nil
}

// Longest is the most tokens that a source may have. It is the same on all
// devices, so that a text is cut at the same places wherever it runs.
func (e *Engine) Longest() int { return min(Buckets[len(Buckets)-1], e.config.MaxPositions) }

func (e *Engine) checkLength(source []int32) error {
	if longest := e.Longest(); len(source) > longest {
		return fmt.Errorf("the text has %d tokens, the model takes %d at once: cut it", len(source), longest)
	}
	return nil
}

// WeightBytes is the size of the weights that the graphs share.
func (e *Engine) WeightBytes() int64 { return int64(len(e.weights.Bytes())) }

// settle gives the pages of the files back once: the plugin has packed its own
// copy of what it needs by the end of the first text.
func (e *Engine) settle() {
	if !e.settled {
		e.settled = true
		if !e.reads {
			e.weights.Release()
		}
		e.encoder.release()
		e.decoder.steps.release()
	}
}
