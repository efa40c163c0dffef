// Command solid packs the content of a package of Linux once more, so that what
// its programs have in common is there once: nfpm looks eight megabytes back for
// repetitions, and each program is larger than that.
//
//	solid FILE.deb    whose data.tar is not packed
//	solid FILE.rpm    whose payload is packed by zstd
//
// The file is replaced. Needs xz for the first and zstd for the second. The same file gives the same bytes.
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "solid: name one package")
		os.Exit(2)
	}
	if err := pack(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "solid:", err)
		os.Exit(1)
	}
}

func pack(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	formats := map[string]func([]byte) ([]byte, error){".deb": packDeb, ".rpm": packRPM}
	format, ok := formats[filepath.Ext(path)]
	if !ok {
		return fmt.Errorf("%s is neither a .deb nor an .rpm", path)
	}
	if data, err = format(data); err != nil {
		return fmt.Errorf("pack %s: %w", path, err)
	}
	return os.WriteFile(path, data, 0o644)
}

// xz looks 64 megabytes back, in one thread: several would make blocks that know
// nothing of each other.
func xz(data []byte) ([]byte, error) {
	return filter(data, "xz", "--compress", "--stdout", "-9", "--threads=1")
}

// zstd looks 128 megabytes back, the farthest that it unpacks without being asked.
func zstd(data []byte) ([]byte, error) {
	return filter(data, "zstd", "-q", "-c", "-19", "--long=27", "--single-thread")
}

func unzstd(data []byte) ([]byte, error) { return filter(data, "zstd", "-q", "-d", "-c") }

func filter(data []byte, name string, args ...string) ([]byte, error) {
	c := exec.Command(name, args...)
	var problems bytes.Buffer
	c.Stdin, c.Stderr = bytes.NewReader(data), &problems
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", name, err, bytes.TrimSpace(problems.Bytes()))
	}
	return out, nil
}
