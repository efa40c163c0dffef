package npublob

import (
	"bytes"
	"encoding/binary"
	"time"
)

// Estimate is what the compiler thinks that one inference takes. It comes of a
// model of the hardware's costs and was measured by nobody: it serves to compare
// two forms of a graph, and OpenVINO's own texts warn that it may be far off.
type Estimate struct {
	Took  time.Duration
	Clock int // of the NPU, in MHz, the highest that the compiler reckons with
}

// The layout, as OpenVINO 2026.4.1's compiler writes it: a 64-bit ELF whose
// section .perf.metrics begins with the lowest of five clocks and the step
// between them in MHz, the same of five bandwidths, four bytes each, and goes on
// with 5 x 5 counts of eight bytes, clock by clock. They count ticks of the NPU's
// timer, whose rate is not among them.
const (
	metricsName = "perf.metrics"
	clocks      = 5
	metricsSize = 16 + 8*clocks*clocks
	headerSize  = 64 // of the file
	sectionSize = 64 // of a section's header
	mostSection = 1 << 16
)

// timer is the rate of a platform's timer in Hz. With these the counts are what
// the compiler itself writes to its log, for 3720, 4000 and 5010.
func timer(platform string) float64 {
	if platform == "3720" {
		return 38.4e6
	}
	return 19.2e6
}

// ReadEstimate finds the compiler's estimate in a compiled model for a platform;
// false where it has none.
func ReadEstimate(blob []byte, platform string) (Estimate, bool) {
	metrics := section(blob, metricsName)
	if len(metrics) < metricsSize {
		return Estimate{}, false
	}
	number := binary.LittleEndian.Uint32
	ticks := binary.LittleEndian.Uint64(metrics[16+8*clocks*(clocks-1):])
	e := Estimate{
		Took:  time.Duration(float64(ticks) / timer(platform) * float64(time.Second)),
		Clock: int(number(metrics)) + (clocks-1)*int(number(metrics[4:])),
	}
	return e, e.Took > 0 && e.Took < time.Hour
}

// section is the content of the section whose name ends so, nil without one. The
// standard library's reader of ELF files refuses these for their version, 0.
func section(blob []byte, name string) []byte {
	if len(blob) < headerSize || string(blob[:4]) != "\x7fELF" {
		return nil
	}
	order := binary.LittleEndian
	table := order.Uint64(blob[0x28:])
	size, count, names := order.Uint16(blob[0x3a:]), int(order.Uint16(blob[0x3c:])), int(order.Uint16(blob[0x3e:]))
	if size != sectionSize || count > mostSection || names >= count || table > uint64(len(blob)) || uint64(count)*sectionSize > uint64(len(blob))-table {
		return nil
	}
	header := func(i int) []byte { return blob[table+uint64(i)*sectionSize:][:sectionSize] }
	content := func(h []byte) []byte {
		offset, length := order.Uint64(h[0x18:]), order.Uint64(h[0x20:])
		if offset > uint64(len(blob)) || length > uint64(len(blob))-offset {
			return nil
		}
		return blob[offset : offset+length]
	}
	texts := content(header(names))
	for i := range count {
		h := header(i)
		at := order.Uint32(h)
		if uint64(at) >= uint64(len(texts)) {
			continue
		}
		text, _, _ := bytes.Cut(texts[at:], []byte{0})
		if bytes.HasSuffix(text, []byte(name)) {
			return content(h)
		}
	}
	return nil
}
