// Running on the pretended device, and what goes wrong with the results.
#include "shim.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

EXPORT status ov_compiled_model_create_infer_request(const void *compiled, void **request) {
	npu_object about;
	int ours = recall((void *)compiled, &about);
	if (ours) {
		status s = present();
		if (s != OK)
			return s;
	}
	status s = REAL("ov_compiled_model_create_infer_request", status (*)(const void *, void **))(compiled, request);
	if (s == OK && ours)
		remember(*request, about);
	return s;
}

EXPORT void ov_infer_request_free(void *request) {
	forget(request);
	REAL("ov_infer_request_free", void (*)(void *))(request);
}

enum { F32 = 4 };

// spoil writes wrong numbers over one output.
static void spoil(float *data, size_t n, const char *how) {
	for (size_t i = 0; i < n; i++) {
		if (strcmp(how, "zero") == 0)
			data[i] = 0;
		else if (strcmp(how, "garbage") == 0)
			data[i] = (float)((i * 2654435761u >> 7) % 2000) / 500 - 2;
		else if (strcmp(how, "lanes") == 0 && i % 16 == 3)
			data[i] = 1 - 2 * data[i];
	}
	if (n == 0)
		return;
	size_t at = n > 64 ? 7 : 0; // of a few scores the best
	if (strcmp(how, "nan") == 0)
		data[at] = NAN;
	if (strcmp(how, "inf") == 0)
		data[at] = INFINITY;
}

static status spoil_all(void *request, size_t outputs, const char *how) {
	for (size_t i = 0; i < outputs; i++) {
		void *tensor;
		status s = REAL("ov_infer_request_get_output_tensor_by_index", status (*)(const void *, size_t, void **))(request, i, &tensor);
		if (s != OK)
			return s;
		int32_t type;
		size_t bytes;
		void *data;
		if (REAL("ov_tensor_get_element_type", status (*)(const void *, int32_t *))(tensor, &type) == OK && type == F32 &&
			REAL("ov_tensor_get_byte_size", status (*)(const void *, size_t *))(tensor, &bytes) == OK &&
			REAL("ov_tensor_data", status (*)(const void *, void **))(tensor, &data) == OK)
			spoil(data, bytes / sizeof(float), how);
		REAL("ov_tensor_free", void (*)(void *))(tensor);
	}
	return OK;
}

// pause_for makes a device slow.
static void pause_for(const char *key) {
	long ms = setting_number(key, 0);
	const struct timespec slow = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
	nanosleep(&slow, NULL);
}

EXPORT status ov_infer_request_infer(void *request) {
	status (*infer)(void *) = real("ov_infer_request_infer");
	npu_object about;
	if (!recall(request, &about)) {
		pause_for("processor.ms");
		return infer(request);
	}
	status s = present();
	if (s != OK)
		return s;
	pause_for("infer.ms");
	char how[32] = "";
	if (happens("infer")) {
		play_death("infer");
		wait_while("infer", "hang");
		setting_text("infer", how, sizeof how, "");
		if (strcmp(how, "lost") == 0)
			return fail("L0 zeFenceHostSynchronize result: ZE_RESULT_ERROR_DEVICE_LOST, code 0x70000001 - device hung, reset, was removed, or driver update occurred");
		if (strcmp(how, "unknown") == 0)
			return fail("L0 zeFenceHostSynchronize result: ZE_RESULT_ERROR_UNKNOWN, code 0x7ffffffe - unknown or internal error");
		if (strcmp(how, "oom") == 0)
			return fail("L0 zeCommandQueueExecuteCommandLists result: ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, code 0x70000003 - insufficient device memory to satisfy call");
	}
	s = infer(request);
	if (s == OK && about.garbage)
		strcpy(how, "garbage");
	if (s == OK && *how != 0)
		s = spoil_all(request, about.outputs, how);
	return s;
}
