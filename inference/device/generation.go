package device

import (
	"fmt"
	"strings"
)

// Generation is an NPU's architecture by the number that OpenVINO gives it as
// DEVICE_ARCHITECTURE and takes as NPU_PLATFORM.
type Generation string

const (
	NPU3720 Generation = "3720"
	NPU4000 Generation = "4000"
	NPU5010 Generation = "5010"
	NPU5020 Generation = "5020"
)

// generations are the NPUs that OpenVINO compiles for. Chips and PCI ids:
// intel/linux-npu-driver, README and umd/vpu_driver/source/device. Marketing
// names: OpenVINO's system requirements. Tiles: openvino, plugins/intel_npu,
// README, for the latency hint, and seen in compiled graphs.
var generations = []struct {
	id    Generation
	name  string
	level int // for "from generation … on"
	tiles int
	pci   map[string]string
}{
	{NPU3720, "NPU 3", 3, 2, map[string]string{"8086:7d1d": "Meteor Lake", "8086:ad1d": "Arrow Lake"}},
	{NPU4000, "NPU 4", 4, 4, map[string]string{"8086:643e": "Lunar Lake"}},
	{NPU5010, "NPU 5", 5, 3, map[string]string{"8086:b03e": "Panther Lake"}},
	{NPU5020, "NPU 5", 5, 1, map[string]string{"8086:fd3e": "Wildcat Lake"}},
}

// Generations returns those that are known, oldest first.
func Generations() []Generation {
	var all []Generation
	for _, g := range generations {
		all = append(all, g.id)
	}
	return all
}

// ParseGeneration finds a generation by its number.
func ParseGeneration(s string) (Generation, error) {
	for _, g := range generations {
		if string(g.id) == s {
			return g.id, nil
		}
	}
	return "", fmt.Errorf("NPU generation %q is unknown: use 3720, 4000, 5010 or 5020", s)
}

// Name is what Intel calls it, "NPU 4"; "" for one that is not known.
func (g Generation) Name() string {
	for _, known := range generations {
		if known.id == g {
			return known.name
		}
	}
	return ""
}

// AtLeast says whether g is old or newer. An unknown generation is not: what is
// not known to take something does not get it.
func (g Generation) AtLeast(old Generation) bool {
	return g.level() > 0 && g.level() >= old.level()
}

func (g Generation) level() int {
	for _, known := range generations {
		if known.id == g {
			return known.level
		}
	}
	return 0
}

// generationOf finds an Intel NPU by its PCI id, "8086:643e".
func generationOf(pci string) (id Generation, chip string, tiles int, known bool) {
	pci = strings.ToLower(pci)
	for _, g := range generations {
		if chip, ok := g.pci[pci]; ok {
			return g.id, chip, g.tiles, true
		}
	}
	return "", "", 0, false
}
