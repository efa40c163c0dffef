package openvino

import (
	"fmt"
	"reflect"
	"strings"
)

// symbols are the addresses of the C functions in use, by the name in the tag.
// A name with ",optional" may be missing.
type symbols struct {
	getVersion  uintptr `ov:"ov_get_openvino_version"`
	versionFree uintptr `ov:"ov_version_free"`
	lastError   uintptr `ov:"ov_get_last_err_msg"`
	freeString  uintptr `ov:"ov_free"`

	coreCreate       uintptr `ov:"ov_core_create"`
	coreFree         uintptr `ov:"ov_core_free"`
	coreDevices      uintptr `ov:"ov_core_get_available_devices"`
	devicesFree      uintptr `ov:"ov_available_devices_free"`
	coreVersions     uintptr `ov:"ov_core_get_versions_by_device_name"`
	coreVersionsFree uintptr `ov:"ov_core_versions_free"`
	coreGetProperty  uintptr `ov:"ov_core_get_property"`
	coreSetProperty  uintptr `ov:"ov_core_set_property"`
	readModel        uintptr `ov:"ov_core_read_model"`
	readMemory       uintptr `ov:"ov_core_read_model_from_memory_buffer"`
	compile          uintptr `ov:"ov_core_compile_model"`
	compileProps     uintptr `ov:"ov_core_compile_model_props,optional"`
	importModel      uintptr `ov:"ov_core_import_model"`
	modelFree        uintptr `ov:"ov_model_free"`

	compiledFree        uintptr `ov:"ov_compiled_model_free"`
	compiledExport      uintptr `ov:"ov_compiled_model_export_model"`
	compiledGetProperty uintptr `ov:"ov_compiled_model_get_property"`
	createRequest       uintptr `ov:"ov_compiled_model_create_infer_request"`

	requestFree      uintptr `ov:"ov_infer_request_free"`
	requestGetTensor uintptr `ov:"ov_infer_request_get_tensor"`
	requestSetTensor uintptr `ov:"ov_infer_request_set_tensor"`
	requestInfer     uintptr `ov:"ov_infer_request_infer"`

	tensorCreate   uintptr `ov:"ov_tensor_create"`
	tensorFromHost uintptr `ov:"ov_tensor_create_from_host_ptr"`
	tensorSetShape uintptr `ov:"ov_tensor_set_shape"`
	tensorGetShape uintptr `ov:"ov_tensor_get_shape"`
	tensorType     uintptr `ov:"ov_tensor_get_element_type"`
	tensorBytes    uintptr `ov:"ov_tensor_get_byte_size"`
	tensorData     uintptr `ov:"ov_tensor_data"`
	tensorFree     uintptr `ov:"ov_tensor_free"`
	shapeFree      uintptr `ov:"ov_shape_free"`
}

func (s *symbols) resolve(library uintptr) error {
	v := reflect.ValueOf(s).Elem()
	for i := range v.NumField() {
		name, optional := strings.CutSuffix(v.Type().Field(i).Tag.Get("ov"), ",optional")
		address, err := findSymbol(library, name)
		if err != nil {
			if optional {
				continue
			}
			return fmt.Errorf("function %s is missing: %w", name, err)
		}
		// The fields are unexported, so reflection may name them but not set them.
		*(*uintptr)(v.Field(i).Addr().UnsafePointer()) = address
	}
	return nil
}
