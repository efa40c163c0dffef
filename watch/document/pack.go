package document

import (
	"archive/zip"
	"compress/flate"
	"io"
	"sync"
)

// smallPart is up to how many bytes a part is packed by the fastest method. The usual one
// clears half a megabyte before it begins, and takes longer than all else that is done with a
// sheet or a slide; what it would save of such a part is some hundred bytes.
const smallPart = 128 << 10

// packer is how a part of so many bytes is deflated; nil is archive/zip's own way.
func packer(size int) zip.Compressor {
	if size > smallPart {
		return nil
	}
	return packFast
}

var fastPackers = sync.Pool{New: func() any {
	w, _ := flate.NewWriter(nil, flate.BestSpeed) // fails only for levels that there are not
	return w
}}

// fastPacker goes back to its pool once it is closed.
type fastPacker struct{ *flate.Writer }

func packFast(out io.Writer) (io.WriteCloser, error) {
	w := fastPackers.Get().(*flate.Writer)
	w.Reset(out)
	return fastPacker{w}, nil
}

func (p fastPacker) Close() error {
	err := p.Writer.Close()
	fastPackers.Put(p.Writer)
	return err
}
