#ifndef CMagic_cmagic_h
#define CMagic_cmagic_h
#include <stddef.h>

// libmagic, loaded when it is first needed: only who attaches a file waits for it, and Herald runs without it.

/// Writes the MIME type of some bytes as text that ends with 0; 0 when libmagic is not there or does not know.
int herald_magic_type(const void *bytes, size_t count, char *type, size_t size);
#endif
