package device

import (
	"encoding/binary"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/cpu"
	"golang.org/x/sys/windows"
)

var (
	kernel32           = windows.NewLazySystemDLL("kernel32.dll")
	globalMemoryStatus = kernel32.NewProc("GlobalMemoryStatusEx")
	processorInfo      = kernel32.NewProc("GetLogicalProcessorInformationEx")
)

func counted() Counted {
	c := Counted{Threads: runtime.NumCPU(), Cores: coresByClass(), Memory: memoryWindows()}
	for _, f := range []struct {
		has  bool
		name string
	}{
		{cpu.X86.HasAVX2, "AVX2"}, {cpu.X86.HasAVXVNNI, "AVX-VNNI"}, {cpu.X86.HasAVXVNNIInt8, "AVX-VNNI-INT8"},
		{cpu.X86.HasAVX512F, "AVX512"}, {cpu.X86.HasAVX512VNNI, "AVX512-VNNI"}, {cpu.X86.HasAVX512BF16, "AVX512-BF16"},
		{cpu.X86.HasAMXInt8, "AMX-INT8"}, {cpu.X86.HasAMXBF16, "AMX-BF16"},
		{cpu.ARM64.HasASIMD, "NEON"}, {cpu.ARM64.HasASIMDDP, "DOTPROD"}, {cpu.ARM64.HasI8MM, "I8MM"}, {cpu.ARM64.HasSVE, "SVE"},
	} {
		if f.has {
			c.Features = append(c.Features, f.name)
		}
	}
	return c
}

// memoryWindows returns ullTotalPhys of MEMORYSTATUSEX (sysinfoapi.h), 0 if unknown.
func memoryWindows() int64 {
	status := struct {
		length, load uint32
		totalPhys    uint64
		rest         [6]uint64
	}{}
	status.length = uint32(unsafe.Sizeof(status))
	if ok, _, _ := globalMemoryStatus.Call(uintptr(unsafe.Pointer(&status))); ok == 0 {
		return 0
	}
	return int64(status.totalPhys)
}

// coresByClass counts cores by their class of efficiency, slowest first.
// SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX (winnt.h) begins with the relationship
// and the size, both of 32 bits; a core's PROCESSOR_RELATIONSHIP goes on with
// a byte of flags and a byte that is the class.
func coresByClass() []int {
	const relationProcessorCore = 0
	var size uint32
	processorInfo.Call(relationProcessorCore, 0, uintptr(unsafe.Pointer(&size)))
	if size == 0 || size > 1<<20 {
		return nil
	}
	buffer := make([]byte, size)
	if ok, _, _ := processorInfo.Call(relationProcessorCore, uintptr(unsafe.Pointer(&buffer[0])), uintptr(unsafe.Pointer(&size))); ok == 0 {
		return nil
	}
	var classes [256]int
	for b := buffer[:size]; len(b) >= 10; {
		n := binary.LittleEndian.Uint32(b[4:])
		if n < 10 || int(n) > len(b) {
			break
		}
		classes[b[9]]++
		b = b[n:]
	}
	var counts []int
	for _, n := range classes {
		if n > 0 {
			counts = append(counts, n)
		}
	}
	return counts
}

// fileVersion reads the version resource of a library, "1.28.2.0".
func fileVersion(dir, name string) string {
	path := filepath.Join(dir, filepath.FromSlash(name))
	var ignored windows.Handle
	size, err := windows.GetFileVersionInfoSize(path, &ignored)
	if err != nil || size == 0 {
		return ""
	}
	buffer := make([]byte, size)
	if windows.GetFileVersionInfo(path, 0, size, unsafe.Pointer(&buffer[0])) != nil {
		return ""
	}
	var info *windows.VS_FIXEDFILEINFO
	var length uint32
	if windows.VerQueryValue(unsafe.Pointer(&buffer[0]), `\`, unsafe.Pointer(&info), &length) != nil || info == nil {
		return ""
	}
	parts := []uint32{info.FileVersionMS >> 16, info.FileVersionMS & 0xffff, info.FileVersionLS >> 16, info.FileVersionLS & 0xffff}
	text := make([]string, len(parts))
	for i, p := range parts {
		text[i] = strconv.FormatUint(uint64(p), 10)
	}
	return strings.Join(text, ".")
}
