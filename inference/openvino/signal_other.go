//go:build !linux

package openvino

// keepingSignalStack matters on Linux only.
func keepingSignalStack(run func()) { run() }
