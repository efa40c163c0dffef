package main

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"golang.org/x/image/vector"
)

// grid is the edge of the square that icons are designed on; a unit is one
// pixel of the smallest icon.
const grid = 16

// canvas is one icon at one size. Coordinates are units of the grid, from the
// top left.
type canvas struct {
	pixels *image.RGBA // premultiplied
	scale  float64     // pixels a unit
}

func newCanvas(size int) *canvas {
	return &canvas{pixels: image.NewRGBA(image.Rect(0, 0, size, size)), scale: float64(size) / grid}
}

// fit moves a coordinate to the nearest border between pixels, so that straight
// edges stay sharp.
func (c *canvas) fit(v float64) float64 { return math.Round(v*c.scale) / c.scale }

// shape adds closed paths to a rasterizer.
type shape func(c *canvas, r *vector.Rasterizer)

// coverage is the part of each pixel, 0 to 255, that the shapes cover together.
// Where paths of opposite turn lie over each other there is a hole.
func (c *canvas) coverage(shapes ...shape) *image.Alpha {
	b := c.pixels.Bounds()
	r := vector.NewRasterizer(b.Dx(), b.Dy())
	for _, s := range shapes {
		s(c, r)
	}
	mask := image.NewAlpha(b)
	r.Draw(mask, b, image.Opaque, image.Point{})
	return mask
}

func (c *canvas) fill(colour color.Color, shapes ...shape) {
	mask := c.coverage(shapes...)
	draw.DrawMask(c.pixels, mask.Bounds(), image.NewUniform(colour), image.Point{}, mask, image.Point{}, draw.Over)
}

// cut makes transparent what the shapes cover.
func (c *canvas) cut(shapes ...shape) {
	mask := c.coverage(shapes...)
	for i, covered := range mask.Pix {
		for channel := range 4 {
			p := &c.pixels.Pix[4*i+channel]
			*p = uint8((int(*p)*(255-int(covered)) + 127) / 255)
		}
	}
}

// straight is the picture without premultiplied alpha, as PNG and ICO store it.
func (c *canvas) straight() *image.NRGBA {
	out := image.NewNRGBA(c.pixels.Bounds())
	draw.Draw(out, out.Bounds(), c.pixels, image.Point{}, draw.Src)
	return out
}

type point struct{ x, y float64 }

func (c *canvas) at(p point) (x, y float32) {
	return float32(p.x * c.scale), float32(p.y * c.scale)
}

// polygon is filled as it is; corners are not fitted to pixels.
func polygon(points ...point) shape {
	return func(c *canvas, r *vector.Rasterizer) {
		for i, p := range points {
			x, y := c.at(p)
			if i == 0 {
				r.MoveTo(x, y)
			} else {
				r.LineTo(x, y)
			}
		}
		r.ClosePath()
	}
}

// kappa makes a cubic Bézier curve nearest to a quarter of a circle.
const kappa = 0.5522847498

// rounded is a rectangle whose edges are fitted to pixels and whose corners
// have the given radius.
func rounded(left, top, right, bottom, radius float64) shape {
	return func(c *canvas, r *vector.Rasterizer) {
		l, t, b, e := c.fit(left), c.fit(top), c.fit(bottom), c.fit(right)
		k := radius * (1 - kappa)
		move := func(x, y float64) { a, b := c.at(point{x, y}); r.MoveTo(a, b) }
		line := func(x, y float64) { a, b := c.at(point{x, y}); r.LineTo(a, b) }
		curve := func(x1, y1, x2, y2, x, y float64) {
			a, b := c.at(point{x1, y1})
			d, e := c.at(point{x2, y2})
			f, g := c.at(point{x, y})
			r.CubeTo(a, b, d, e, f, g)
		}
		move(l+radius, t)
		line(e-radius, t)
		curve(e-k, t, e, t+k, e, t+radius)
		line(e, b-radius)
		curve(e, b-k, e-k, b, e-radius, b)
		line(l+radius, b)
		curve(l+k, b, l, b-k, l, b-radius)
		line(l, t+radius)
		curve(l, t+k, l+k, t, l+radius, t)
		r.ClosePath()
	}
}

func box(left, top, right, bottom float64) shape { return rounded(left, top, right, bottom, 0) }

func disc(x, y, radius float64) shape {
	return func(c *canvas, r *vector.Rasterizer) {
		k := radius * kappa
		move, curve := r.MoveTo, func(x1, y1, x2, y2, x, y float64) {
			a, b := c.at(point{x1, y1})
			d, e := c.at(point{x2, y2})
			f, g := c.at(point{x, y})
			r.CubeTo(a, b, d, e, f, g)
		}
		a, b := c.at(point{x + radius, y})
		move(a, b)
		curve(x+radius, y+k, x+k, y+radius, x, y+radius)
		curve(x-k, y+radius, x-radius, y+k, x-radius, y)
		curve(x-radius, y-k, x-k, y-radius, x, y-radius)
		curve(x+k, y-radius, x+radius, y-k, x+radius, y)
		r.ClosePath()
	}
}
