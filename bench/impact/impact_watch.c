#include "bench/impact/impact_watch.h"

#include "core/self.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <limits.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEY_BYTES = 32, ADDRESSES_MAX = 16, ADDRESS_BYTES = INET6_ADDRSTRLEN + 10 };

/* What rank 0 makes and all ranks have. */
struct meeting {
    unsigned char key[KEY_BYTES];
    char addresses[ADDRESSES_MAX * ADDRESS_BYTES];
};

static void add_address(struct meeting *meeting, const struct sockaddr *address, unsigned port)
{
    char text[INET6_ADDRSTRLEN] = "";
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)(const void *)address;
    const struct sockaddr_in *four = (const struct sockaddr_in *)(const void *)address;
    bool is_six = address->sa_family == AF_INET6;
    if (is_six && IN6_IS_ADDR_LINKLOCAL(&six->sin6_addr))
        return;
    inet_ntop(address->sa_family, is_six ? (const void *)&six->sin6_addr : &four->sin_addr, text,
              sizeof text);
    size_t used = strlen(meeting->addresses);
    if (used + ADDRESS_BYTES < sizeof meeting->addresses)
        snprintf(meeting->addresses + used, ADDRESS_BYTES, is_six ? "%s[%s]:%u" : "%s%s:%u",
                 used ? "," : "", text, port);
}

static enum ct_status list_addresses(const char *interface, unsigned port, struct meeting *meeting,
                                     struct ct_error *err)
{
    struct ifaddrs *list;
    if (getifaddrs(&list) != 0)
        return ct_fail(err, CT_EIO, "addresses of this host: %s", strerror(errno));
    for (const struct ifaddrs *at = list; at; at = at->ifa_next) {
        int family = at->ifa_addr ? at->ifa_addr->sa_family : AF_UNSPEC;
        bool fits =
            interface ? strcmp(at->ifa_name, interface) == 0 : (at->ifa_flags & IFF_LOOPBACK) == 0;
        if (fits && (at->ifa_flags & IFF_UP) != 0 && (family == AF_INET || family == AF_INET6))
            add_address(meeting, at->ifa_addr, port);
    }
    freeifaddrs(list);
    if (meeting->addresses[0] != '\0')
        return CT_OK;
    return ct_fail(err, CT_ENODATA, "--watch: %s%s has no address: --interface names another one",
                   interface ? "the interface " : "this host", interface ? interface : "");
}

/* A socket that the collector goes on with, so that its port is known before. */
static enum ct_status open_socket(int *fd_p, unsigned *port_p, struct ct_error *err)
{
    const int off = 0;
    struct sockaddr_in6 any = {.sin6_family = AF_INET6};
    socklen_t length = sizeof any;
    int fd = socket(AF_INET6, SOCK_DGRAM, 0);
    if (fd < 0 || setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off) != 0 ||
        bind(fd, (const struct sockaddr *)&any, sizeof any) != 0 ||
        getsockname(fd, (struct sockaddr *)&any, &length) != 0) {
        enum ct_status status = ct_fail(err, CT_EIO, "--watch: no socket: %s", strerror(errno));
        if (fd >= 0)
            close(fd);
        return status;
    }
    *fd_p = fd;
    *port_p = ntohs(any.sin6_port);
    return CT_OK;
}

static enum ct_status make_meeting(const struct ct_impact_watch *watch, struct meeting *meeting,
                                   int *fd_p, struct ct_error *err)
{
    unsigned port = 0;
    CT_TRY(open_socket(fd_p, &port, err));
    CT_TRY(list_addresses(watch->interface, port, meeting, err));
    if (getrandom(meeting->key, KEY_BYTES, 0) != KEY_BYTES)
        return ct_fail(err, CT_EIO, "--watch: no random numbers: %s", strerror(errno));
    return CT_OK;
}

/* In memory: a file without a name, which only this process and what it becomes can open. */
static enum ct_status keep_key(const unsigned char *key, int *fd_p, struct ct_error *err)
{
    char text[2 * KEY_BYTES + 1];
    for (size_t i = 0; i < KEY_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", key[i]);
    int fd = memfd_create("key", 0);
    bool good = fd >= 0 && fchmod(fd, 0600) == 0 && write(fd, text, 2 * KEY_BYTES) == 2 * KEY_BYTES;
    int reason = errno;
    explicit_bzero(text, sizeof text);
    if (good) {
        *fd_p = fd;
        return CT_OK;
    }
    if (fd >= 0)
        close(fd);
    return ct_fail(err, CT_EIO, "--watch: the key cannot be kept: %s", strerror(reason));
}

static enum ct_status make_command(const struct ct_bench *bench,
                                   const struct ct_impact_watch *watch,
                                   const struct meeting *meeting, int socket_fd,
                                   const struct ct_argv *more, const struct ct_argv *first,
                                   struct ct_argv *argv, struct ct_error *err)
{
    char program[PATH_MAX];
    int key_fd = -1;
    if (!ct_self_find_helper("crosstalk-prober", program, sizeof program))
        return ct_fail(err, CT_EUNSUPPORTED,
                       "--watch: crosstalk-prober is not there (%s): it needs libsodium when "
                       "crosstalk is built",
                       program);
    CT_TRY(keep_key(meeting->key, &key_fd, err));
    ct_argv_add(argv, "%s", program);
    ct_argv_add(argv, "--key=/dev/fd/%d", key_fd);
    ct_argv_add(argv, "--name=%s",
                ct_layout_host(&bench->layout, bench->layout.node_of_rank[bench->rank]));
    if (more->n > 0)
        ct_argv_add_all(argv, more->item);
    if (bench->rank == 0) {
        ct_argv_add(argv, "--listen=fd:%d", socket_fd);
        ct_argv_add(argv, "--store=%s", watch->folder);
        if (first->n > 0)
            ct_argv_add_all(argv, first->item);
    } else {
        ct_argv_add(argv, "--listen=*:0");
        ct_argv_add(argv, "--join=%s", meeting->addresses);
    }
    return argv->failed ? ct_no_memory(err, "--watch") : CT_OK;
}

enum ct_status ct_impact_watch_prepare(const struct ct_bench *bench,
                                       const struct ct_impact_watch *watch,
                                       const struct ct_argv *more, const struct ct_argv *first,
                                       struct ct_argv *argv, struct ct_error *err)
{
    struct meeting meeting = {0};
    int socket_fd = -1;
    enum ct_status status =
        bench->rank == 0 ? make_meeting(watch, &meeting, &socket_fd, err) : CT_OK;
    status = ct_bench_agree(bench, status, err);
    if (status != CT_OK)
        return status;
    MPI_Bcast(&meeting, (int)sizeof meeting, MPI_BYTE, 0, bench->comm);
    if (bench->layout.slot_of_rank[bench->rank] == 0)
        status = make_command(bench, watch, &meeting, socket_fd, more, first, argv, err);
    explicit_bzero(meeting.key, sizeof meeting.key);
    return ct_bench_agree(bench, status, err);
}

enum ct_status ct_impact_watch_become(const struct ct_argv *argv, struct ct_error *err)
{
    execv(argv->item[0], argv->item);
    return ct_fail(err, CT_EIO, "%s: cannot be started: %s", argv->item[0], strerror(errno));
}
