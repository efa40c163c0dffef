// Package ovtest gives tests the real OpenVINO runtime that `make runtime`
// sets up. It is for test code only.
package ovtest

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/openvino"
	"dragoman/inference/openvino/locate"
)

// Root is the folder of the checkout.
func Root() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "..")
}

// Library finds the C library, by DRAGOMAN_OPENVINO or where `make runtime`
// puts it. Without one a test skips at home and fails in CI.
func Library(t testing.TB) locate.Candidate {
	t.Helper()
	found, err := locate.Find(locate.Host("", filepath.Join(Root(), "build", "data")))
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("CI must have a runtime: %v", err)
		}
		t.Skipf("needs the OpenVINO runtime, set up by `make runtime`: %v", err)
	}
	return found
}

// Core loads the runtime and makes a core of it.
func Core(t testing.TB) *openvino.Core {
	t.Helper()
	library := Library(t)
	rt, err := openvino.Load(library.Library, library.Preload...)
	require.NoError(t, err)
	core, err := rt.NewCore()
	require.NoError(t, err)
	return core
}
