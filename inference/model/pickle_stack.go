package model

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

func (u *unpickler) take(n int) ([]byte, error) {
	if n < 0 || n > len(u.data)-u.pos {
		return nil, u.fail("%d bytes wanted, %d left: the pickle is cut short", n, len(u.data)-u.pos)
	}
	b := u.data[u.pos : u.pos+n]
	u.pos += n
	return b, nil
}

// uint reads a little-endian number of 1 or 4 bytes.
func (u *unpickler) uint(width int) (uint32, error) {
	b, err := u.take(width)
	if err != nil {
		return 0, err
	}
	if width == 1 {
		return uint32(b[0]), nil
	}
	return binary.LittleEndian.Uint32(b), nil
}

func (u *unpickler) line() (string, error) {
	end := bytes.IndexByte(u.data[u.pos:], '\n')
	if end < 0 {
		return "", u.fail("a line without an end: the pickle is cut short")
	}
	s := string(u.data[u.pos : u.pos+end])
	u.pos += end + 1
	return s, nil
}

func (u *unpickler) push(v any) { u.stack = append(u.stack, v) }

func (u *unpickler) pop() (any, error) {
	if len(u.stack) == 0 {
		return nil, u.fail("a value is missing")
	}
	v := u.stack[len(u.stack)-1]
	if _, mark := v.(pyMark); mark {
		return nil, u.fail("a value is missing after a mark")
	}
	u.stack = u.stack[:len(u.stack)-1]
	return v, nil
}

// popMark takes what lies above the topmost mark, and the mark. The slice is
// the stack's own and holds until the next push.
func (u *unpickler) popMark() ([]any, error) {
	for i := len(u.stack) - 1; i >= 0; i-- {
		if _, mark := u.stack[i].(pyMark); mark {
			items := u.stack[i+1:]
			u.stack = u.stack[:i]
			return items, nil
		}
	}
	return nil, u.fail("a mark is missing")
}

func (u *unpickler) pushGlobal(op byte) error {
	var module, name string
	if op == opGlobal {
		var err error
		if module, err = u.line(); err != nil {
			return err
		}
		if name, err = u.line(); err != nil {
			return err
		}
	} else {
		n, err := u.pop()
		if err != nil {
			return err
		}
		m, err := u.pop()
		if err != nil {
			return err
		}
		var ok1, ok2 bool
		module, ok1 = m.(string)
		name, ok2 = n.(string)
		if !ok1 || !ok2 {
			return u.fail("a global's name is not text")
		}
	}
	full := module + "." + name
	if err := u.global(full); err != nil {
		return u.fail("%v", err)
	}
	u.push(pyGlobal(full))
	return nil
}

func (u *unpickler) tuple(op byte) error {
	if op == opTuple {
		items, err := u.popMark()
		if err != nil {
			return err
		}
		u.push(append(pyTuple(nil), items...))
		return nil
	}
	t := make(pyTuple, int(op)-opTuple1+1)
	for i := len(t) - 1; i >= 0; i-- {
		v, err := u.pop()
		if err != nil {
			return err
		}
		t[i] = v
	}
	u.push(t)
	return nil
}

// fill adds items to the list or dict below them.
func (u *unpickler) fill(op byte) error {
	var items []any
	var err error
	switch op {
	case opAppend, opSetItem:
		n := 1
		if op == opSetItem {
			n = 2
		}
		if len(u.stack) < n {
			return u.fail("a value is missing")
		}
		items = u.stack[len(u.stack)-n:]
		u.stack = u.stack[:len(u.stack)-n]
	default:
		if items, err = u.popMark(); err != nil {
			return err
		}
	}
	if len(u.stack) == 0 {
		return u.fail("nothing to add items to")
	}
	switch into := u.stack[len(u.stack)-1].(type) {
	case *pyList:
		if op == opAppend || op == opAppends {
			into.items = append(into.items, items...)
			return nil
		}
	case *pyDict:
		if op == opSetItem || op == opSetItems {
			return u.setItems(into, items)
		}
	}
	return u.fail("items are added to %s", kindOf(u.stack[len(u.stack)-1]))
}

func (u *unpickler) setItems(d *pyDict, items []any) error {
	if len(items)%2 != 0 {
		return u.fail("a key without a value")
	}
	for i := 0; i < len(items); i += 2 {
		key, ok := items[i].(string)
		if !ok {
			return u.fail("a key is %s, not text", kindOf(items[i]))
		}
		if _, dup := d.values[key]; dup {
			return u.fail("key %q is set twice", key)
		}
		d.keys = append(d.keys, key)
		d.values[key] = items[i+1]
	}
	return nil
}

func (u *unpickler) apply(op byte) error {
	arg, err := u.pop()
	if err != nil {
		return err
	}
	if op == opBinPersID {
		v, err := u.persistent(arg)
		if err != nil {
			return u.fail("%v", err)
		}
		u.push(v)
		return nil
	}
	target, err := u.pop()
	if err != nil {
		return err
	}
	if op == opBuild {
		// A state dict carries its modules' versions as an attribute, which
		// nothing here needs; on anything else state could mean something.
		_, ok1 := target.(*pyDict)
		_, ok2 := arg.(*pyDict)
		if !ok1 || !ok2 {
			return u.fail("state is set on %s", kindOf(target))
		}
		u.push(target)
		return nil
	}
	f, ok1 := target.(pyGlobal)
	args, ok2 := arg.(pyTuple)
	if !ok1 || !ok2 {
		return u.fail("%s is called with %s", kindOf(target), kindOf(arg))
	}
	v, err := u.call(f, args)
	if err != nil {
		return u.fail("%v", err)
	}
	u.push(v)
	return nil
}

func newDict() *pyDict { return &pyDict{values: make(map[string]any)} }

// kindOf names a value without printing it: values may contain themselves.
func kindOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case pyTuple:
		return "a tuple"
	case *pyList:
		return "a list"
	case *pyDict:
		return "a dict"
	case pyGlobal:
		return fmt.Sprintf("%q", string(v))
	case pyMark:
		return "a mark"
	case string:
		return "text"
	case bool:
		return "a truth value"
	case int64, float64:
		return "a number"
	case storage:
		return "a storage"
	case pickledTensor:
		return "a tensor"
	}
	return "a value"
}
