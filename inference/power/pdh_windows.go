package power

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	pdh              = windows.NewLazySystemDLL("pdh.dll")
	pdhOpenQuery     = pdh.NewProc("PdhOpenQueryW")
	pdhAddEnglish    = pdh.NewProc("PdhAddEnglishCounterW")
	pdhCollect       = pdh.NewProc("PdhCollectQueryData")
	pdhGetRawArray   = pdh.NewProc("PdhGetRawCounterArrayW")
	pdhCloseQuery    = pdh.NewProc("PdhCloseQuery")
	pdhMoreData      = uintptr(0x800007D2)
	pdhMostData      = uint32(16 << 20)
	pdhInstanceSize  = unsafe.Sizeof(pdhRawItem{})
	pdhValid, pdhNew = uint32(0), uint32(1)
)

// pdhRawItem is PDH_RAW_COUNTER_ITEM_W.
type pdhRawItem struct {
	name   *uint16
	status uint32
	time   [2]uint32
	first  int64
	second int64
	multi  uint32
}

// pdhRead collects all instances of a counter once.
func pdhRead(path string) ([]instance, error) {
	text, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	var query, counter windows.Handle
	if status, _, _ := pdhOpenQuery.Call(0, 0, uintptr(unsafe.Pointer(&query))); status != 0 {
		return nil, pdhFailed(path, status)
	}
	defer pdhCloseQuery.Call(uintptr(query))
	if status, _, _ := pdhAddEnglish.Call(uintptr(query), uintptr(unsafe.Pointer(text)), 0, uintptr(unsafe.Pointer(&counter))); status != 0 {
		return nil, pdhFailed(path, status)
	}
	if status, _, _ := pdhCollect.Call(uintptr(query)); status != 0 {
		return nil, pdhFailed(path, status)
	}
	var size, n uint32
	status, _, _ := pdhGetRawArray.Call(uintptr(counter), uintptr(unsafe.Pointer(&size)), uintptr(unsafe.Pointer(&n)), 0)
	if status != pdhMoreData || size == 0 || size > pdhMostData {
		return nil, pdhFailed(path, status)
	}
	buffer := make([]uint64, (size+7)/8) // aligned for the items; their names follow them
	status, _, _ = pdhGetRawArray.Call(uintptr(counter), uintptr(unsafe.Pointer(&size)), uintptr(unsafe.Pointer(&n)), uintptr(unsafe.Pointer(&buffer[0])))
	if status != 0 || uintptr(n)*pdhInstanceSize > uintptr(len(buffer))*8 {
		return nil, pdhFailed(path, status)
	}
	var all []instance
	for _, item := range unsafe.Slice((*pdhRawItem)(unsafe.Pointer(&buffer[0])), n) {
		if item.status == pdhValid || item.status == pdhNew {
			all = append(all, instance{windows.UTF16PtrToString(item.name), uint64(item.first)})
		}
	}
	return all, nil
}

func pdhFailed(path string, status uintptr) error {
	return unknown("Windows has no performance counter %s here (error 0x%08X)", path, uint32(status))
}
