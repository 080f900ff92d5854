#include "watch/probe/sockets.h"

#include "core/clock.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CLOCK_TRIES = 5, CLOCKS_APART_NS = 2000 };

static enum ct_status resolve_address(const char *text, size_t length, int flags,
                                      struct ct_probe_address *address_p, struct ct_error *err)
{
    char host[256], *port = NULL;
    if (length < sizeof host) {
        memcpy(host, text, length);
        host[length] = '\0';
        port = strrchr(host, ':');
    }
    if (!port || port[1] == '\0')
        return ct_fail(err, CT_EINVAL, "'%.*s' is no ADDRESS:PORT", (int)length, text);
    *port++ = '\0';
    char *name = host;
    size_t n = strlen(host);
    if (n > 1 && host[0] == '[' && host[n - 1] == ']') {
        host[n - 1] = '\0';
        name++;
    }
    bool is_any = strcmp(name, "*") == 0;
    const struct addrinfo hints = {.ai_family = AF_INET6,
                                   .ai_socktype = SOCK_DGRAM,
                                   .ai_flags = flags | AI_V4MAPPED | AI_NUMERICSERV};
    struct addrinfo *found;
    int code = getaddrinfo(is_any ? NULL : name, port, &hints, &found);
    if (code != 0)
        return ct_fail(err, CT_EINVAL, "'%.*s': %s", (int)length, text, gai_strerror(code));
    struct sockaddr_in6 socket_address;
    memcpy(&socket_address, found->ai_addr, sizeof socket_address);
    freeaddrinfo(found);
    memcpy(address_p->host, &socket_address.sin6_addr, sizeof address_p->host);
    address_p->port = ntohs(socket_address.sin6_port);
    return CT_OK;
}

static struct sockaddr_in6 to_socket(const struct ct_probe_address *address)
{
    struct sockaddr_in6 result = {.sin6_family = AF_INET6, .sin6_port = htons(address->port)};
    memcpy(&result.sin6_addr, address->host, sizeof address->host);
    return result;
}

/* An adopted one, too. */
static void set_options(int fd)
{
    const int on = 1, off = 0, room = 1 << 20;
    setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
}

enum ct_status ct_probe_socket_open(const char *text, int *fd_p, struct ct_error *err)
{
    if (strncmp(text, "fd:", 3) == 0) {
        char *end;
        long fd = strtol(text + 3, &end, 10);
        if (end == text + 3 || *end != '\0' || fd < 0 || fd > 1 << 20 ||
            ct_probe_socket_port((int)fd) == 0)
            return ct_fail(err, CT_EINVAL, "'%s' is no open socket of UDP", text);
        set_options((int)fd);
        *fd_p = (int)fd;
        return CT_OK;
    }
    struct ct_probe_address address;
    CT_TRY(resolve_address(text, strlen(text), AI_PASSIVE, &address, err));
    int fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return ct_fail(err, CT_EIO, "no socket: %s", strerror(errno));
    set_options(fd);
    const struct sockaddr_in6 bound = to_socket(&address);
    enum ct_status status = CT_OK;
    if (bind(fd, (const struct sockaddr *)&bound, sizeof bound) != 0) {
        status = ct_fail(err, CT_EIO, "'%s' cannot be used: %s", text, strerror(errno));
        close(fd);
        return status;
    }
    *fd_p = fd;
    return CT_OK;
}

uint16_t ct_probe_socket_port(int fd)
{
    struct sockaddr_in6 bound = {0};
    socklen_t length = sizeof bound;
    if (getsockname(fd, (struct sockaddr *)&bound, &length) != 0 || bound.sin6_family != AF_INET6)
        return 0;
    return ntohs(bound.sin6_port);
}

enum ct_status ct_probe_addresses_parse(const char *text, struct ct_probe_address *addresses,
                                        size_t *n_p, struct ct_error *err)
{
    size_t n = 0;
    struct ct_error first = {0};
    for (const char *at = text; *at && n < CT_PROBE_JOINS_MAX;) {
        size_t length = strcspn(at, ",");
        struct ct_error *slot = first.status == CT_OK ? &first : NULL;
        /* One of several addresses may be of a family that this host does not have. */
        if (resolve_address(at, length, 0, &addresses[n], slot) == CT_OK && addresses[n].port != 0)
            n++;
        at += length;
        at += *at == ',';
    }
    if (n == 0 && first.status != CT_OK) {
        *err = first;
        return first.status;
    }
    if (n == 0)
        return ct_fail(err, CT_EINVAL, "'%s' is no ADDRESS:PORT", text);
    *n_p = n;
    return CT_OK;
}

