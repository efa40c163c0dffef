// The control file, lines of key=value, is read anew at each use, so that a test
// changes what the device does by writing the file. A change of its content
// starts the counts of calls from zero.
//
// gpu=1 presents a device "GPU" too, which is the processor as well and has the same
// faults; processor.ms slows the processor itself.
//
// For an operation (list, compile, import, infer) its own key names the fault;
// OPERATION.from is the first call that has it, counted from 1, and
// OPERATION.count how many calls have it.
#include "shim.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char content[8192], previous[8192];
static struct {
	char operation[32];
	long calls;
} counts[16];

static void read_control(void) {
	char path[4096];
	const char *variable = getenv("OVSHIM_CONTROL");
	if (variable != NULL && *variable != 0)
		snprintf(path, sizeof path, "%s", variable);
	else
		beside(path, sizeof path, "control");
	size_t n = 0;
	FILE *file = fopen(path, "r");
	if (file != NULL) {
		n = fread(content, 1, sizeof content - 1, file);
		fclose(file);
	}
	content[n] = 0;
	if (strcmp(content, previous) != 0) {
		memcpy(previous, content, sizeof content);
		memset(counts, 0, sizeof counts);
	}
}

// look copies the value of a key, whose lock is held.
static int look(const char *key, char *value, size_t size) {
	size_t n = strlen(key);
	for (const char *line = content; *line != 0;) {
		size_t length = strcspn(line, "\n");
		if (length > n && strncmp(line, key, n) == 0 && line[n] == '=') {
			snprintf(value, size, "%.*s", (int)(length - n - 1), line + n + 1);
			return 1;
		}
		line += length;
		line += *line == '\n';
	}
	return 0;
}

void setting_text(const char *key, char *value, size_t size, const char *otherwise) {
	pthread_mutex_lock(&lock);
	read_control();
	if (!look(key, value, size))
		snprintf(value, size, "%s", otherwise);
	pthread_mutex_unlock(&lock);
}

int setting_is(const char *key, const char *value) {
	char found[256];
	setting_text(key, found, sizeof found, "");
	return strcmp(found, value) == 0;
}

long setting_number(const char *key, long otherwise) {
	char found[64];
	setting_text(key, found, sizeof found, "");
	return *found == 0 ? otherwise : atol(found);
}

int happens(const char *operation) {
	char key[64], value[64];
	long from = 1, count = -1, call = 1;
	pthread_mutex_lock(&lock);
	read_control();
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		if (*counts[i].operation != 0 && strcmp(counts[i].operation, operation) != 0)
			continue;
		snprintf(counts[i].operation, sizeof counts[i].operation, "%s", operation);
		call = ++counts[i].calls;
		break;
	}
	snprintf(key, sizeof key, "%s.from", operation);
	if (look(key, value, sizeof value))
		from = atol(value);
	snprintf(key, sizeof key, "%s.count", operation);
	if (look(key, value, sizeof value))
		count = atol(value);
	int named = look(operation, value, sizeof value);
	pthread_mutex_unlock(&lock);
	return named && call >= from && (count < 0 || call < from + count);
}

void wait_while(const char *key, const char *value) {
	const struct timespec pause = {.tv_nsec = 5000000};
	while (setting_is(key, value))
		nanosleep(&pause, NULL);
}

void play_death(const char *key) {
	if (setting_is(key, "abort"))
		abort();
	if (setting_is(key, "segv")) {
		signal(SIGSEGV, SIG_DFL); // else Go's handler would tell of it at length
		raise(SIGSEGV);
	}
}
