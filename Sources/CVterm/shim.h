#ifndef CVterm_shim_h
#define CVterm_shim_h
#include <sys/ioctl.h>
#include <vterm.h>

// ioctl is variadic, so Swift does not import it.
static inline int herald_test_set_size(int fd, const struct winsize *size) { return ioctl(fd, TIOCSWINSZ, size); }
#endif
