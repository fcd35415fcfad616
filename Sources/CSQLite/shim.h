#ifndef CSQLite_shim_h
#define CSQLite_shim_h
#include <sqlite3.h>

/* Turns off the statistics of memory, which cost a lock at each allocation. Before the first connection only. */
static inline int herald_sqlite3_quiet_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

#endif
