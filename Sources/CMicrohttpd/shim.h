#ifndef CMicrohttpd_shim_h
#define CMicrohttpd_shim_h
#include <microhttpd.h>
#endif
