#ifndef terminal_guard_h
#define terminal_guard_h
// Gives the terminal back when the process ends in a way Swift cannot see.

// Remembers the settings of a terminal and the bytes that leave the screen, and starts to watch.
int terminal_guard_arm(int fd, const unsigned char *bytes, int count);
// The terminal is ours (1) or given back (0): only an owned terminal is restored.
void terminal_guard_own(int owned);
// Stops the process group as Ctrl-Z would, with SIGTSTP blocked before and after.
void terminal_guard_stop(void);
#endif
