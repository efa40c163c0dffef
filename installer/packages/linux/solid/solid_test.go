package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/openvino/ovtest"
)

// A package that is packed anew is one that dpkg and rpm take, and large files that
// have much in common are in it once.
func TestPackagesStayWhole(t *testing.T) {
	nfpm := filepath.Join(ovtest.Root(), "build", "tools", "nfpm")
	if _, err := os.Stat(nfpm); err != nil {
		t.Skip("build/tools/nfpm is not there: make dist")
	}
	random := make([]byte, 9<<20)
	for i, r := 0, rand.NewPCG(1, 2); i < len(random); i++ {
		random[i] = byte(r.Uint64())
	}
	dir := t.TempDir()
	for _, name := range []string{"one", "two"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), random, 0o644))
	}
	config := filepath.Join(dir, "nfpm.yaml")
	require.NoError(t, os.WriteFile(config, fmt.Appendf(nil, `
name: some
arch: amd64
version: "1"
maintainer: some <some@localhost>
description: some
contents:
  - {src: %[1]s/one, dst: /one}
  - {src: %[1]s/two, dst: /two}
deb: {compression: none}
rpm: {compression: "zstd:1"}
`, dir), 0o644))
	for format, look := range map[string][][]string{
		"deb": {{"dpkg-deb", "--info"}, {"dpkg-deb", "--contents"}},
		"rpm": {{"rpm", "--checksig", "--nosignature"}, {"rpm", "--query", "--package", "--list"}, {"rpm2archive"}},
	} {
		t.Run(format, func(t *testing.T) {
			for _, tool := range []string{"xz", "zstd", look[0][0]} {
				if _, err := exec.LookPath(tool); err != nil {
					t.Skip(tool + " is not installed")
				}
			}
			path := filepath.Join(t.TempDir(), "some."+format)
			out, err := exec.Command(nfpm, "package", "--config", config, "--packager", format, "--target", path).CombinedOutput()
			require.NoError(t, err, "%s", out)
			require.NoError(t, pack(path))
			info, err := os.Stat(path)
			require.NoError(t, err)
			require.Less(t, info.Size(), int64(10<<20))
			for _, command := range look {
				out, err := exec.Command(command[0], append(command[1:], path)...).CombinedOutput()
				require.NoError(t, err, "%s\n%s", command, out)
			}
			if format == "deb" {
				require.ErrorContains(t, pack(path), "packed already")
			}
		})
	}
	require.ErrorContains(t, pack(config), "neither")
}

func TestDamaged(t *testing.T) {
	for name, data := range map[string]string{
		"empty.deb": "", "empty.rpm": "", "cut.deb": "!<arch>\n" + fmt.Sprintf("%-48s%-10d`\n", "data.tar", 9), "none.deb": "!<arch>\n",
		"cut.rpm": "\xed\xab\xee\xdb" + string(make([]byte, 92)) + "\x8e\xad\xe8\x01\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff",
	} {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, []byte(data), 0o644))
		require.Error(t, pack(path), name)
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, data, string(after), "%s stays as it was", name)
	}
}
