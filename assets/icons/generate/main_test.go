package main

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/assets/icons"
)

const committed = ".."

// tolerance is how much a channel may differ: processors add up the parts of a
// pixel in different orders, and PNG may be packed otherwise by another Go.
const tolerance = 2

func requireSame(t *testing.T, want, got image.Image, what string) {
	t.Helper()
	require.Equal(t, want.Bounds(), got.Bounds(), what)
	for y := range want.Bounds().Dy() {
		for x := range want.Bounds().Dx() {
			w := color.NRGBAModel.Convert(want.At(x, y)).(color.NRGBA)
			g := color.NRGBAModel.Convert(got.At(x, y)).(color.NRGBA)
			if w.A <= tolerance && g.A <= tolerance {
				continue
			}
			for i, c := range [][2]uint8{{w.R, g.R}, {w.G, g.G}, {w.B, g.B}, {w.A, g.A}} {
				allowed := tolerance
				if i < 3 { // a colour is less exact the less of it there is
					allowed = tolerance * 255 / int(max(w.A, 1))
				}
				require.LessOrEqual(t, int(max(c[0], c[1])-min(c[0], c[1])), allowed,
					"%s, channel %d at %d,%d: run `go generate ./assets/icons`", what, i, x, y)
			}
		}
	}
}

func TestCommittedFilesAreThoseOfTheDesign(t *testing.T) {
	fresh := t.TempDir()
	require.NoError(t, write(fresh))
	require.Equal(t, list(t, fresh), list(t, committed), "run `go generate ./assets/icons`")
	for _, name := range list(t, fresh) {
		want, got := pictures(t, filepath.Join(fresh, name)), pictures(t, filepath.Join(committed, name))
		require.Equal(t, len(want), len(got), name)
		for i := range want {
			requireSame(t, want[i], got[i], name)
		}
	}
}

// list returns the icons below folder.
func list(t *testing.T, folder string) []string {
	t.Helper()
	var names []string
	for _, kind := range []string{"png", "ico"} {
		found, err := fs.Glob(os.DirFS(folder), kind+"/*")
		require.NoError(t, err)
		names = append(names, found...)
	}
	return names
}

func pictures(t *testing.T, path string) []image.Image {
	t.Helper()
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	if filepath.Ext(path) == ".ico" {
		return readICO(t, content)
	}
	p, err := png.Decode(bytes.NewReader(content))
	require.NoError(t, err)
	return []image.Image{p}
}

// readICO understands what ico writes, and checks it against the layout.
func readICO(t *testing.T, content []byte) []image.Image {
	t.Helper()
	word := func(at int) int { return int(binary.LittleEndian.Uint16(content[at:])) }
	long := func(at int) int { return int(binary.LittleEndian.Uint32(content[at:])) }
	require.Equal(t, []int{0, 1}, []int{word(0), word(2)}, "not an icon")
	var pictures []image.Image
	end := 6 + 16*word(4)
	for i := range word(4) {
		entry := 6 + 16*i
		w, h, size, offset := int(content[entry]), int(content[entry+1]), long(entry+8), long(entry+12)
		require.Equal(t, end, offset, "bitmaps follow each other")
		end = offset + size
		require.Equal(t, []int{40, w, 2 * h}, []int{long(offset), long(offset + 4), long(offset + 8)})
		require.Equal(t, 32, word(offset+14), "bits a pixel")
		p := image.NewNRGBA(image.Rect(0, 0, w, h))
		for y := range h {
			for x := range w {
				at := offset + 40 + 4*((h-1-y)*w+x)
				p.SetNRGBA(x, y, color.NRGBA{content[at+2], content[at+1], content[at], content[at+3]})
			}
		}
		pictures = append(pictures, p)
	}
	require.Equal(t, len(content), end)
	return pictures
}

func TestICOHoldsWhatWindowsAsksFor(t *testing.T) {
	for _, s := range icons.States {
		got := pictures(t, filepath.Join(committed, icons.ICOName(s)))
		require.Len(t, got, len(icons.ICOSizes))
		for i, size := range icons.ICOSizes {
			requireSame(t, picture(s, size), got[i], string(s))
		}
	}
}

// luminance is the relative one of WCAG 2.2.
func luminance(c color.NRGBA) float64 {
	linear := func(v uint8) float64 {
		f := float64(v) / 255
		if f <= 0.04045 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

func over(c color.NRGBA, panel uint8) color.NRGBA {
	mix := func(v uint8) uint8 { return uint8((int(v)*int(c.A) + int(panel)*(255-int(c.A))) / 255) }
	return color.NRGBA{mix(c.R), mix(c.G), mix(c.B), 255}
}

// panels are grey values of what desktops put behind their icons.
var panels = []uint8{0x00, 0x24, 0xf2, 0xff}

// TestStatesDifferWithoutColour compares how light each pixel is.
func TestStatesDifferWithoutColour(t *testing.T) {
	for _, size := range []int{16, 22} {
		for _, panel := range panels {
			for i, a := range icons.States {
				for _, b := range icons.States[:i] {
					pa, pb := picture(a, size), picture(b, size)
					differ := 0
					for y := range size {
						for x := range size {
							la, lb := luminance(over(pa.NRGBAAt(x, y), panel)), luminance(over(pb.NRGBAAt(x, y), panel))
							if (max(la, lb)+0.05)/(min(la, lb)+0.05) >= 1.5 {
								differ++
							}
						}
					}
					require.Greater(t, differ, size*size/20, "%s and %s at %d pixels on grey %#x", a, b, size, panel)
				}
			}
		}
	}
}

// TestIconsStandOut asks for the contrast of 3:1 that WCAG 2.2 (1.4.11) wants
// of graphics, for enough of each icon.
func TestIconsStandOut(t *testing.T) {
	for _, s := range icons.States {
		for _, panel := range panels {
			p, seen := picture(s, 16), 0
			background := luminance(over(color.NRGBA{}, panel))
			for y := range 16 {
				for x := range 16 {
					l := luminance(over(p.NRGBAAt(x, y), panel))
					if (max(l, background)+0.05)/(min(l, background)+0.05) >= 3 {
						seen++
					}
				}
			}
			require.Greater(t, seen, 16*16/6, "%s on grey %#x", s, panel)
		}
	}
}
