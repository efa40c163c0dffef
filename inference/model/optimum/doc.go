// Package optimum reads the weights of M2M-100 models out of folders that
// optimum-intel has exported: two graphs of OpenVINO, the encoder and the decoder,
// of which each constant is told by what uses it. Graphs are read as data; what is
// in them besides weights does not matter, and a weight that is not recognised is an
// error, never left out.
//
// It must not import other packages of ours.
package optimum
