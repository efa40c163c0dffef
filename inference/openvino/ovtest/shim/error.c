// Messages of failures and strings that are given away.
#include "shim.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char message[1024]; // "" where the last failure was the real library's
static void *owned[256];

status fail(const char *format, ...) {
	va_list args;
	va_start(args, format);
	pthread_mutex_lock(&lock);
	vsnprintf(message, sizeof message, format, args);
	pthread_mutex_unlock(&lock);
	va_end(args);
	return GENERAL_ERROR;
}

char *own_string(const char *text) {
	char *copy = strdup(text);
	pthread_mutex_lock(&lock);
	size_t i = 0;
	while (i < sizeof owned / sizeof *owned - 1 && owned[i] != NULL)
		i++;
	owned[i] = copy; // where all are taken the last one's string is never freed
	pthread_mutex_unlock(&lock);
	return copy;
}

EXPORT void ov_free(const char *text) {
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
		if (text != NULL && owned[i] == text) {
			owned[i] = NULL;
			pthread_mutex_unlock(&lock);
			free((void *)text);
			return;
		}
	}
	pthread_mutex_unlock(&lock);
	REAL("ov_free", void (*)(const char *))(text);
}

// The message is told once: a later failure may be the real library's.
EXPORT const char *ov_get_last_err_msg(void) {
	char last[1024];
	pthread_mutex_lock(&lock);
	memcpy(last, message, sizeof last);
	*message = 0;
	pthread_mutex_unlock(&lock);
	if (*last != 0)
		return own_string(last);
	return REAL("ov_get_last_err_msg", const char *(*)(void))();
}
