#ifndef CSQLite_shim_h
#define CSQLite_shim_h
#include <sqlite3.h>

/* Turns off the statistics of memory, which cost a lock at each allocation. Before the first connection only. */
static inline int herald_sqlite3_quiet_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/* Has a connection leave the log as it is when it is the last one that closes; sqlite3_db_config is variadic. */
static inline int herald_sqlite3_keep_log(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

#endif
