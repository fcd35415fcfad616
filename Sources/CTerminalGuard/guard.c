#define _GNU_SOURCE
#include "terminal_guard.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static struct termios saved;
static unsigned char leave[256];
static int leave_count;
static int guarded_fd = -1;
static volatile sig_atomic_t owned;

static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGFPE, SIGTRAP};

// What else ends a process at once, sent from outside or by a limit. For SIGQUIT, left alone, Swift's runtime would
// print where each thread is and wait for a key.
static const int endings[] = {SIGQUIT, SIGXCPU, SIGSYS,    SIGUSR1, SIGUSR2,  SIGALRM,
                              SIGPROF, SIGPOLL, SIGVTALRM, SIGPWR,  SIGSTKFLT};

// Calls only what POSIX names async-signal-safe.
static void give_back(void) {
    if (!owned) return;
    owned = 0;
    ssize_t written = write(guarded_fd, leave, (size_t)leave_count);
    (void)written;
    tcsetattr(guarded_fd, TCSANOW, &saved);
}

static void on_crash(int number) {
    give_back();
    // SA_RESETHAND has put the default action back; the signal comes again when the handler returns.
    raise(number);
}

static void watch_crashes(void) {
    // A stack overflow needs another stack to be handled on.
    static unsigned char other_stack[65536];
    stack_t stack = {.ss_sp = other_stack, .ss_size = sizeof other_stack};
    sigaltstack(&stack, NULL);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_crash;
    action.sa_flags = (int)(SA_RESETHAND | SA_ONSTACK);
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++) sigaction(crashes[i], &action, NULL);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        struct sigaction before;
        sigaction(endings[i], &action, &before);
        // What the parent has ignored stays ignored.
        if (before.sa_handler == SIG_IGN) sigaction(endings[i], &before, NULL);
    }
}

int terminal_guard_arm(int fd, const unsigned char *bytes, int count) {
    static int watching;
    if (count < 0 || count > (int)sizeof leave || tcgetattr(fd, &saved) != 0) return -1;
    memcpy(leave, bytes, (size_t)count);
    leave_count = count;
    guarded_fd = fd;
    if (!watching) {
        watching = 1;
        watch_crashes();
        atexit(give_back);
    }
    return 0;
}

void terminal_guard_own(int now) { owned = now; }

void terminal_guard_stop(void) {
    sigset_t stop, before;
    signal(SIGTSTP, SIG_DFL);
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    pthread_sigmask(SIG_UNBLOCK, &stop, &before);
    kill(0, SIGTSTP);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
