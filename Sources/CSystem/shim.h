#ifndef CSystem_shim_h
#define CSystem_shim_h
// _GNU_SOURCE stays undefined: it would change fd_set against Swift's own Glibc module.
#include <unistd.h>
#include <pty.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/file.h>
#include <locale.h>
#include <sys/resource.h>
// On Linux this is about the calling thread, and the threads it starts.
static inline int herald_set_thread_niceness(int niceness) { return setpriority(PRIO_PROCESS, 0, niceness); }
#endif
