package kernel

import (
	"syscall"

	"golang.org/x/sys/cpu"
)

// Tiles must be asked for, because their registers are large: a program's signal stacks
// must have room for them (arch_prctl's ARCH_REQ_XCOMP_PERM, Linux 5.16; Go's have).
const (
	requestPermission = 0x1023
	tileData          = 18
)

// hasTiles asks for the processor's instructions for tiles.
func hasTiles() bool {
	if !cpu.X86.HasAMXTile || !cpu.X86.HasAMXInt8 {
		return false
	}
	_, _, failed := syscall.Syscall(syscall.SYS_ARCH_PRCTL, requestPermission, tileData, 0)
	return failed == 0
}
