// Finds the real library: by OVSHIM_REAL, else by the file "real" beside this
// library, which holds its path.
#define _GNU_SOURCE
#include "shim.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void *library;

void beside(char *path, size_t size, const char *file) {
	Dl_info self;
	const char *name = "";
	if (dladdr((void *)beside, &self) != 0 && self.dli_fname != NULL)
		name = self.dli_fname;
	const char *end = strrchr(name, '/');
	snprintf(path, size, "%.*s%s", end == NULL ? 0 : (int)(end - name + 1), name, file);
}

static void open_real(void) {
	char name[4096] = "", path[4096];
	const char *variable = getenv("OVSHIM_REAL");
	if (variable != NULL && *variable != 0) {
		snprintf(name, sizeof name, "%s", variable);
	} else {
		beside(path, sizeof path, "real");
		FILE *file = fopen(path, "r");
		if (file != NULL) {
			if (fgets(name, sizeof name, file) != NULL)
				name[strcspn(name, "\n")] = 0;
			fclose(file);
		}
	}
	// Deep binding: the real library must call its own functions, not these.
	library = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
	if (library == NULL) {
		fprintf(stderr, "shim: cannot load the real library: %s\n", dlerror());
		abort();
	}
}

void *real(const char *name) {
	pthread_once(&once, open_real);
	void *function = dlsym(library, name);
	if (function == NULL) {
		fprintf(stderr, "shim: the real library has no %s\n", name);
		abort();
	}
	return function;
}
