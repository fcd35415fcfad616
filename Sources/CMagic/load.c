#include "cmagic.h"

#include <dlfcn.h>
#include <magic.h>
#include <pthread.h>
#include <string.h>

#define FUNCTIONS(each) each(magic_open) each(magic_load) each(magic_buffer) each(magic_close)

#define FIELD(name) __typeof__(&name) name;
static struct { FUNCTIONS(FIELD) } lib;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_loaded;

static void load(void) {
    void *handle = dlopen("libmagic.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (handle == NULL) return;
#define FIND(name)                                                                                                    \
    if ((*(void **)&lib.name = dlsym(handle, #name)) == NULL) return;
    FUNCTIONS(FIND)
    is_loaded = 1;
}

int herald_magic_type(const void *bytes, size_t count, char *type, size_t size) {
    pthread_once(&once, load);
    if (!is_loaded) return 0;
    // A cookie belongs to one thread, and each call has its own; the tables are mapped, not read.
    magic_t cookie = lib.magic_open(MAGIC_MIME_TYPE | MAGIC_NO_CHECK_COMPRESS);
    if (cookie == NULL) return 0;
    const char *found = lib.magic_load(cookie, NULL) == 0 ? lib.magic_buffer(cookie, bytes, count) : NULL;
    int is_known = found != NULL && strlen(found) < size;
    if (is_known) strcpy(type, found);
    lib.magic_close(cookie);
    return is_known;
}
