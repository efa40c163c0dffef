package m2m100

import (
	"fmt"

	"dragoman/inference/ir"
	"dragoman/inference/model"
)

// Names by which requests bind the decoder's tensors, beside crossNames.
const (
	decoderEmbeddings = "embeddings" // f32 [B, T, d]: embedding + position of the new tokens
	decoderMask       = "mask"       // f32 [B, 1, T, past+T]: 0, or padMask where a token must not look
	decoderCrossMask  = "cross_mask" // f32 [B, 1, 1, N]: 0, or padMask where a source has no token
	decoderBeams      = "beams"      // i32 [B]: which row of the state each row goes on from
	decoderScores     = "scores"     // f32 [B, candidates]: logits of the best next tokens, best first
	decoderTokens     = "tokens"     // i32 [B, candidates]: their ids
)

// forbidden is added to the logits of tokens that must never be generated.
// Finite, so that a step whose numbers are broken still shows as NaN.
const forbidden = -1e9

// decoderGraph writes one decoder step: T new tokens in, the best candidates
// to follow the last of them out, for each of B sentences. Keys and values of
// earlier tokens are state of the request.
func decoderGraph(c *model.Checkpoint, w *ir.Weights, r Recipe, forbid []int32) *builder {
	b, logits := decoderLogits(c, w, r)
	return b.best(b.forbid(logits, forbid), candidates)
}

// beamGraph is decoderGraph for a beam search: its scores are logarithms of
// probabilities, forbidden tokens' among those of which they are.
func beamGraph(c *model.Checkpoint, w *ir.Weights, r Recipe, forbid []int32) *builder {
	b, logits := decoderLogits(c, w, r)
	return b.best(b.forbid(b.LogSoftmax(logits, 2), forbid), beamCandidates)
}

// best ends a graph with the best of all scores.
func (b *builder) best(all ir.Value, candidates int) *builder {
	scores, tokens := b.TopK(all, int64(candidates), 2)
	b.Result(decoderScores, b.Reshape(scores, -1, int64(candidates)))
	b.Result(decoderTokens, b.Reshape(tokens, -1, int64(candidates)))
	return b
}

// decoderLogits writes the step up to the scores of all tokens to follow the
// last of the new ones, [B, 1, vocabulary].
func decoderLogits(c *model.Checkpoint, w *ir.Weights, r Recipe) (*builder, ir.Value) {
	b := newBuilder("decoder", c, w)
	heads := b.config.DecoderHeads
	h := b.Parameter(decoderEmbeddings, ir.F32, ir.Dynamic, ir.Dynamic, b.config.DModel)
	mask := b.Parameter(decoderMask, ir.F32, ir.Dynamic, 1, ir.Dynamic, ir.Dynamic)
	crossMask := b.Parameter(decoderCrossMask, ir.F32, ir.Dynamic, 1, 1, ir.Dynamic)
	beams := b.Parameter(decoderBeams, ir.I32, ir.Dynamic)
	head := b.config.DModel / heads
	zero := b.Floats("zero", nil, []float32{0})
	batch := b.Gather(b.ShapeOf(beams), b.Integers(0), 0)
	empty := b.Broadcast(zero, b.Concat(0, batch, b.Integers(int64(heads), 0, int64(head))))
	for l := range b.config.DecoderLayers {
		layer := fmt.Sprintf("model.decoder.layers.%d", l)
		h = b.selfAttention(h, layer, empty, beams, mask, r.Decoder)
		h = b.crossAttention(h, layer, l, heads, crossMask, r.Decoder)
		h = b.feedForward(h, layer, b.config.DecoderFFN, r.Decoder)
	}
	// Only the last of the new tokens is asked what follows it.
	last := b.Gather(h, b.Integer(-1), 1)
	last = b.Reshape(last, -1, 1, int64(b.config.DModel))
	return b, b.logits(b.layerNorm(last, "model.decoder.layer_norm"), r.Output)
}

func (b *builder) selfAttention(h ir.Value, layer string, empty, beams, mask ir.Value, f Format) ir.Value {
	heads, attention := b.config.DecoderHeads, layer+".self_attn"
	x := b.layerNorm(h, layer+".self_attn_layer_norm")
	q := b.project(x, attention+".q_proj", heads, f)
	k := b.remember(layer+".key", b.project(x, attention+".k_proj", heads, f), empty, beams)
	v := b.remember(layer+".value", b.project(x, attention+".v_proj", heads, f), empty, beams)
	return b.closeAttention(h, b.Attention(q, k, v, mask), attention, f)
}

// remember appends x to what earlier steps left in a variable, which begins as
// empty, [B, heads, 0, d/heads]. The shape of
// these layers, with a Gather by an input of the graph, is the one that
// OpenVINO's plugins recognise as a key/value cache that they may keep in place.
func (b *builder) remember(variable string, x, empty, beams ir.Value) ir.Value {
	heads := b.config.DecoderHeads
	head := b.config.DModel / heads
	past := b.Gather(b.ReadState(variable, empty, ir.Dynamic, heads, ir.Dynamic, head), beams, 0)
	all := b.Concat(2, past, x)
	b.WriteState(variable, all)
	return all
}

func (b *builder) crossAttention(h ir.Value, layer string, l, heads int, mask ir.Value, f Format) ir.Value {
	keyName, valueName := crossNames(l)
	head := b.config.DModel / heads
	k := b.Parameter(keyName, ir.F32, ir.Dynamic, heads, ir.Dynamic, head)
	v := b.Parameter(valueName, ir.F32, ir.Dynamic, heads, ir.Dynamic, head)
	attention := layer + ".encoder_attn"
	x := b.layerNorm(h, layer+".encoder_attn_layer_norm")
	q := b.project(x, attention+".q_proj", heads, f)
	return b.closeAttention(h, b.Attention(q, k, v, mask), attention, f)
}

// logits are the scores of all tokens, [B, 1, vocabulary].
func (b *builder) logits(x ir.Value, f Format) ir.Value {
	embedding, err := b.checkpoint.Embedding()
	if err != nil && b.err == nil {
		b.err = err
	}
	return b.MatMulTransposed(x, b.matrix(embedding, f))
}

// forbid puts tokens behind all others.
func (b *builder) forbid(scores ir.Value, forbid []int32) ir.Value {
	size := b.config.VocabSize
	bias := make([]float32, size)
	for _, id := range forbid {
		bias[id] = forbidden
	}
	return b.Add(scores, b.Floats("output.bias", []int{1, 1, size}, bias))
}
