package main

import (
	"image/color"

	"dragoman/assets/icons"
)

// The picture: a speech bubble in which two arrows change places, which is what
// an interpreter does. Colours are of middle lightness, so that each stands out
// from a dark panel and from a light one; the panel's colour is not known to a
// tray program. What tells states apart is shape: each would do in grey.
var (
	blue  = color.NRGBA{0x33, 0x6e, 0xe6, 0xff}
	grey  = color.NRGBA{0x80, 0x86, 0x90, 0xff}
	amber = color.NRGBA{0xc9, 0x74, 0x08, 0xff}
	red   = color.NRGBA{0xd6, 0x32, 0x32, 0xff}
	white = color.NRGBA{0xff, 0xff, 0xff, 0xff}
)

// design draws a state.
var design = map[icons.State]func(*canvas){
	icons.Ready:    func(c *canvas) { c.bubble(blue); c.fill(white, arrows()...) },
	icons.Working:  func(c *canvas) { c.bubble(blue); c.fill(white, dots()...) },
	icons.Warming:  func(c *canvas) { c.bubble(blue); c.badge(); c.hourglass() },
	icons.Paused:   func(c *canvas) { c.bubble(grey); c.badge(); c.bars() },
	icons.Fallback: func(c *canvas) { c.bubble(blue); c.badge(); c.chip() },
	icons.Error:    func(c *canvas) { c.bubble(blue); c.badge(); c.warning() },
	icons.Away:     func(c *canvas) { c.hollow() },
}

// body of the bubble and its tail, made smaller by inset on all sides.
func body(inset float64) []shape {
	return []shape{
		rounded(inset, 1+inset, grid-inset, 13-inset, 3.2-inset),
		polygon(point{2.6 + inset, 12.5 - inset}, point{7.6 - inset, 12.5 - inset}, point{2.6 + inset, 16 - 2*inset}),
	}
}

func (c *canvas) bubble(colour color.Color) { c.fill(colour, body(0)...) }

// arrows are one to the right above one to the left.
func arrows() []shape {
	return []shape{
		box(3, 4, 10.5, 6), polygon(point{9.6, 2.2}, point{13.6, 5}, point{9.6, 7.8}),
		box(5.5, 8, 13, 10), polygon(point{6.4, 6.2}, point{6.4, 11.8}, point{2.4, 9}),
	}
}

// dots are those of somebody who is about to say something.
func dots() []shape { return []shape{disc(4, 7, 1.5), disc(8, 7, 1.5), disc(12, 7, 1.5)} }

// badge leaves one arrow in the bubble and makes room for a sign in the lower
// right corner, which the sign of each state fills.
func (c *canvas) badge() {
	c.fill(white, box(2.5, 3, 10.5, 5), polygon(point{9.4, 1.6}, point{13.4, 4}, point{9.4, 6.4}))
	c.cut(rounded(6.5, 7, grid+2, grid+2, 1.5))
}

func (c *canvas) hourglass() {
	c.fill(amber, box(8, 8, 16, 9.5), box(8, 14.5, 16, 16),
		polygon(point{8.8, 9}, point{15.2, 9}, point{12.7, 12}, point{15.2, 15}, point{8.8, 15}, point{11.3, 12}))
}

func (c *canvas) bars() { c.fill(amber, box(8, 8, 11, 16), box(13, 8, 16, 16)) }

// chip is a processor with its pins.
func (c *canvas) chip() {
	c.fill(amber, box(9, 9, 15, 15))
	for _, at := range []float64{10, 13} {
		c.fill(amber, box(at, 8, at+1, 9), box(at, 15, at+1, 16), box(8, at, 9, at+1), box(15, at, 16, at+1))
	}
	c.fill(white, box(11, 11, 13, 13))
}

func (c *canvas) warning() {
	c.fill(red, polygon(point{11.5, 7.6}, point{16, 16}, point{7, 16}))
	c.fill(white, box(11, 10, 12, 13), box(11, 14, 12, 15))
}

// hollow is a bubble without a voice, struck out.
func (c *canvas) hollow() {
	c.bubble(grey)
	c.cut(body(1.5)...)
	c.cut(polygon(point{0, 13}, point{13, 0}, point{16, 3}, point{3, 16}))
	c.fill(red, polygon(point{0.5, 14}, point{14, 0.5}, point{15.5, 2}, point{2, 15.5}))
}
