// Package language tells which language a text is written in, what languages
// are called, and which language of a model a label of others means.
//
// Codes are those of the M2M-100 models (inference/m2m100/tokenizer). The
// package knows no model: callers say which languages they have. It must not
// import anything of ours.
package language
