// Package ovruntime installs the OpenVINO runtime into dragoman's data folder
// and keeps what is installed there in order.
//
// It owns DATA/runtime: one folder a runtime, named after its release and the
// archive's checksum, each with a manifest of its files; and the text file
// "current" that names the one in use. A runtime's folder is complete before it
// gets its name, and "current" is replaced in one step, so that a process killed
// at any moment leaves the runtime in use as it was and only hidden temporary
// folders, which the next installation removes.
//
// Of ours it imports only inference/openvino/locate, the other half of the
// agreement about this folder. It must not import the binding: nothing is
// loaded here.
package ovruntime
