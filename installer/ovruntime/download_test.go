package ovruntime

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDownloadWithoutPipNamesTheWayOut(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the fake Pythons are shell scripts")
	}
	// fakePython is a Python that only says what a real one without pip, or
	// without a network, says.
	fakePython := func(script string) string {
		path := filepath.Join(t.TempDir(), "python3")
		require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755))
		return path
	}
	noPip := fakePython("echo \"$0: No module named pip\" >&2\nexit 1\n")
	offline := fakePython("case \"$3\" in --version) echo pip 24.0; exit 0;; esac\n" +
		"echo 'WARNING: Retrying' >&2\necho 'ERROR: No matching distribution found for openvino' >&2\necho bye\nexit 1\n")
	early := fakePython("case \"$3\" in --version) echo pip 24.0; exit 0;; esac\n" +
		"echo \"WARNING: Retrying after connection broken by 'SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: certificate is not yet valid (_ssl.c:992)'))'\" >&2\n" +
		"echo 'ERROR: No matching distribution found for openvino' >&2\nexit 1\n")
	idle := fakePython("exit 0\n")
	for name, test := range map[string]struct {
		pythons []string
		want    string
	}{
		"no Python":   {[]string{"no-such-python", "nor-this-one"}, "there is no Python (no-such-python, nor-this-one): install Python's pip"},
		"no pip":      {[]string{"no-such-python", noPip}, noPip + " cannot run pip (" + noPip + ": No module named pip)"},
		"offline":     {[]string{noPip, offline}, "ERROR: No matching distribution found for openvino: check the network"},
		"wrong clock": {[]string{early}, "certificate is not yet valid, and this machine's clock says 20"},
		"no wheel":    {[]string{idle}, "pip left 0 wheels and not one"},
	} {
		t.Run(name, func(t *testing.T) {
			data := t.TempDir()
			_, err := Install(t.Context(), Options{DataDir: data, GOOS: "linux", GOARCH: "amd64", Pythons: test.pythons})
			require.ErrorContains(t, err, test.want)
			require.ErrorContains(t, err, "dragoman runtime install --from FILE")
			require.ErrorContains(t, err, "--platform manylinux_2_28_x86_64 --python-version 3.11")
			require.Equal(t, []string{".lock"}, entries(t, filepath.Join(data, "runtime")))
		})
	}
}

func TestDownloadChecksTheWheelItself(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the fake Python is a shell script")
	}
	// This fake pip brings another file and checks nothing.
	path := filepath.Join(t.TempDir(), "python3")
	script := "#!/bin/sh\nwhile [ $# -gt 0 ]; do [ \"$1\" = --dest ] && echo evil > \"$2/openvino.whl\"; shift; done\n"
	require.NoError(t, os.WriteFile(path, []byte(script), 0o755))
	data := t.TempDir()
	_, err := Install(t.Context(), Options{DataDir: data, GOOS: "linux", GOARCH: "amd64", Pythons: []string{path}})
	require.ErrorContains(t, err, "and not the pinned 2d22b1da")
	require.Equal(t, []string{".lock"}, entries(t, filepath.Join(data, "runtime")))
}
