#ifndef CNcurses_shim_h
#define CNcurses_shim_h
// The wide API must be asked for before the include: SwiftPM drops the flags of ncursesw.pc.
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <locale.h>
#include <stdio.h>
#include <wchar.h>
#include <ncurses.h>
#undef COLOR_PAIR
#endif
