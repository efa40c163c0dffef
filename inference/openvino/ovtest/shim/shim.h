// A device for tests that OpenVINO's C API calls "NPU" and that is the
// processor in truth. Everything else goes to the real library.
#pragma once
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

typedef int32_t status;
enum { OK = 0, GENERAL_ERROR = -1 };

typedef struct {
	const char *key;
	const char *value;
} property;

// real.c
void *real(const char *name); // the real library's function
#define REAL(name, type) ((type)real(name))
void beside(char *path, size_t size, const char *file); // a file in this library's folder

// control.c
int setting_is(const char *key, const char *value);
long setting_number(const char *key, long otherwise);
void setting_text(const char *key, char *value, size_t size, const char *otherwise);
int happens(const char *operation); // whether its fault is due, counting this call
void wait_while(const char *key, const char *value);
void play_death(const char *key); // ends the process where the control says so

// error.c
status fail(const char *format, ...);
char *own_string(const char *text); // that ov_free gives back

// objects.c
typedef struct {
	size_t outputs;
	int garbage;
} npu_object;
void remember(void *object, npu_object about);
int recall(void *object, npu_object *about);
void forget(void *object);

// device.c
int is_npu(const char *device);
int is_ours(const char *device); // also the GPU, where the setting gpu=1 asks for one
status present(void); // whether the device is there and alive
