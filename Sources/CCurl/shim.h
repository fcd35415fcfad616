#ifndef CCurl_shim_h
#define CCurl_shim_h
#include <curl/curl.h>
// libcurl's setters are variadic, which Swift does not import; these are their typed forms.
static inline CURLcode herald_easy_setopt_long(CURL *h, CURLoption o, long v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode herald_easy_setopt_off(CURL *h, CURLoption o, curl_off_t v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode herald_easy_setopt_string(CURL *h, CURLoption o, const char *v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode herald_easy_setopt_pointer(CURL *h, CURLoption o, void *v) { return curl_easy_setopt(h, o, v); }
typedef size_t (*herald_data_callback)(char *, size_t, size_t, void *);
static inline CURLcode herald_easy_setopt_callback(CURL *h, CURLoption o, herald_data_callback v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode herald_easy_getinfo_long(CURL *h, CURLINFO i, long *v) { return curl_easy_getinfo(h, i, v); }
static inline CURLcode herald_easy_getinfo_pointer(CURL *h, CURLINFO i, void **v) { return curl_easy_getinfo(h, i, v); }
static inline CURLcode herald_easy_getinfo_off(CURL *h, CURLINFO i, curl_off_t *v) { return curl_easy_getinfo(h, i, v); }
static inline CURLMcode herald_multi_setopt_long(CURLM *m, CURLMoption o, long v) { return curl_multi_setopt(m, o, v); }
static inline int herald_multi_next_done(CURLM *m, CURL **easy, CURLcode *result) {
  int left;
  CURLMsg *message;
  while ((message = curl_multi_info_read(m, &left)) != NULL) {
    if (message->msg == CURLMSG_DONE) { *easy = message->easy_handle; *result = message->data.result; return 1; }
  }
  return 0;
}
#endif
