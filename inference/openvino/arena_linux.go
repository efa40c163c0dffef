package openvino

import (
	"os"
	"strings"

	"github.com/ebitengine/purego"
)

// arenaMax is M_ARENA_MAX of glibc's malloc.h.
const arenaMax = -8

// init makes glibc's malloc make no more arenas (mallopt(3)). By default each
// thread gets one until there are 8 for each processor, and each keeps what it
// once needed: Go calls the library from many threads, one at a time, which
// would hold the library's memory that many times and gain nothing by it.
//
// Arenas that are there stay in use, and where there are more than 8 already,
// glibc asks for no limit any more. So this comes before the library and before
// the program starts threads; a few arenas of Go's own threads remain, which only
// variables such as MALLOC_ARENA_MAX and GLIBC_TUNABLES prevent. What the user asks of glibc stands.
// Another C library, such as musl, has no mallopt.
func init() {
	if os.Getenv("MALLOC_ARENA_MAX") != "" || strings.Contains(os.Getenv("GLIBC_TUNABLES"), "malloc.arena_max") {
		return
	}
	if mallopt, err := purego.Dlsym(purego.RTLD_DEFAULT, "mallopt"); err == nil {
		limit := int32(arenaMax)
		purego.SyscallN(mallopt, uintptr(limit), 1)
	}
}
