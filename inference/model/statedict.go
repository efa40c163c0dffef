package model

import (
	"fmt"
	"math"
)

// storage is a flat array that pickled tensors are views of; its bytes are
// the archive's record data/KEY.
type storage struct {
	key   string
	dtype DType
	elems int
}

// pickledTensor is a contiguous part of a storage.
type pickledTensor struct {
	name  string
	from  storage
	first int // element of the storage
	shape []int
	elems int
}

// All that a state dict needs of Python. The storage classes name the element type.
var storageTypes = map[string]DType{
	"torch.FloatStorage":    F32,
	"torch.HalfStorage":     F16,
	"torch.BFloat16Storage": BF16,
}

const (
	orderedDict      = "collections.OrderedDict"
	rebuildTensor    = "torch._utils._rebuild_tensor_v2"
	rebuildParameter = "torch._utils._rebuild_parameter"
)

// readStateDict reads the pickle of a torch.save'd state dict: a dict from
// name to tensor, in the order of the file. Nothing is executed; a pickle
// that asks for anything but the names above is refused with what it asked for.
func readStateDict(data []byte) ([]pickledTensor, error) {
	u := &unpickler{data: data, global: allowGlobal, persistent: loadStorage, call: callGlobal}
	v, err := u.run()
	if err != nil {
		return nil, err
	}
	dict, ok := v.(*pyDict)
	if !ok {
		return nil, fmt.Errorf("the file holds %s, not a dict of weights: save model.state_dict()", kindOf(v))
	}
	tensors := make([]pickledTensor, 0, len(dict.keys))
	for _, name := range dict.keys {
		t, ok := dict.values[name].(pickledTensor)
		if !ok {
			return nil, fmt.Errorf("%q is %s, not a tensor: save model.state_dict() alone", name, kindOf(dict.values[name]))
		}
		t.name = name
		tensors = append(tensors, t)
	}
	return tensors, nil
}

func allowGlobal(name string) error {
	if _, ok := storageTypes[name]; ok {
		return nil
	}
	switch name {
	case orderedDict, rebuildTensor, rebuildParameter:
		return nil
	}
	return fmt.Errorf("it asks for %q, which weights in F32, F16 or BF16 do not need: refused, and nothing of it was run", name)
}

func callGlobal(f pyGlobal, args pyTuple) (any, error) {
	switch f {
	case orderedDict:
		if len(args) != 0 {
			return nil, fmt.Errorf("%s with arguments is not supported", f)
		}
		return newDict(), nil
	case rebuildTensor:
		return rebuild(args)
	case rebuildParameter: // tensor, requires_grad, hooks
		if len(args) >= 1 {
			if t, ok := args[0].(pickledTensor); ok {
				return t, nil
			}
		}
		return nil, fmt.Errorf("%s is called without a tensor", f)
	}
	return nil, fmt.Errorf("%s cannot be called", f)
}

// loadStorage takes the tuple that stands for a storage:
// "storage", its class, its key, where it was (cpu, cuda:0) and its elements.
func loadStorage(id any) (any, error) {
	t, ok := id.(pyTuple)
	if !ok || len(t) != 5 {
		return nil, fmt.Errorf("a storage is not described by five values")
	}
	word, ok1 := t[0].(string)
	class, ok2 := t[1].(pyGlobal)
	key, ok3 := t[2].(string)
	elems, ok4 := t[4].(int64)
	if !ok1 || !ok2 || !ok3 || !ok4 || word != "storage" {
		return nil, fmt.Errorf("a storage is described in an unknown way")
	}
	dtype, ok := storageTypes[string(class)]
	if !ok {
		return nil, fmt.Errorf("%q is no storage", string(class))
	}
	if elems < 0 || elems > math.MaxInt {
		return nil, fmt.Errorf("storage %q has %d elements", key, elems)
	}
	return storage{key: key, dtype: dtype, elems: int(elems)}, nil
}

// rebuild takes storage, first element, shape, strides, and two values about
// gradients.
func rebuild(args pyTuple) (any, error) {
	if len(args) < 4 {
		return nil, fmt.Errorf("a tensor is described by %d values", len(args))
	}
	from, ok := args[0].(storage)
	if !ok {
		return nil, fmt.Errorf("a tensor is made from %s, not a storage", kindOf(args[0]))
	}
	first, ok := args[1].(int64)
	if !ok || first < 0 || first > int64(from.elems) {
		return nil, fmt.Errorf("a tensor begins outside its storage %q of %d elements", from.key, from.elems)
	}
	shape, err := ints(args[2])
	if err != nil {
		return nil, err
	}
	strides, err := ints(args[3])
	if err != nil {
		return nil, err
	}
	elems, _, err := extent(from.dtype, shape)
	if err != nil {
		return nil, err
	}
	if elems > from.elems-int(first) {
		return nil, fmt.Errorf("a tensor of shape %v from element %d on does not fit storage %q of %d elements",
			shape, first, from.key, from.elems)
	}
	if !contiguous(shape, strides) {
		return nil, fmt.Errorf("a tensor of shape %v has strides %v: only contiguous tensors are supported, save it after .contiguous()",
			shape, strides)
	}
	return pickledTensor{from: from, first: int(first), shape: shape, elems: elems}, nil
}

func ints(v any) ([]int, error) {
	t, ok := v.(pyTuple)
	if !ok {
		return nil, fmt.Errorf("a shape is %s, not a tuple", kindOf(v))
	}
	if len(t) > 8 {
		return nil, fmt.Errorf("a shape has %d dimensions", len(t))
	}
	out := make([]int, len(t))
	for i, item := range t {
		n, ok := item.(int64)
		if !ok || n < 0 || n > math.MaxInt {
			return nil, fmt.Errorf("a shape holds %s where a size from 0 on is needed", kindOf(item))
		}
		out[i] = int(n)
	}
	return out, nil
}

// contiguous reports whether strides, counted in elements, are those of a
// row-major array. The stride of a dimension of size 1 is never used.
func contiguous(shape, strides []int) bool {
	if len(shape) != len(strides) {
		return false
	}
	want := 1
	for i := len(shape) - 1; i >= 0; i-- {
		if shape[i] == 0 {
			return true
		}
		if shape[i] != 1 && strides[i] != want {
			return false
		}
		want *= shape[i]
	}
	return true
}
