package randommodel

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"math/rand/v2"
	"sync"
)

const (
	deviation = 0.02    // what transformers initialises this architecture with
	one       = 0x3c00  // 1.0 in float16
	chunk     = 1 << 20 // bytes made and written at once
)

// writeSafetensors writes the header and then tensor after tensor, so that
// memory stays small whatever the model's size. wideness is the deviation of what is
// filled wide, 0 for the usual one.
func writeSafetensors(out io.Writer, tensors []tensor, wideness float64, seed uint64) error {
	type entry struct {
		DType   string   `json:"dtype"`
		Shape   []int    `json:"shape"`
		Offsets [2]int64 `json:"data_offsets"`
	}
	// transformers refuses a file that does not say which framework's it is.
	header := map[string]any{"__metadata__": map[string]string{"format": "pt"}}
	offset := int64(0)
	for _, t := range tensors {
		end := offset + 2*int64(t.elements())
		header[t.name] = entry{"F16", t.shape, [2]int64{offset, end}}
		offset = end
	}
	text, err := json.Marshal(header)
	if err != nil {
		return err
	}
	// Spaces fill the header up, so that the weights are aligned.
	text = append(text, bytes.Repeat([]byte(" "), -len(text)&7)...)
	if err := binary.Write(out, binary.LittleEndian, uint64(len(text))); err != nil {
		return err
	}
	if _, err := out.Write(text); err != nil {
		return err
	}
	usual := quantiles()
	other := usual
	if wideness != 0 {
		other = quantilesOf(wideness)
	}
	buffer := make([]byte, chunk)
	for i, t := range tensors {
		random := rand.NewPCG(seed, uint64(i))
		table := usual
		if t.fill == wide {
			table = other
		}
		for left := 2 * t.elements(); left > 0; {
			part := buffer[:min(left, chunk)]
			fill(part, t.fill, table, random)
			if _, err := out.Write(part); err != nil {
				return err
			}
			left -= len(part)
		}
	}
	return nil
}

func fill(part []byte, with kind, table *[1 << 16]uint16, random *rand.PCG) {
	switch with {
	case zeros:
		clear(part)
	case ones:
		for i := 0; i < len(part); i += 2 {
			binary.LittleEndian.PutUint16(part[i:], one)
		}
	case normal, wide:
		bits := uint64(0)
		for i := 0; i < len(part); i += 2 {
			if i%8 == 0 { // one random number serves four weights
				bits = random.Uint64()
			}
			binary.LittleEndian.PutUint16(part[i:], table[uint16(bits)])
			bits >>= 16
		}
	}
}

var quantiles = sync.OnceValue(func() *[1 << 16]uint16 { return quantilesOf(deviation) })

// quantilesOf are a normal distribution's values at 65536 evenly spaced
// probabilities, in float16: a random index into them is a random number of
// that distribution, for the price of one look into a table.
func quantilesOf(deviation float64) *[1 << 16]uint16 {
	var table [1 << 16]uint16
	for i := range table {
		p := (float64(i) + 0.5) / float64(len(table))
		table[i] = float16(deviation * math.Sqrt2 * math.Erfinv(2*p-1))
	}
	return &table
}

// float16 rounds to the nearest half precision number, for magnitudes below
// 65504.
func float16(v float64) uint16 {
	sign := uint16(0)
	if math.Signbit(v) {
		sign, v = 1<<15, -v
	}
	if v < 0x1p-14 { // numbers this small are multiples of 2^-24
		return sign | uint16(math.RoundToEven(math.Ldexp(v, 24)))
	}
	fraction, exponent := math.Frexp(v) // v = fraction·2^exponent, fraction in [0.5, 1)
	// A fraction that is rounded up to 1 carries into the exponent, as it must.
	mantissa := math.RoundToEven(math.Ldexp(fraction, 11)) - 1024
	return sign | uint16((exponent+14)<<10) + uint16(mantissa)
}
