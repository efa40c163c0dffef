// Which compiled models and requests are the pretended device's.
#include "shim.h"
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
	void *object;
	npu_object about;
} objects[1024];
enum { COUNT = sizeof objects / sizeof *objects };

void remember(void *object, npu_object about) {
	pthread_mutex_lock(&lock);
	for (int i = 0; i < COUNT; i++) {
		if (objects[i].object == NULL) {
			objects[i].object = object;
			objects[i].about = about;
			break;
		}
	}
	pthread_mutex_unlock(&lock);
}

int recall(void *object, npu_object *about) {
	int found = 0;
	pthread_mutex_lock(&lock);
	for (int i = 0; i < COUNT && !found; i++) {
		if (objects[i].object == object) {
			*about = objects[i].about;
			found = 1;
		}
	}
	pthread_mutex_unlock(&lock);
	return found;
}

void forget(void *object) {
	pthread_mutex_lock(&lock);
	for (int i = 0; i < COUNT; i++)
		if (objects[i].object == object)
			objects[i].object = NULL;
	pthread_mutex_unlock(&lock);
}
