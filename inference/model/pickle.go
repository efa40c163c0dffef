package model

import (
	"encoding/binary"
	"fmt"
	"math"
)

// The pickle reader knows the opcodes that torch.save writes for a state dict
// and no others. Calls are never made: a REDUCE is looked at by the unpickler's
// call function, which knows three names. So reading a pickle cannot run code.
//
// Opcode numbers are those of CPython's Lib/pickletools.py.
const (
	opMark           = '('
	opStop           = '.'
	opBinFloat       = 'G'
	opBinInt         = 'J'
	opBinInt1        = 'K'
	opBinInt2        = 'M'
	opNone           = 'N'
	opBinPersID      = 'Q'
	opReduce         = 'R'
	opBinUnicode     = 'X'
	opAppend         = 'a'
	opBuild          = 'b'
	opGlobal         = 'c'
	opAppends        = 'e'
	opBinGet         = 'h'
	opLongBinGet     = 'j'
	opBinPut         = 'q'
	opLongBinPut     = 'r'
	opSetItem        = 's'
	opTuple          = 't'
	opSetItems       = 'u'
	opEmptyTuple     = ')'
	opEmptyList      = ']'
	opEmptyDict      = '}'
	opProto          = 0x80
	opTuple1         = 0x85
	opTuple2         = 0x86
	opTuple3         = 0x87
	opNewTrue        = 0x88
	opNewFalse       = 0x89
	opLong1          = 0x8a
	opShortBinString = 0x8c
	opStackGlobal    = 0x93
	opMemoize        = 0x94
	opFrame          = 0x95
)

// Names for opcodes that are refused, where a hostile pickle likely has them.
var refusedOpcodes = map[byte]string{
	'i': "INST", 'o': "OBJ", 0x81: "NEWOBJ", 0x92: "NEWOBJ_EX", 'P': "PERSID",
	0x82: "EXT1", 0x83: "EXT2", 0x84: "EXT4", 'I': "INT", 'F': "FLOAT",
	'S': "STRING", 'V': "UNICODE", 'T': "BINSTRING", 'U': "SHORT_BINSTRING",
	'B': "BINBYTES", 'C': "SHORT_BINBYTES", 'd': "DICT", 'l': "LIST", 'L': "LONG",
	'0': "POP", '1': "POP_MARK", '2': "DUP", 'g': "GET", 'p': "PUT", 0x8b: "LONG4",
	0x8d: "BINUNICODE8", 0x8e: "BINBYTES8", 0x8f: "EMPTY_SET", 0x90: "ADDITEMS", 0x91: "FROZENSET",
}

// Pickled values are string, int64, float64, bool, nil and these.
type (
	pyMark   struct{}
	pyTuple  []any
	pyList   struct{ items []any }
	pyGlobal string // module and name, joined by a dot
	pyDict   struct {
		keys   []string
		values map[string]any
	}
)

// pickleError says at which byte of the pickle reading stopped.
type pickleError struct {
	at  int
	why string
}

func (e *pickleError) Error() string { return fmt.Sprintf("byte %d: %s", e.at, e.why) }

// unpickler runs one pickle. Every value on the stack comes from bytes of
// the pickle and none is copied deeply, so memory is bounded by its length.
type unpickler struct {
	data  []byte
	pos   int
	start int // of the opcode being run
	stack []any
	memo  map[uint32]any

	global     func(name string) error
	persistent func(id any) (any, error)
	call       func(f pyGlobal, args pyTuple) (any, error)
}

func (u *unpickler) fail(format string, args ...any) error {
	return &pickleError{at: u.start, why: fmt.Sprintf(format, args...)}
}

func (u *unpickler) run() (any, error) {
	u.memo = make(map[uint32]any)
	for u.pos < len(u.data) {
		u.start = u.pos
		op := u.data[u.pos]
		u.pos++
		if op == opStop {
			v, err := u.pop()
			if err == nil && len(u.stack) > 0 {
				err = u.fail("the pickle ends with %d values left over", len(u.stack))
			}
			return v, err
		}
		if err := u.step(op); err != nil {
			return nil, err
		}
	}
	u.start = len(u.data)
	return nil, u.fail("the pickle ends without its STOP: it is cut short")
}

