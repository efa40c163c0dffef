// What the device says of itself. The names and forms are those that the NPU
// plugin of 2026.4 gives.
#include "shim.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static int is_gpu(const char *device) { return device != NULL && strncmp(device, "GPU", 3) == 0 && setting_is("gpu", "1"); }

int is_npu(const char *device) { return device != NULL && strncmp(device, "NPU", 3) == 0; }

int is_ours(const char *device) { return is_npu(device) || is_gpu(device); }

// present is asked before anything is done on the device.
status present(void) {
	if (setting_is("device", "gone"))
		return fail("Exception from src/inference/src/cpp/core.cpp: No available devices");
	if (setting_is("device", "lost"))
		return fail("L0 zeFenceHostSynchronize result: ZE_RESULT_ERROR_DEVICE_LOST, code 0x70000001 - device hung, reset, was removed, or driver update occurred");
	return OK;
}

typedef struct {
	char **devices;
	size_t size;
} device_list;

EXPORT status ov_core_get_available_devices(const void *core, device_list *list) {
	if (happens("list"))
		play_death("list");
	device_list found;
	status s = REAL("ov_core_get_available_devices", status (*)(const void *, device_list *))(core, &found);
	if (s != OK)
		return s;
	list->devices = calloc(found.size + 2, sizeof *list->devices);
	list->size = 0;
	for (size_t i = 0; i < found.size; i++)
		list->devices[list->size++] = strdup(found.devices[i]);
	if (!setting_is("device", "gone"))
		list->devices[list->size++] = strdup("NPU");
	if (is_gpu("GPU"))
		list->devices[list->size++] = strdup("GPU");
	REAL("ov_available_devices_free", void (*)(device_list *))(&found);
	return OK;
}

EXPORT void ov_available_devices_free(device_list *list) {
	for (size_t i = 0; i < list->size; i++)
		free(list->devices[i]);
	free(list->devices);
	list->devices = NULL;
	list->size = 0;
}

EXPORT status ov_core_get_versions_by_device_name(const void *core, const char *device, void *list) {
	return REAL("ov_core_get_versions_by_device_name", status (*)(const void *, const char *, void *))(core, is_ours(device) ? "CPU" : device, list);
}

static const struct {
	const char *key, *setting, *value;
} properties[] = {
	{"FULL_DEVICE_NAME", "name", "Intel(R) AI Boost"},
	{"DEVICE_ARCHITECTURE", "architecture", "4000"},
	{"AVAILABLE_DEVICES", "architecture", "4000"},
	{"NPU_DRIVER_VERSION", "driver", "1782"},
	{"NPU_COMPILER_VERSION", "compiler", "524292"},
	{"NPU_MAX_TILES", "tiles", "4"},
	{"NPU_DEVICE_TOTAL_MEM_SIZE", "memory", "33554432000"},
	{"OPTIMIZATION_CAPABILITIES", "capabilities", "FP16 INT8 EXPORT_IMPORT"},
	{"SUPPORTED_PROPERTIES", "supported",
	 "FULL_DEVICE_NAME DEVICE_ARCHITECTURE AVAILABLE_DEVICES NPU_DRIVER_VERSION NPU_COMPILER_VERSION NPU_MAX_TILES "
	 "NPU_DEVICE_TOTAL_MEM_SIZE OPTIMIZATION_CAPABILITIES PERFORMANCE_HINT NPU_TURBO"},
};

EXPORT status ov_core_get_property(const void *core, const char *device, const char *key, char **value) {
	if (!is_ours(device))
		return REAL("ov_core_get_property", status (*)(const void *, const char *, const char *, char **))(core, device, key, value);
	status s = present();
	if (s != OK)
		return s;
	if (is_gpu(device) && strcmp(key, "FULL_DEVICE_NAME") == 0) {
		*value = own_string("Fake GPU (the processor)");
		return OK;
	}
	for (size_t i = 0; i < sizeof properties / sizeof *properties; i++) {
		if (strcmp(key, properties[i].key) == 0) {
			char text[512];
			setting_text(properties[i].setting, text, sizeof text, properties[i].value);
			*value = own_string(text);
			return OK;
		}
	}
	return fail("Unsupported configuration key: %s", key);
}

EXPORT status ov_core_set_property(const void *core, const char *device, ...) {
	va_list args;
	va_start(args, device);
	const char *key = va_arg(args, const char *), *value = va_arg(args, const char *);
	va_end(args);
	if (is_ours(device))
		return OK; // the processor would not know it
	return REAL("ov_core_set_property", status (*)(const void *, const char *, ...))(core, device, key, value);
}
