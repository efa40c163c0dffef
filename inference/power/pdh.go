package power

import (
	"slices"
	"strings"
)

// instance is one value of a counter of Windows' performance data.
type instance struct {
	name string
	raw  uint64
}

// gpuEngine is the path of the time, in units of 100 ns, that each engine of
// each graphics adapter, the NPU among them, worked for each process.
const gpuEngine = `\GPU Engine(*)\Running Time`

// passiveLimit is how far Windows lets parts of the machine go to cool them; 100
// is no limit.
const passiveLimit = `\Thermal Zone Information(*)\% Passive Limit`

// engine is what the name of an instance says:
// pid_4_luid_0x00000000_0x0000A1B2_phys_0_eng_0_engtype_3D.
func engine(name string) (adapter, kind string, ok bool) {
	_, rest, found := strings.Cut(name, "luid_")
	adapter, rest, found2 := strings.Cut(rest, "_phys_")
	_, kind, found3 := strings.Cut(rest, "engtype_")
	return adapter, kind, found && found2 && found3
}

// npuTime adds up the time of the NPU's engines. Its adapter is told by what
// it lacks: a graphics adapter has an engine of type 3D, which the desktop uses
// all the time, and an NPU has only Neural ones, or Compute with older drivers.
func npuTime(all []instance) (uint64, error) {
	graphics, neural := map[string]bool{}, map[string]bool{}
	for _, i := range all {
		switch adapter, kind, ok := engine(i.name); {
		case !ok:
		case strings.EqualFold(kind, "3D"):
			graphics[adapter] = true
		case strings.EqualFold(kind, "Neural"), strings.EqualFold(kind, "Compute"):
			neural[adapter] = true
		}
	}
	var adapters []string
	for adapter := range neural {
		if !graphics[adapter] {
			adapters = append(adapters, adapter)
		}
	}
	if len(adapters) == 0 {
		return 0, unknown("Windows counts no NPU among its engines (performance counter %s)", gpuEngine)
	}
	var sum uint64
	for _, i := range all {
		if adapter, _, ok := engine(i.name); ok && slices.Contains(adapters, adapter) {
			sum += i.raw
		}
	}
	return sum, nil
}

// passive is the strictest limit, as a cooling from 0 to 1.
func passive(all []instance) *Reading {
	if len(all) == 0 {
		return nil
	}
	r := Reading{Unit: OfHighest, Source: passiveLimit, Scope: ScopeMachine, Error: Error{Resolution: 0.01}}
	for _, i := range all {
		if i.raw <= 100 {
			r.Value = max(r.Value, 1-float64(i.raw)/100)
		}
	}
	return &r
}
