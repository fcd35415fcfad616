#ifndef CMicrohttpd_shim_h
#define CMicrohttpd_shim_h
#include <sys/socket.h>
#include <netinet/in.h>
#include <microhttpd.h>
// Called with the bytes of a request's target; what it answers is the request's own context from then on.
typedef void *(*herald_begin_callback)(void *context, const char *target, struct MHD_Connection *connection);
// MHD_start_daemon and MHD_get_..._info are variadic, which Swift does not import.
static inline struct MHD_Daemon *herald_start_daemon(const struct sockaddr *address, unsigned int threads,
                                                     MHD_AccessHandlerCallback handler, void *context,
                                                     herald_begin_callback begin,
                                                     MHD_RequestCompletedCallback completed) {
    // poll, since with epoll this library misses an end of stream that comes together with data.
    return MHD_start_daemon(MHD_USE_POLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handler, context,
                            MHD_OPTION_SOCK_ADDR, address,
                            MHD_OPTION_THREAD_POOL_SIZE, threads,
                            MHD_OPTION_URI_LOG_CALLBACK, begin, context,
                            MHD_OPTION_NOTIFY_COMPLETED, completed, NULL,
                            MHD_OPTION_CONNECTION_TIMEOUT, 120u,
                            MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)65536,
                            MHD_OPTION_END);
}
static inline unsigned int herald_daemon_port(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info == NULL ? 0 : info->port;
}
static inline int herald_connection_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}
#endif
