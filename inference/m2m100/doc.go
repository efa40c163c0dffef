// Package m2m100 runs translation models of the M2M-100 architecture (Fan et
// al. 2020, "Beyond English-Centric Multilingual Machine Translation"): it
// writes their graphs for OpenVINO from a checkpoint, and encodes and decodes
// with them.
//
// Three parts: the host looks up embeddings and positions; one encoder graph
// returns the keys and values that the decoder's cross-attention needs, so
// that an accelerator is used once a sentence; one decoder step graph keeps its own
// keys and values as state and returns the best next tokens. Where the processor
// suits package host, that computes what the processor's graphs would, and they
// are for other devices only.
//
// The architecture's rules (pre-norm, ReLU, tied embeddings scaled by
// sqrt(d_model), sinusoidal positions, start </s>, forced language token) are
// those of transformers' modeling_m2m_100.py. The package must not import
// anything of ours outside inference.
package m2m100
