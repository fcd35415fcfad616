#ifndef CCurl_ccurl_h
#define CCurl_ccurl_h
#include <curl/curl.h>

// libcurl, loaded when it is first needed: it brings some thirty other libraries, and a start that only reads the
// cache does not wait for them. Setters and getters, variadic in libcurl, have typed forms here.

/// Loads libcurl once; 0 when it cannot be. Nothing else here may be called before it answered 1.
int herald_curl_load(void);

/// The version of libcurl; empty when it cannot be loaded.
const char *herald_curl_version(void);

CURLcode herald_global_init(long flags);

CURL *herald_easy_init(void);
void herald_easy_cleanup(CURL *easy);
void herald_easy_reset(CURL *easy);
CURLcode herald_easy_pause(CURL *easy, int what);

typedef size_t (*herald_data_callback)(char *, size_t, size_t, void *);
CURLcode herald_easy_setopt_long(CURL *easy, CURLoption option, long value);
CURLcode herald_easy_setopt_off(CURL *easy, CURLoption option, curl_off_t value);
CURLcode herald_easy_setopt_string(CURL *easy, CURLoption option, const char *value);
CURLcode herald_easy_setopt_pointer(CURL *easy, CURLoption option, void *value);
CURLcode herald_easy_setopt_callback(CURL *easy, CURLoption option, herald_data_callback value);
/// Has sockets opened so that programs started meanwhile do not get them; libcurl's own way lets them.
CURLcode herald_easy_keep_sockets(CURL *easy);
CURLcode herald_easy_getinfo_long(CURL *easy, CURLINFO info, long *value);
CURLcode herald_easy_getinfo_off(CURL *easy, CURLINFO info, curl_off_t *value);
CURLcode herald_easy_getinfo_pointer(CURL *easy, CURLINFO info, void **value);

struct curl_slist *herald_slist_append(struct curl_slist *list, const char *text);
void herald_slist_free_all(struct curl_slist *list);

CURLM *herald_multi_init(void);
CURLMcode herald_multi_cleanup(CURLM *multi);
CURLMcode herald_multi_setopt_long(CURLM *multi, CURLMoption option, long value);
CURLMcode herald_multi_add_handle(CURLM *multi, CURL *easy);
CURLMcode herald_multi_remove_handle(CURLM *multi, CURL *easy);
CURLMcode herald_multi_perform(CURLM *multi, int *running);
CURLMcode herald_multi_poll(CURLM *multi, int milliseconds);
CURLMcode herald_multi_wakeup(CURLM *multi);
/// Takes the next transfer that is over; 0 when there is none.
int herald_multi_next_done(CURLM *multi, CURL **easy, CURLcode *result);
#endif
