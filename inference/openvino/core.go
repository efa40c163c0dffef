package openvino

import (
	"runtime"
	"slices"
	"sync"
	"unsafe"
)

// Core loads device plugins and compiles models. It is safe for concurrent
// use: compiling and importing take turns, because the library does not
// promise that they may overlap.
type Core struct {
	rt      *Runtime
	ptr     uintptr
	compile sync.Mutex
}

// Properties are OpenVINO's string settings, for example
// {"PERFORMANCE_HINT": "LATENCY"}.
type Properties map[string]string

// NewCore makes a core. One that lasts as long as the process may stay open.
func (r *Runtime) NewCore() (*Core, error) {
	c := &Core{rt: r}
	if err := r.call("ov_core_create", r.sym.coreCreate, uintptr(unsafe.Pointer(&c.ptr))); err != nil {
		return nil, err
	}
	r.live.Add(1)
	// Loads the CPU plugin. Where that fails, whoever compiles is told why.
	keepingSignalStack(func() { _, _ = c.Property("CPU", "FULL_DEVICE_NAME") })
	return c, nil
}

// Close gives the core and the plugins that it has loaded back. Whatever was
// made of it must be closed before, and nothing may use it any more.
func (c *Core) Close() {
	if c == nil || c.ptr == 0 {
		return
	}
	c.rt.free(c.rt.sym.coreFree, c.ptr)
	c.ptr = 0
	c.rt.live.Add(-1)
}

// Runtime is the library that the core belongs to.
func (c *Core) Runtime() *Runtime { return c.rt }

// Devices lists the devices whose plugin found hardware, as in ["CPU", "NPU"].
// A plugin that fails to load is silently left out by the library.
func (c *Core) Devices() ([]string, error) {
	var list struct {
		names **byte
		size  uintptr
	}
	if err := c.rt.call("ov_core_get_available_devices", c.rt.sym.coreDevices, c.ptr, uintptr(unsafe.Pointer(&list))); err != nil {
		return nil, err
	}
	defer c.rt.free(c.rt.sym.devicesFree, uintptr(unsafe.Pointer(&list)))
	var devices []string
	for _, name := range unsafe.Slice(list.names, list.size) {
		devices = append(devices, goString(name))
	}
	return devices, nil
}

// PluginVersion returns the build number of a device's plugin, which fails
// with the plugin's own reason where it cannot be loaded.
func (c *Core) PluginVersion(device string) (string, error) {
	type coreVersion struct { // ov_core_version_t
		_     *byte // device
		build *byte
		_     *byte // description
	}
	var list struct {
		versions *coreVersion
		size     uintptr
	}
	name := cString(device)
	if err := c.rt.call("ov_core_get_versions_by_device_name", c.rt.sym.coreVersions, c.ptr, uintptr(unsafe.Pointer(name)), uintptr(unsafe.Pointer(&list))); err != nil {
		return "", err
	}
	defer c.rt.free(c.rt.sym.coreVersionsFree, uintptr(unsafe.Pointer(&list)))
	for _, v := range unsafe.Slice(list.versions, list.size) {
		return goString(v.build), nil
	}
	return "", nil
}

// Property reads a property of a device, as text.
func (c *Core) Property(device, key string) (string, error) {
	var value *byte
	err := c.rt.call("ov_core_get_property", c.rt.sym.coreGetProperty, c.ptr,
		uintptr(unsafe.Pointer(cString(device))), uintptr(unsafe.Pointer(cString(key))), uintptr(unsafe.Pointer(&value)))
	if err != nil {
		return "", err
	}
	return c.rt.takeString(value), nil
}

// SetProperty sets a property of a device for all later compiles and imports.
func (c *Core) SetProperty(device, key, value string) error {
	return c.rt.call("ov_core_set_property", c.rt.sym.coreSetProperty, c.ptr,
		uintptr(unsafe.Pointer(cString(device))), uintptr(unsafe.Pointer(cString(key))), uintptr(unsafe.Pointer(cString(value))))
}

