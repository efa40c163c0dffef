// Compiling, exporting and importing on the pretended device.
#include "shim.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef status (*compile_variadic)(const void *, const void *, const char *, size_t, void **, ...);
typedef status (*compile_props)(const void *, const void *, const char *, size_t, const property *, void **);

// accept notes a compiled model of the device.
static status accept(void *compiled, int garbage) {
	npu_object about = {.garbage = garbage};
	status s = REAL("ov_compiled_model_outputs_size", status (*)(const void *, size_t *))(compiled, &about.outputs);
	if (s == OK)
		remember(compiled, about);
	return s;
}

// grow takes memory until the limit of the test or its own is reached.
static void grow(void) {
	const size_t step = 16 << 20;
	const struct timespec pause = {.tv_nsec = 5000000};
	for (long taken = 0; taken < setting_number("grow.mb", 4096); taken += 16) {
		char *memory = malloc(step);
		if (memory != NULL)
			memset(memory, 1, step);
		nanosleep(&pause, NULL);
	}
}

static status compile_ours(const void *core, const void *model, const char *device, void **compiled) {
	status s = present();
	if (s != OK)
		return s;
	long ms = setting_number("compile.ms", 0);
	const struct timespec slow = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
	nanosleep(&slow, NULL);
	if (is_npu(device) && REAL("ov_model_is_dynamic", _Bool (*)(const void *))(model))
		return fail("Exception from src/core/src/partial_shape.cpp: to_shape was called on a dynamic shape.");
	if (happens("compile")) {
		play_death("compile");
		wait_while("compile", "hang");
		if (setting_is("compile", "grow"))
			grow();
		if (setting_is("compile", "oom"))
			return fail("L0 pfnCreate2 result: ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, code 0x70000003 - insufficient device memory to satisfy call");
		if (setting_is("compile", "version"))
			return fail("L0 pfnCreate2 result: ZE_RESULT_ERROR_UNSUPPORTED_VERSION, code 0x78000002 - generic error code for unsupported versions");
		if (setting_is("compile", "unknown"))
			return fail("L0 pfnCreate2 result: ZE_RESULT_ERROR_UNKNOWN, code 0x7ffffffe - unknown or internal error");
		if (setting_is("compile", "error"))
			return fail("[NPU_VCL] Compiler returned msg: Failed to compile");
	}
	s = REAL("ov_core_compile_model", compile_variadic)(core, model, "CPU", 8, compiled, "PERFORMANCE_HINT", "LATENCY",
		"NUM_STREAMS", "1", "INFERENCE_PRECISION_HINT", "f32", "DYNAMIC_QUANTIZATION_GROUP_SIZE", "0");
	return s == OK ? accept(*compiled, 0) : s;
}

enum { MOST = 16 }; // properties

EXPORT status ov_core_compile_model_props(const void *core, const void *model, const char *device, size_t n, const property *p, void **compiled) {
	if (is_ours(device))
		return compile_ours(core, model, device, compiled);
	return REAL("ov_core_compile_model_props", compile_props)(core, model, device, n, p, compiled);
}

EXPORT status ov_core_compile_model(const void *core, const void *model, const char *device, size_t n, void **compiled, ...) {
	if (is_ours(device))
		return compile_ours(core, model, device, compiled);
	if (n > 2 * MOST)
		return fail("shim: more than %d properties", MOST);
	const char *a[2 * MOST] = {0};
	va_list args;
	va_start(args, compiled);
	for (size_t i = 0; i < n; i++)
		a[i] = va_arg(args, const char *);
	va_end(args);
	return REAL("ov_core_compile_model", compile_variadic)(core, model, device, n, compiled, a[0], a[1], a[2], a[3], a[4], a[5], a[6],
		a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15], a[16], a[17], a[18], a[19], a[20], a[21], a[22], a[23], a[24],
		a[25], a[26], a[27], a[28], a[29], a[30], a[31]);
}

// An exported model ends as a real one of the NPU does (metadata 2.7): the
// release, the compatibility string, the length before it, the magic.
static void trailer(FILE *out, uint64_t size) {
	const uint16_t head[5] = {7, 2, 2026, 4, 1};
	char own[16], architecture[16], text[128];
	setting_text("architecture", own, sizeof own, "4000");
	setting_text("blob.architecture", architecture, sizeof architecture, own);
	long compiler = setting_number("compiler", 524292);
	snprintf(text, sizeof text, "compiler=%ld.%ld;npu=%s;t=%ld;elf=1.2.2;mi=11.4.10", compiler >> 16, compiler & 0xffff, architecture,
		setting_number("tiles", 4));
	fwrite(head, sizeof *head, 5, out);
	fwrite(text, 1, strlen(text), out);
	fwrite(&size, sizeof size, 1, out);
	fwrite("OVNPU", 1, 5, out);
}

EXPORT status ov_compiled_model_export_model(const void *compiled, const char *path) {
	status s = REAL("ov_compiled_model_export_model", status (*)(const void *, const char *))(compiled, path);
	npu_object about;
	if (s != OK || !recall((void *)compiled, &about))
		return s;
	FILE *out = fopen(path, "r+");
	if (out == NULL)
		return fail("shim: open %s", path);
	fseek(out, 0, SEEK_END);
	trailer(out, (uint64_t)ftell(out));
	return fclose(out) == 0 ? OK : fail("shim: write %s", path);
}

EXPORT status ov_core_import_model(const void *core, const char *content, size_t size, const char *device, void **compiled) {
	status (*import)(const void *, const char *, size_t, const char *, void **) = real("ov_core_import_model");
	if (!is_ours(device))
		return import(core, content, size, device, compiled);
	status s = present();
	if (s != OK)
		return s;
	uint64_t length;
	if (size < 13 || memcmp(content + size - 5, "OVNPU", 5) != 0)
		return fail("Blob is missing NPU metadata!");
	memcpy(&length, content + size - 13, sizeof length);
	int garbage = 0;
	if (happens("import")) {
		play_death("import");
		wait_while("import", "hang");
		if (setting_is("import", "refuse"))
			return fail("Cannot import model: Metadata version is not supported");
		garbage = setting_is("import", "garbage");
	}
	// Importing takes no properties: it goes by the core's, whose defaults are less
	// exact where the processor has instructions for that.
	status (*set)(const void *, const char *, ...) = real("ov_core_set_property");
	set(core, "CPU", "INFERENCE_PRECISION_HINT", "f32");
	set(core, "CPU", "DYNAMIC_QUANTIZATION_GROUP_SIZE", "0");
	s = import(core, content, length, "CPU", compiled);
	return s == OK ? accept(*compiled, garbage) : s;
}

EXPORT void ov_compiled_model_free(void *compiled) {
	forget(compiled);
	REAL("ov_compiled_model_free", void (*)(void *))(compiled);
}
