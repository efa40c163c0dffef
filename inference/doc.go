// Package inference translates text: it takes a text apart into sentences,
// runs them through a model of the M2M-100 architecture on OpenVINO, and puts
// the translations together again with everything between them as it was.
//
// Its sub-packages each own one part: openvino the native runtime, model the
// checkpoints, m2m100 tokens and graphs, text the sentences, blob the store of
// compiled models. It must not import anything of ours outside inference.
package inference