// ReadModelFile reads an IR: an .xml with its .bin beside it.
func (c *Core) ReadModelFile(path string) (*Model, error) {
	m := newModel(c.rt)
	err := c.rt.call("ov_core_read_model", c.rt.sym.readModel, c.ptr,
		uintptr(unsafe.Pointer(cString(path))), 0, uintptr(unsafe.Pointer(&m.ptr)))
	return m.orClose(err)
}

// ReadModel reads an IR from memory. The weights (the .bin; nil for a model
// without constants) are not copied: they must stay in place and unchanged as
// long as the model and whatever was compiled from it. The Model keeps the
// tensor and closes it.
func (c *Core) ReadModel(xml []byte, weights []byte) (*Model, error) {
	m := newModel(c.rt)
	var weightsPtr uintptr
	if len(weights) > 0 {
		t, err := NewTensorOn(c.rt, U8, weights, int64(len(weights)))
		if err != nil {
			return m.orClose(err)
		}
		m.weights, weightsPtr = t, t.ptr
	}
	err := c.rt.call("ov_core_read_model_from_memory_buffer", c.rt.sym.readMemory, c.ptr,
		uintptr(unsafe.Pointer(unsafe.SliceData(xml))), uintptr(len(xml)), weightsPtr, uintptr(unsafe.Pointer(&m.ptr)))
	return m.orClose(err)
}

// Compile makes a model ready for a device ("CPU", "GPU", "NPU", "NPU.4000").
func (c *Core) Compile(m *Model, device string, p Properties) (*CompiledModel, error) {
	c.compile.Lock()
	defer c.compile.Unlock()
	compiled := newCompiledModel(c.rt)
	if c.rt.sym.compileProps != 0 {
		return compiled.orClose(c.compileProps(m, device, p, compiled))
	}
	return compiled.orClose(c.compileVariadic(m, device, p, compiled))
}

// compileProps uses the function that 2026.4 added so that callers need no
// variadic arguments.
func (c *Core) compileProps(m *Model, device string, p Properties, compiled *CompiledModel) error {
	type property struct{ key, value *byte }
	properties := make([]property, 0, len(p))
	for _, key := range sortedKeys(p) {
		properties = append(properties, property{cString(key), cString(p[key])})
	}
	return c.rt.call("ov_core_compile_model_props", c.rt.sym.compileProps, c.ptr, m.ptr,
		uintptr(unsafe.Pointer(cString(device))), uintptr(len(properties)),
		uintptr(unsafe.Pointer(unsafe.SliceData(properties))), uintptr(unsafe.Pointer(&compiled.ptr)))
}

// compileVariadic calls the older function, which counts keys and values.
// Pointers in variadic positions travel as fixed ones do on every platform
// that dragoman runs on.
func (c *Core) compileVariadic(m *Model, device string, p Properties, compiled *CompiledModel) error {
	var pin runtime.Pinner
	defer pin.Unpin()
	address := func(s string) uintptr {
		b := cString(s)
		pin.Pin(b)
		return uintptr(unsafe.Pointer(b))
	}
	pin.Pin(compiled)
	args := []uintptr{c.ptr, m.ptr, address(device), uintptr(2 * len(p)), uintptr(unsafe.Pointer(&compiled.ptr))}
	for _, key := range sortedKeys(p) {
		args = append(args, address(key), address(p[key]))
	}
	return c.rt.call("ov_core_compile_model", c.rt.sym.compile, args...)
}

// Import makes a compiled model from what Export wrote. The content is not
// copied: it must stay in place and unchanged as long as the compiled model and
// its requests. On Go memory the caller must pin it.
func (c *Core) Import(content []byte, device string) (*CompiledModel, error) {
	c.compile.Lock()
	defer c.compile.Unlock()
	compiled := newCompiledModel(c.rt)
	err := c.rt.call("ov_core_import_model", c.rt.sym.importModel, c.ptr,
		uintptr(unsafe.Pointer(unsafe.SliceData(content))), uintptr(len(content)),
		uintptr(unsafe.Pointer(cString(device))), uintptr(unsafe.Pointer(&compiled.ptr)))
	return compiled.orClose(err)
}

func sortedKeys(p Properties) []string {
	keys := make([]string, 0, len(p))
	for key := range p {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
