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
#endif
