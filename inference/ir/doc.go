// Package ir writes neural network graphs in OpenVINO's intermediate
// representation, version 11: an XML file that lists the layers, and a binary
// file that holds their constants.
//
// It knows the format and no model. Graphs of one model share a Weights file,
// so that a second graph costs no second copy of the constants. The XML leaves
// out the shapes of inner layers: the runtime infers them when it reads the
// graph. The package must not import any other package of ours.
//
// The format is the one that OpenVINO's own serialiser writes
// (docs.openvino.ai, "OpenVINO IR format"; layer attributes from "Operation
// sets in OpenVINO", opset13).
package ir
