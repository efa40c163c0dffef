//go:build unix

package systray

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"strings"

	fyne "fyne.io/systray"

	"dragoman/assets/icons"
)

// iconSize is that of the one picture that the library sends, in pixels. Panels
// show 16 to 24, twice that on dense displays, and make larger ones smaller.
const iconSize = 48

// announces: a panel asks for everything when the icon is registered.
const announces = true

// mnemonics doubles what com.canonical.dbusmenu takes for the mark of an access
// key.
func mnemonics(label string) string { return strings.ReplaceAll(label, "_", "__") }

// name is what desktops call the icon, where they show no tooltip.
func name(n string) { fyne.SetTitle(n) }

// picture returns an icon in a format of our own, which the library's call of
// image.Decode finds like any other.
//
// A status notifier's pixels have straight alpha (desktops read them so), but
// the library sends the low bytes of what color.Color.RGBA returns: of a PNG
// with half-transparent edges those are noise. The colours of this format
// return both bytes as the desktop wants them.
func picture(s icons.State) []byte {
	decoded, err := png.Decode(bytes.NewReader(icons.PNG(s, iconSize)))
	if err != nil {
		return nil // a state that is none
	}
	pixels := image.NewNRGBA(decoded.Bounds())
	draw.Draw(pixels, pixels.Bounds(), decoded, decoded.Bounds().Min, draw.Src)
	return append([]byte(straightMagic), pixels.Pix...)
}

// straightMagic begins a picture of iconSize by iconSize pixels of red, green,
// blue and straight alpha.
const straightMagic = "dragoman straight icon\n"

func init() {
	image.RegisterFormat("straight", straightMagic, decodeStraight, func(io.Reader) (image.Config, error) {
		return image.Config{ColorModel: color.NRGBAModel, Width: iconSize, Height: iconSize}, nil
	})
}

func decodeStraight(r io.Reader) (image.Image, error) {
	content, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("read an icon: %w", err)
	}
	p := image.NewNRGBA(image.Rect(0, 0, iconSize, iconSize))
	if len(content) != len(straightMagic)+len(p.Pix) {
		return nil, fmt.Errorf("read an icon: %d bytes are not one", len(content))
	}
	copy(p.Pix, content[len(straightMagic):])
	return straight{p}, nil
}

// straight is a picture whose colours are not multiplied by their alpha, against
// what color.Color says; see picture.
type straight struct{ *image.NRGBA }

func (s straight) At(x, y int) color.Color { return straightColour(s.NRGBAAt(x, y)) }

type straightColour color.NRGBA

func (c straightColour) RGBA() (r, g, b, a uint32) {
	return 0x101 * uint32(c.R), 0x101 * uint32(c.G), 0x101 * uint32(c.B), 0x101 * uint32(c.A)
}
