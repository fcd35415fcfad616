#ifndef CNcurses_shim_h
#define CNcurses_shim_h
// The wide API must be asked for before the include: SwiftPM drops the flags of ncursesw.pc.
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <wchar.h>
#include <ncurses.h>
#undef COLOR_PAIR

// Hidden behind feature macros, or in headers whose macros would harm.
extern int wcwidth(wchar_t);
extern int setupterm(const char *, int, int *);

// Variables and macros of C that Swift does not import.
static inline SCREEN *herald_newterm(const char *term) { return newterm(term, stdout, stdin); }
static inline WINDOW *herald_stdscr(void) { return stdscr; }
static inline int herald_colors(void) { return COLORS; }
static inline int herald_color_pairs(void) { return COLOR_PAIRS; }
static inline attr_t herald_bold(void) { return A_BOLD; }
static inline attr_t herald_dim(void) { return A_DIM; }
static inline attr_t herald_italic(void) { return A_ITALIC; }
static inline attr_t herald_underline(void) { return A_UNDERLINE; }
static inline attr_t herald_reverse(void) { return A_REVERSE; }

// Whether terminfo knows a capability as a string: it answers 0 or -1 for the unknown.
static inline int herald_can(const char *capability) {
    char *text = tigetstr(capability);
    return text != NULL && text != (char *)-1;
}

// The size of a terminal; 0 when it has one.
static inline int herald_window_size(int fd, int *columns, int *rows) {
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return -1;
    *columns = size.ws_col;
    *rows = size.ws_row;
    return 0;
}

// The pixels of a cell; 0 when the terminal tells them.
static inline int herald_cell_size(int fd, int *width, int *height) {
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return -1;
    *width = size.ws_xpixel / size.ws_col;
    *height = size.ws_ypixel / size.ws_row;
    return *width > 0 && *height > 0 ? 0 : -1;
}

// A UTF-8 locale, whatever the environment says; 0 when there is one.
static inline int herald_set_locale(void) {
    setlocale(LC_ALL, "");
    const char *name = nl_langinfo(CODESET);
    if (name[0] == 'U' && name[1] == 'T' && name[2] == 'F') return 0;
    return setlocale(LC_CTYPE, "C.UTF-8") == NULL ? -1 : 0;
}
#endif
