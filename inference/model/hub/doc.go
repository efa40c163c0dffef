// Package hub fetches models from Hugging Face's hub, or from a mirror that
// speaks its protocol, into a folder of models. It is the one package of
// dragoman's programs that opens connections to the outside, and does so only
// when it is called: nothing is fetched unasked.
//
// A model is fetched into a folder beside the others that no model is looked for
// in, file by file, each checked before it gets its name, and that folder gets
// the model's name when all are there. What was fetched stays for the next call
// when a call ends early. A manifest says where a model is from and what its
// files' checksums are.
//
// It must not import other packages of ours than catalogue and disk.
package hub
