package device

import (
	"slices"
	"strconv"
	"strings"
)

// features are the instructions that decide how fast a model runs on the CPU:
// the kernel's name and the one we show. Kernel: arch/x86/include/asm/cpufeatures.h,
// arch/arm64/include/asm/hwcap.h.
var features = []struct{ kernel, name string }{
	{"avx2", "AVX2"}, {"avx_vnni", "AVX-VNNI"}, {"avx_vnni_int8", "AVX-VNNI-INT8"},
	{"avx512f", "AVX512"}, {"avx512_vnni", "AVX512-VNNI"}, {"avx512_bf16", "AVX512-BF16"}, {"avx512_fp16", "AVX512-FP16"},
	{"amx_int8", "AMX-INT8"}, {"amx_bf16", "AMX-BF16"}, {"amx_fp16", "AMX-FP16"},
	{"asimd", "NEON"}, {"asimddp", "DOTPROD"}, {"i8mm", "I8MM"}, {"bf16", "BF16"}, {"sve", "SVE"},
}

// withNPU are Intel's processors of family 6 that have an NPU, by model number.
// Kernel: arch/x86/include/asm/intel-family.h.
var withNPU = map[int]string{
	0xAA: "Meteor Lake", 0xAC: "Meteor Lake",
	0xB5: "Arrow Lake", 0xC5: "Arrow Lake", 0xC6: "Arrow Lake",
	0xBD: "Lunar Lake",
	0xCC: "Panther Lake",
	0xD5: "Wildcat Lake",
}

// chipOf names an Intel processor with an NPU, "" for every other.
func chipOf(vendor, family, model string) string {
	n, err := strconv.Atoi(model)
	if err != nil || vendor != "GenuineIntel" || family != "6" {
		return ""
	}
	return withNPU[n]
}

// processorLinux reads /proc/cpuinfo and, of processors with two kinds of
// cores, the lists that the kernel keeps of each.
func processorLinux(v view) Processor {
	var p Processor
	type core struct{ socket, id string }
	cores, coreOf := map[core]bool{}, map[int]core{}
	for block := range strings.SplitSeq(v.text("proc/cpuinfo"), "\n\n") {
		f := fields(block, ":")
		number, err := strconv.Atoi(f["processor"])
		if err != nil {
			continue
		}
		p.Threads++
		if id, known := f["core id"]; known {
			coreOf[number] = core{f["physical id"], id}
			cores[coreOf[number]] = true
		}
		if p.Threads > 1 {
			continue // those of one machine are alike
		}
		p.Model = f["model name"]
		p.Chip = chipOf(f["vendor_id"], f["cpu family"], f["model"])
		flags := strings.Fields(f["flags"] + " " + f["Features"])
		for _, known := range features {
			if slices.Contains(flags, known.kernel) {
				p.Features = append(p.Features, known.name)
			}
		}
	}
	p.Cores = len(cores)
	count := func(kind string) int {
		of := map[core]bool{}
		for _, number := range numbers(v.text("sys/devices/" + kind + "/cpus")) {
			if c, known := coreOf[number]; known {
				of[c] = true
			}
		}
		return len(of)
	}
	if fast, slow := count("cpu_core"), count("cpu_atom")+count("cpu_lowpower"); fast > 0 && slow > 0 {
		p.Performance, p.Efficient = fast, slow
	}
	return p
}

// numbers reads a list as the kernel writes it, "0-11,14".
func numbers(list string) []int {
	var all []int
	for part := range strings.SplitSeq(list, ",") {
		first, last, isRange := strings.Cut(strings.TrimSpace(part), "-")
		if !isRange {
			last = first
		}
		low, err1 := strconv.Atoi(first)
		high, err2 := strconv.Atoi(last)
		if err1 != nil || err2 != nil || high-low > 1<<16 {
			continue
		}
		for n := low; n <= high; n++ {
			all = append(all, n)
		}
	}
	return all
}

// memoryLinux returns the machine's memory in bytes, 0 if unknown.
func memoryLinux(v view) int64 {
	kilobytes, err := strconv.ParseInt(strings.TrimSuffix(fields(v.text("proc/meminfo"), ":")["MemTotal"], " kB"), 10, 64)
	if err != nil {
		return 0
	}
	return kilobytes << 10
}

// asDevice is the processor as the device that it always is.
func (p Processor) asDevice(memory int64) Device {
	name := p.Model
	if name == "" {
		name = "Processor"
	}
	return Device{Kind: CPU, Name: name, Chip: p.Chip, Memory: memory}
}
