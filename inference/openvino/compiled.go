package openvino

import "unsafe"

// CompiledModel is a model made ready for one device. It is safe for
// concurrent use; each goroutine makes requests of its own.
type CompiledModel struct {
	rt  *Runtime
	ptr uintptr
}

func newCompiledModel(r *Runtime) *CompiledModel {
	r.live.Add(1)
	return &CompiledModel{rt: r}
}

func (c *CompiledModel) orClose(err error) (*CompiledModel, error) {
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// Close gives the native object back. Requests made from it stay usable.
func (c *CompiledModel) Close() {
	if c == nil || c.rt == nil {
		return
	}
	if c.ptr != 0 {
		c.rt.free(c.rt.sym.compiledFree, c.ptr)
	}
	c.rt.live.Add(-1)
	c.rt = nil
}

// Property reads a property, as text: EXECUTION_DEVICES, LOADED_FROM_CACHE.
func (c *CompiledModel) Property(key string) (string, error) {
	var value *byte
	err := c.rt.call("ov_compiled_model_get_property", c.rt.sym.compiledGetProperty, c.ptr,
		uintptr(unsafe.Pointer(cString(key))), uintptr(unsafe.Pointer(&value)))
	if err != nil {
		return "", err
	}
	return c.rt.takeString(value), nil
}

// Export writes the compiled form to a file that Import reads again with the
// same runtime and device. On Windows the path must be in the system's code
// page: the C API has no wide-character form of this call.
func (c *CompiledModel) Export(path string) error {
	return c.rt.call("ov_compiled_model_export_model", c.rt.sym.compiledExport, c.ptr, uintptr(unsafe.Pointer(cString(path))))
}

// NewRequest makes a request. A new request starts with fresh state, which is
// how a stateful model is reset: the C API has no call for it.
func (c *CompiledModel) NewRequest() (*InferRequest, error) {
	q := &InferRequest{rt: c.rt}
	if err := c.rt.call("ov_compiled_model_create_infer_request", c.rt.sym.createRequest, c.ptr, uintptr(unsafe.Pointer(&q.ptr))); err != nil {
		return nil, err
	}
	c.rt.live.Add(1)
	return q, nil
}
