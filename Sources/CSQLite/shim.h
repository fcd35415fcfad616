#ifndef CSQLite_shim_h
#define CSQLite_shim_h
#include <sqlite3.h>
#endif