func (u *unpickler) step(op byte) error {
	switch op {
	case opProto:
		b, err := u.take(1)
		if err == nil && (b[0] < 2 || b[0] > 5) {
			err = u.fail("pickle protocol %d is not supported", b[0])
		}
		return err
	case opFrame:
		_, err := u.take(8)
		return err
	case opMark:
		u.push(pyMark{})
	case opNone:
		u.push(nil)
	case opNewTrue:
		u.push(true)
	case opNewFalse:
		u.push(false)
	case opEmptyTuple:
		u.push(pyTuple(nil))
	case opEmptyList:
		u.push(&pyList{})
	case opEmptyDict:
		u.push(newDict())
	case opBinInt, opBinInt1, opBinInt2, opLong1, opBinFloat:
		return u.number(op)
	case opBinUnicode, opShortBinString:
		return u.text(op)
	case opGlobal, opStackGlobal:
		return u.pushGlobal(op)
	case opBinPut, opLongBinPut, opMemoize:
		return u.put(op)
	case opBinGet, opLongBinGet:
		return u.get(op)
	case opTuple, opTuple1, opTuple2, opTuple3:
		return u.tuple(op)
	case opAppend, opAppends, opSetItem, opSetItems:
		return u.fill(op)
	case opBinPersID, opReduce, opBuild:
		return u.apply(op)
	default:
		if name, ok := refusedOpcodes[op]; ok {
			return u.fail("opcode %s is refused: weights do not need it", name)
		}
		return u.fail("opcode %#02x is refused: weights do not need it", op)
	}
	return nil
}

func (u *unpickler) number(op byte) error {
	n := map[byte]int{opBinInt: 4, opBinInt1: 1, opBinInt2: 2, opLong1: 1, opBinFloat: 8}[op]
	b, err := u.take(n)
	if err != nil {
		return err
	}
	switch op {
	case opBinInt:
		u.push(int64(int32(binary.LittleEndian.Uint32(b))))
	case opBinInt1:
		u.push(int64(b[0]))
	case opBinInt2:
		u.push(int64(binary.LittleEndian.Uint16(b)))
	case opBinFloat:
		u.push(math.Float64frombits(binary.BigEndian.Uint64(b)))
	case opLong1: // little-endian two's complement of b[0] bytes
		digits, err := u.take(int(b[0]))
		if err != nil {
			return err
		}
		if len(digits) > 8 {
			return u.fail("a number of %d bytes is too large", len(digits))
		}
		var v int64
		for i, d := range digits {
			v |= int64(d) << (8 * i)
		}
		if unused := 64 - 8*len(digits); unused < 64 {
			v = v << unused >> unused
		}
		u.push(v)
	}
	return nil
}

func (u *unpickler) text(op byte) error {
	width := 1
	if op == opBinUnicode {
		width = 4
	}
	n, err := u.uint(width)
	if err != nil {
		return err
	}
	b, err := u.take(int(n))
	if err != nil {
		return err
	}
	u.push(string(b))
	return nil
}

func (u *unpickler) put(op byte) error {
	key := uint32(len(u.memo))
	if op != opMemoize {
		k, err := u.index(op == opLongBinPut)
		if err != nil {
			return err
		}
		key = k
	}
	if len(u.stack) == 0 {
		return u.fail("nothing to remember")
	}
	u.memo[key] = u.stack[len(u.stack)-1]
	return nil
}

func (u *unpickler) get(op byte) error {
	key, err := u.index(op == opLongBinGet)
	if err != nil {
		return err
	}
	v, ok := u.memo[key]
	if !ok {
		return u.fail("value %d was never remembered", key)
	}
	u.push(v)
	return nil
}

func (u *unpickler) index(long bool) (uint32, error) {
	if long {
		return u.uint(4)
	}
	return u.uint(1)
}
