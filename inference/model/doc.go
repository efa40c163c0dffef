// Package model reads Hugging Face checkpoint folders of the M2M-100
// architecture: the configuration and the weights, nothing else. Weights are
// memory-mapped and handed out tensor by tensor as float32; what a file
// claims about itself is checked before any of it is believed, and nothing
// in a file is ever executed.
//
// It owns the knowledge of config.json, safetensors and PyTorch's zip format,
// and must import no other package of dragoman: tokenizers, graphs and the
// runtime are built on top of it.
package model
