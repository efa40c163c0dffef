package main

import (
	"bytes"
	"encoding/binary"
	"image"
)

// ico packs pictures of the same icon into the format of Windows. Each is a
// device-independent bitmap of 32 bits, which everything that takes an ICO
// understands, other than PNG inside of one. The layout is that of ICONDIR,
// ICONDIRENTRY and BITMAPINFOHEADER in Microsoft's documentation.
func ico(pictures []*image.NRGBA) []byte {
	const headerBytes, entryBytes, infoBytes = 6, 16, 40
	var directory, bitmaps bytes.Buffer
	little := func(b *bytes.Buffer, values ...any) {
		for _, v := range values {
			// A buffer takes everything, and all values are of fixed size.
			_ = binary.Write(b, binary.LittleEndian, v)
		}
	}
	little(&directory, uint16(0), uint16(1), uint16(len(pictures)))
	for _, p := range pictures {
		w, h := p.Bounds().Dx(), p.Bounds().Dy()
		maskRow := (w + 31) / 32 * 4
		size := infoBytes + 4*w*h + maskRow*h
		offset := headerBytes + entryBytes*len(pictures) + bitmaps.Len()
		little(&directory, uint8(w), uint8(h), uint8(0), uint8(0), uint16(1), uint16(32), uint32(size), uint32(offset))
		// The height counts the mask too, which follows the colours.
		little(&bitmaps, uint32(infoBytes), int32(w), int32(2*h), uint16(1), uint16(32), uint32(0),
			uint32(4*w*h+maskRow*h), int32(0), int32(0), uint32(0), uint32(0))
		mask := make([]byte, maskRow*h)
		for row := range h { // from the bottom
			y := h - 1 - row
			for x := range w {
				c := p.NRGBAAt(x, y)
				bitmaps.Write([]byte{c.B, c.G, c.R, c.A})
				if c.A == 0 {
					mask[row*maskRow+x/8] |= 0x80 >> (x % 8)
				}
			}
		}
		bitmaps.Write(mask)
	}
	return append(directory.Bytes(), bitmaps.Bytes()...)
}
