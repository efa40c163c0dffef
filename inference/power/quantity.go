package power

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// Unit is what a value counts.
type Unit string

// The units.
const (
	Joule     Unit = "J"
	Watt      Unit = "W"
	Second    Unit = "s"
	Hertz     Unit = "Hz"
	Byte      Unit = "B"
	Share     Unit = "share" // 0 to 1
	Times     Unit = "times"
	OfHighest Unit = "of the highest" // 0 to 1, of a device's states
)

// Scope is what a meter measures. It is never one program.
type Scope string

// The scopes.
const (
	ScopePackage  Scope = "package"  // the processor's chip: cores, graphics, NPU on the chip
	ScopeMemory   Scope = "memory"   // DRAM
	ScopePlatform Scope = "platform" // the whole machine as its firmware counts it (psys)
	ScopeBattery  Scope = "battery"  // what leaves the battery: the whole machine with its screen
	ScopeNPU      Scope = "NPU"
	ScopeMachine  Scope = "machine" // temperature and throttling of the whole machine
)

// Error is by how much a reading may be wrong.
type Error struct {
	Resolution float64       // in the reading's unit
	Update     time.Duration // how old what is read may be
}

// Reading is what a meter shows at one moment.
type Reading struct {
	Value  float64
	Unit   Unit
	Source string // the file or counter
	Scope  Scope
	Error  Error
}

// Quantity is a measured value with the interval that holds the true one with a
// confidence of 95 %.
type Quantity struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Unit  Unit    `json:"unit"`
}

// String gives as many digits as the interval is worth.
func (q Quantity) String() string {
	return fmt.Sprintf("%s %s (%s to %s)", digits(q.Value), q.Unit, digits(q.Low), digits(q.High))
}

// digits writes three significant ones.
func digits(v float64) string {
	if v == 0 {
		return "0"
	}
	places := max(0, 2-int(math.Floor(math.Log10(math.Abs(v)))))
	return strconv.FormatFloat(v, 'f', places, 64)
}
