package cores

import "encoding/binary"

// relationCore is RelationProcessorCore of GetLogicalProcessorInformationEx.
const relationCore = 0

// Places in SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX with a PROCESSOR_RELATIONSHIP, as
// Microsoft documents them, on 64 bits.
const (
	recordSize  = 4      // uint32, of the whole record
	recordClass = 8 + 1  // byte, larger is faster
	groupCount  = 8 + 22 // uint16
	groupMasks  = 8 + 24 // groups of 16 bytes: mask uint64, number uint16
	groupSize   = 16
)

// inRecords reads the records of a Windows system. mine is the mask of the CPUs that
// the process may use, 0 for all.
func inRecords(data []byte, mine uint64) (all []core) {
	for len(data) >= groupMasks {
		size := int(binary.LittleEndian.Uint32(data[recordSize:]))
		if size < groupMasks || size > len(data) {
			return all
		}
		record := data[:size]
		data = data[size:]
		if binary.LittleEndian.Uint32(record) != relationCore {
			continue
		}
		usable := false
		for i := range int(binary.LittleEndian.Uint16(record[groupCount:])) {
			at := groupMasks + i*groupSize
			if at+groupSize > size {
				break
			}
			mask := binary.LittleEndian.Uint64(record[at:])
			usable = usable || mine == 0 || mask&mine != 0
		}
		if usable {
			all = append(all, core{1 << record[recordClass]}) // each class counts as twice as fast
		}
	}
	return all
}
