package m2m100

import (
	"fmt"

	"dragoman/inference/ir"
	"dragoman/inference/model"
)

// Names by which requests bind the encoder's tensors.
const (
	encoderEmbeddings = "embeddings" // f32 [B, N, d]: embedding + position, zero where padded
	encoderMask       = "mask"       // f32 [B, 1, 1, N]: 0, or padMask where there is no token
)

// padMask is added to the attention scores of padding. Finite in f16, so that
// an NPU's f16 arithmetic neither overflows nor makes NaN of it.
const padMask = -65504

// crossNames are the encoder graph's outputs and the decoder graph's inputs
// for one decoder layer: f32 [B, heads, N, d/heads].
func crossNames(layer int) (key, value string) {
	return fmt.Sprintf("cross_key_%d", layer), fmt.Sprintf("cross_value_%d", layer)
}

// encoderGraph writes the encoder with the decoder's cross-attention keys and
// values. A bucket above 0 gives a static graph of one sentence with that many
// tokens; 0 gives a graph of any number of sentences, as long as the longest.
func encoderGraph(c *model.Checkpoint, w *ir.Weights, f Format, bucket int) *builder {
	batch, length, name := ir.Dynamic, ir.Dynamic, "encoder"
	if bucket > 0 {
		batch, length, name = 1, bucket, fmt.Sprintf("encoder_%d", bucket)
	}
	b := newBuilder(name, c, w)
	heads := b.config.EncoderHeads
	h := b.Parameter(encoderEmbeddings, ir.F32, batch, length, b.config.DModel)
	mask := b.Parameter(encoderMask, ir.F32, batch, 1, 1, length)
	for l := range b.config.EncoderLayers {
		layer := fmt.Sprintf("model.encoder.layers.%d", l)
		attention := layer + ".self_attn"
		x := b.layerNorm(h, layer+".self_attn_layer_norm")
		q := b.project(x, attention+".q_proj", heads, f)
		k := b.project(x, attention+".k_proj", heads, f)
		v := b.project(x, attention+".v_proj", heads, f)
		h = b.closeAttention(h, b.Attention(q, k, v, mask), attention, f)
		h = b.feedForward(h, layer, b.config.EncoderFFN, f)
	}
	h = b.layerNorm(h, "model.encoder.layer_norm")
	for l := range b.config.DecoderLayers {
		attention := fmt.Sprintf("model.decoder.layers.%d.encoder_attn", l)
		key, value := crossNames(l)
		b.Result(key, b.project(h, attention+".k_proj", b.config.DecoderHeads, f))
		b.Result(value, b.project(h, attention+".v_proj", b.config.DecoderHeads, f))
	}
	return b
}
