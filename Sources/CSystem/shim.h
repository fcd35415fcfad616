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
#include <langinfo.h>
#include <locale.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <fcntl.h>
#include <stdio.h>
#ifndef POSIX_SPAWN_SETSID
#define POSIX_SPAWN_SETSID 0x80
#endif
static const short herald_spawn_new_session = POSIX_SPAWN_SETSID;
// Declared for GNU sources only.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
static inline int herald_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
#ifndef O_TMPFILE
#define O_TMPFILE (020000000 | O_DIRECTORY)
#endif
static const int herald_open_nameless = O_TMPFILE;
// Gives an open file that has no name one, unless the name is taken.
static inline int herald_name_file(int file, const char *path) {
    char source[32];
    snprintf(source, sizeof source, "/proc/self/fd/%d", file);
    return linkat(AT_FDCWD, source, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}
// Renames a file unless the new name is taken (RENAME_NOREPLACE).
static inline int herald_rename_new(const char *from, const char *to) {
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 1U);
}
// A file in memory without a name, closed in programs that are started.
static inline int herald_memory_file(void) { return (int)syscall(SYS_memfd_create, "herald", 1U); }
// No core file, and no look into this process by others of the same user. Both are taken back by exec.
static inline void herald_deny_core(void) { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
// Whether text is in UTF-8, by the locale in force.
static inline int herald_is_utf8(void) {
    const char *name = nl_langinfo(CODESET);
    return name[0] == 'U' && name[1] == 'T' && name[2] == 'F';
}
// On Linux this is about the calling thread, and the threads it starts.
static inline int herald_set_thread_niceness(int niceness) { return setpriority(PRIO_PROCESS, 0, niceness); }
#endif
