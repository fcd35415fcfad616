#ifndef CDigest_shim_h
#define CDigest_shim_h
#include <sys/types.h>
#include <sha2.h>
#endif
