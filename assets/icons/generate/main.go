// Command generate draws the icons from their design and writes them into the
// current folder. Developers run it by `go generate ./assets/icons`.
package main

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"

	"dragoman/assets/icons"
)

func main() {
	if err := write("."); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// write makes all files below folder.
func write(folder string) error {
	for _, s := range icons.States {
		for _, size := range icons.Sizes {
			var content bytes.Buffer
			encoder := png.Encoder{CompressionLevel: png.BestCompression}
			if err := encoder.Encode(&content, picture(s, size)); err != nil {
				return fmt.Errorf("encode %s at %d pixels: %w", s, size, err)
			}
			if err := writeFile(folder, icons.PNGName(s, size), content.Bytes()); err != nil {
				return err
			}
		}
		pictures := make([]*image.NRGBA, len(icons.ICOSizes))
		for i, size := range icons.ICOSizes {
			pictures[i] = picture(s, size)
		}
		if err := writeFile(folder, icons.ICOName(s), ico(pictures)); err != nil {
			return err
		}
	}
	return nil
}

// picture draws a state at a size in pixels.
func picture(s icons.State, size int) *image.NRGBA {
	c := newCanvas(size)
	design[s](c)
	return c.straight()
}

func writeFile(folder, name string, content []byte) error {
	path := filepath.Join(folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("make the folder of an icon: %w", err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		return fmt.Errorf("write an icon: %w", err)
	}
	return nil
}
