#define CURL_DISABLE_TYPECHECK
#include "ccurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/socket.h>

#define FUNCTIONS(each)                                                                                               \
    each(curl_global_init) each(curl_easy_init) each(curl_easy_cleanup) each(curl_easy_reset) each(curl_easy_pause)  \
    each(curl_easy_setopt) each(curl_easy_getinfo) each(curl_slist_append) each(curl_slist_free_all)                 \
    each(curl_multi_init) each(curl_multi_cleanup) each(curl_multi_setopt) each(curl_multi_add_handle)               \
    each(curl_multi_remove_handle) each(curl_multi_perform) each(curl_multi_poll) each(curl_multi_wakeup)            \
    each(curl_multi_info_read) each(curl_version_info)

#define FIELD(name) __typeof__(&name) name;
static struct { FUNCTIONS(FIELD) } lib;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_loaded;

static void load(void) {
    // The name of every libcurl since 2006; it is kept for the life of the process.
    void *handle = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL);
    if (handle == NULL) return;
#define FIND(name)                                                                                                    \
    if ((*(void **)&lib.name = dlsym(handle, #name)) == NULL) return;
    FUNCTIONS(FIND)
    is_loaded = 1;
}

int herald_curl_load(void) {
    pthread_once(&once, load);
    return is_loaded;
}

const char *herald_curl_version(void) {
    return herald_curl_load() ? lib.curl_version_info(CURLVERSION_NOW)->version : "";
}

CURLcode herald_global_init(long flags) { return lib.curl_global_init(flags); }

CURL *herald_easy_init(void) { return lib.curl_easy_init(); }
void herald_easy_cleanup(CURL *easy) { lib.curl_easy_cleanup(easy); }
void herald_easy_reset(CURL *easy) { lib.curl_easy_reset(easy); }
CURLcode herald_easy_pause(CURL *easy, int what) { return lib.curl_easy_pause(easy, what); }

CURLcode herald_easy_setopt_long(CURL *easy, CURLoption option, long value) {
    return lib.curl_easy_setopt(easy, option, value);
}
CURLcode herald_easy_setopt_off(CURL *easy, CURLoption option, curl_off_t value) {
    return lib.curl_easy_setopt(easy, option, value);
}
CURLcode herald_easy_setopt_string(CURL *easy, CURLoption option, const char *value) {
    return lib.curl_easy_setopt(easy, option, value);
}
CURLcode herald_easy_setopt_pointer(CURL *easy, CURLoption option, void *value) {
    return lib.curl_easy_setopt(easy, option, value);
}
CURLcode herald_easy_setopt_callback(CURL *easy, CURLoption option, herald_data_callback value) {
    return lib.curl_easy_setopt(easy, option, value);
}
static curl_socket_t open_private(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)context;
    (void)purpose;
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}
CURLcode herald_easy_keep_sockets(CURL *easy) {
    return lib.curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_private);
}
CURLcode herald_easy_getinfo_long(CURL *easy, CURLINFO info, long *value) {
    return lib.curl_easy_getinfo(easy, info, value);
}
CURLcode herald_easy_getinfo_off(CURL *easy, CURLINFO info, curl_off_t *value) {
    return lib.curl_easy_getinfo(easy, info, value);
}
CURLcode herald_easy_getinfo_pointer(CURL *easy, CURLINFO info, void **value) {
    return lib.curl_easy_getinfo(easy, info, value);
}

struct curl_slist *herald_slist_append(struct curl_slist *list, const char *text) {
    return lib.curl_slist_append(list, text);
}
void herald_slist_free_all(struct curl_slist *list) {
    // A transfer that was never configured has no list, and may end before the library was loaded.
    if (list != NULL) lib.curl_slist_free_all(list);
}

CURLM *herald_multi_init(void) { return lib.curl_multi_init(); }
CURLMcode herald_multi_cleanup(CURLM *multi) { return lib.curl_multi_cleanup(multi); }
CURLMcode herald_multi_setopt_long(CURLM *multi, CURLMoption option, long value) {
    return lib.curl_multi_setopt(multi, option, value);
}
CURLMcode herald_multi_add_handle(CURLM *multi, CURL *easy) { return lib.curl_multi_add_handle(multi, easy); }
CURLMcode herald_multi_remove_handle(CURLM *multi, CURL *easy) { return lib.curl_multi_remove_handle(multi, easy); }
CURLMcode herald_multi_perform(CURLM *multi, int *running) { return lib.curl_multi_perform(multi, running); }
CURLMcode herald_multi_poll(CURLM *multi, int milliseconds) {
    return lib.curl_multi_poll(multi, NULL, 0, milliseconds, NULL);
}
CURLMcode herald_multi_wakeup(CURLM *multi) { return lib.curl_multi_wakeup(multi); }

int herald_multi_next_done(CURLM *multi, CURL **easy, CURLcode *result) {
    int left;
    CURLMsg *message;
    while ((message = lib.curl_multi_info_read(multi, &left)) != NULL) {
        if (message->msg != CURLMSG_DONE) continue;
        *easy = message->easy_handle;
        *result = message->data.result;
        return 1;
    }
    return 0;
}