static bool send_at_once(int fd, const struct sockaddr_in6 *to, const void *bytes, size_t n,
                         size_t each)
{
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof(uint16_t))];
    } control = {.bytes = {0}};
    const uint16_t segment = (uint16_t)each;
    struct iovec part = {(void *)(uintptr_t)bytes, n};
    struct msghdr message = {.msg_name = (void *)(uintptr_t)to,
                             .msg_namelen = sizeof *to,
                             .msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control.bytes};
    control.head = (struct cmsghdr){
        .cmsg_level = IPPROTO_UDP, .cmsg_type = UDP_SEGMENT, .cmsg_len = CMSG_LEN(sizeof segment)};
    memcpy(CMSG_DATA(&control.head), &segment, sizeof segment);
    return sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0 ||
           (errno != EINVAL && errno != EIO && errno != EMSGSIZE && errno != ENOPROTOOPT);
}

/* What cannot be sent is lost, as on the way. */
void ct_probe_socket_send(int fd, const struct ct_probe_address *to, const void *bytes, size_t n,
                          size_t each)
{
    const struct sockaddr_in6 address = to_socket(to);
    if (n > each && send_at_once(fd, &address, bytes, n, each))
        return;
    for (size_t at = 0; at < n; at += each) {
        ssize_t sent =
            sendto(fd, (const char *)bytes + at, n - at < each ? n - at : each,
                   MSG_DONTWAIT | MSG_NOSIGNAL, (const struct sockaddr *)&address, sizeof address);
        (void)sent;
    }
}

/* Both clocks at one moment: a process that loses its processor between two readings tries again.
 */
static void read_clocks(int64_t *now_ns, int64_t *date_ns)
{
    int64_t least_ns = INT64_MAX;
    for (int i = 0; i < CLOCK_TRIES && least_ns > CLOCKS_APART_NS; i++) {
        int64_t before_ns = (int64_t)ct_clock_now_ns(), date = (int64_t)ct_clock_unix_ns(),
                apart_ns = (int64_t)ct_clock_now_ns() - before_ns;
        if (apart_ns >= least_ns)
            continue;
        least_ns = apart_ns;
        *now_ns = before_ns + apart_ns / 2;
        *date_ns = date;
    }
}

/* The kernel's time is a date: how long ago that was does not depend on it, unless the date jumped
   meanwhile. */
static int64_t time_of_arrival(struct msghdr *message)
{
    int64_t now_ns = 0, date_ns = 0;
    read_clocks(&now_ns, &date_ns);
    for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part; part = CMSG_NXTHDR(message, part)) {
        struct timespec arrived;
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_TIMESTAMPNS ||
            part->cmsg_len < CMSG_LEN(sizeof arrived))
            continue;
        memcpy(&arrived, CMSG_DATA(part), sizeof arrived);
        int64_t ago_ns = date_ns - (arrived.tv_sec * INT64_C(1000000000) + arrived.tv_nsec);
        return ago_ns > 0 && ago_ns < INT64_C(10000000000) ? now_ns - ago_ns : now_ns;
    }
    return now_ns;
}

ssize_t ct_probe_socket_receive(int fd, struct ct_probe_address *from_p, unsigned char *bytes,
                                size_t size, int64_t *arrived_ns_p)
{
    struct sockaddr_in6 from = {0};
    union {
        struct cmsghdr head;
        char bytes[256];
    } control;
    struct iovec part = {bytes, size};
    struct msghdr message = {.msg_name = &from,
                             .msg_namelen = sizeof from,
                             .msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    ssize_t n = recvmsg(fd, &message, MSG_DONTWAIT);
    if (n < 0)
        return -1;
    memcpy(from_p->host, &from.sin6_addr, sizeof from_p->host);
    from_p->port = ntohs(from.sin6_port);
    *arrived_ns_p = time_of_arrival(&message);
    return n;
}
