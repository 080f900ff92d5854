/*
 * Known traffic for the tests of the lab.
 *   traffic sink N              accept N connections, read all to their ends
 *   traffic source ADDR BYTES   send so many bytes; "0" bytes: until killed
 *   traffic turns ADDR BYTES    send so many by each of two connections, first by one, then by the
 * other traffic echo                send every datagram back, until killed traffic ping ADDR N US
 * send N datagrams, each so many microseconds after the answer to the one before: what has not run
 * for long is slow traffic train ADDR N        send N datagrams, one every 200 us, and take them
 * back The sink prints for each connection: address of the source, bytes, seconds from first to
 * last byte. ping and train print how many came back, how many of them before one that was sent
 * earlier, and in microseconds least, quartiles, 99th percentile and most of the way there, until
 * the other kernel has it, and of the round trip.
 */
#include "core/clock.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PORT = 7777, CONNECTIONS_MAX = 64 };

struct connection {
    char from[INET_ADDRSTRLEN];
    double first_s, last_s;
    unsigned long long bytes, early_bytes;
};

static int fail(const char *what)
{
    perror(what);
    return 1;
}

static int listen_any(void)
{
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(fd, (struct sockaddr *)&any, sizeof any) != 0 || listen(fd, CONNECTIONS_MAX) != 0)
        return -1;
    return fd;
}

/* False at the end of the connection. */
static int drain(int fd, struct connection *c)
{
    char block[65536];
    ssize_t n = read(fd, block, sizeof block);
    if (n <= 0)
        return 0;
    bool is_first = c->bytes == 0;
    c->bytes += (unsigned long long)n;
    /* What came before this process had a processor came at another time. */
    while (is_first && (n = recv(fd, block, sizeof block, MSG_DONTWAIT)) > 0)
        c->bytes += (unsigned long long)n;
    c->last_s = ct_clock_now_s();
    if (is_first) {
        c->first_s = c->last_s;
        c->early_bytes = c->bytes;
    }
    return 1;
}

static int sink(size_t n)
{
    struct pollfd watch[CONNECTIONS_MAX];
    struct connection connection[CONNECTIONS_MAX] = {0};
    int listener = listen_any();
    if (listener < 0 || n > CONNECTIONS_MAX)
        return fail("listen");
    puts("ready");
    fflush(stdout);
    for (size_t i = 0; i < n; i++) {
        struct sockaddr_in from;
        socklen_t length = sizeof from;
        watch[i].fd = accept(listener, (struct sockaddr *)&from, &length);
        watch[i].events = POLLIN;
        if (watch[i].fd < 0)
            return fail("accept");
        inet_ntop(AF_INET, &from.sin_addr, connection[i].from, sizeof connection[i].from);
    }
    for (size_t open = n; open > 0;) {
        if (poll(watch, n, -1) < 0)
            return fail("poll");
        for (size_t i = 0; i < n; i++)
            if (watch[i].fd >= 0 && watch[i].revents && !drain(watch[i].fd, &connection[i])) {
                close(watch[i].fd);
                watch[i].fd = -1;
                open--;
            }
    }
    for (size_t i = 0; i < n; i++)
        printf("%s %llu %.6f %llu\n", connection[i].from, connection[i].bytes,
               connection[i].last_s - connection[i].first_s,
               connection[i].bytes - connection[i].early_bytes);
    return 0;
}

static int connect_to(const char *address)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || inet_pton(AF_INET, address, &to.sin_addr) != 1 ||
        connect(fd, (struct sockaddr *)&to, sizeof to) != 0)
        return -1;
    return fd;
}

/* 0 bytes: for ever. */
static int send_bytes(int fd, unsigned long long bytes)
{
    static char block[65536];
    unsigned long long left = bytes;
    while (bytes == 0 || left > 0) {
        size_t part = bytes && left < sizeof block ? (size_t)left : sizeof block;
        ssize_t n = write(fd, block, part);
        if (n < 0)
            return fail("write");
        left -= bytes ? (unsigned long long)n : 0;
    }
    return 0;
}

static int source(const char *address, unsigned long long bytes)
{
    int fd = connect_to(address);
    if (fd < 0)
        return fail(address);
    int result = send_bytes(fd, bytes);
    return close(fd) == 0 ? result : fail("close");
}

static int turns(const char *address, unsigned long long bytes)
{
    int fd[2] = {connect_to(address), connect_to(address)};
    if (fd[0] < 0 || fd[1] < 0)
        return fail(address);
    int result = 0;
    for (int i = 0; i < 2 && result == 0; i++)
        result = send_bytes(fd[i], bytes);
    return close(fd[0]) == 0 && close(fd[1]) == 0 ? result : fail("close");
}

/* ---- datagrams ---- */

enum { DATAGRAMS_MAX = 20000 };
static const double patience_s = 1, distance_s = 200e-6;

struct datagram {
    unsigned number;
    uint64_t sent_ns, arrived_ns; /* since 1970; the latter as the kernel of the other end has it */
};

struct answers {
    double way_s[DATAGRAMS_MAX], round_trip_s[DATAGRAMS_MAX];
    size_t n, n_overtaken;
    unsigned last;
};

static int datagram_socket(const char *address)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (fd < 0 || (address && inet_pton(AF_INET, address, &at.sin_addr) != 1))
        return -1;
    const struct sockaddr *any = (const struct sockaddr *)&at;
    int result = address ? connect(fd, any, sizeof at) : bind(fd, any, sizeof at);
    return result == 0 ? fd : -1;
}

static int echo(void)
{
    int fd = datagram_socket(NULL);
    if (fd < 0)
        return fail("echo");
    const int on = 1;
    if (setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) != 0)
        return fail("SO_TIMESTAMPNS");
    puts("ready");
    fflush(stdout);
    for (;;) {
        struct sockaddr_in from;
        struct datagram d;
        union {
            struct cmsghdr align;
            char space[CMSG_SPACE(sizeof(struct timespec))];
        } stamp;
        struct iovec data = {.iov_base = &d, .iov_len = sizeof d};
        struct msghdr message = {.msg_name = &from,
                                 .msg_namelen = sizeof from,
                                 .msg_iov = &data,
                                 .msg_iovlen = 1,
                                 .msg_control = &stamp,
                                 .msg_controllen = sizeof stamp};
        struct timespec at;
        if (recvmsg(fd, &message, 0) != sizeof d || !CMSG_FIRSTHDR(&message))
            continue;
        memcpy(&at, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof at);
        d.arrived_ns = (uint64_t)at.tv_sec * 1000000000 + (uint64_t)at.tv_nsec;
        sendto(fd, &d, sizeof d, 0, (struct sockaddr *)&from, sizeof from);
    }
}

/* Takes what has come back; waits for it until a time. */
static int take_one(int fd, double until_s, struct answers *answers)
{
    struct pollfd watch = {.fd = fd, .events = POLLIN};
    double left_s = until_s - ct_clock_now_s();
    struct timespec wait = {.tv_nsec =
                                left_s > 0 ? (long)(1e9 * (left_s < 0.9 ? left_s : 0.9)) : 0};
    struct datagram d;
    if (ppoll(&watch, 1, &wait, NULL) != 1 || recv(fd, &d, sizeof d, 0) != sizeof d)
        return 0;
    answers->round_trip_s[answers->n] = 1e-9 * (double)(ct_clock_unix_ns() - d.sent_ns);
    answers->way_s[answers->n] = 1e-9 * (double)(d.arrived_ns - d.sent_ns);
    answers->n_overtaken += answers->n > 0 && d.number < answers->last;
    answers->last = d.number;
    answers->n++;
    return 1;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Least, quartiles, 99 %, most. */
static void print_quantiles(double *x_s, size_t n)
{
    static const double p[] = {0, 0.25, 0.5, 0.75, 0.99, 1};
    qsort(x_s, n, sizeof *x_s, compare);
    for (size_t i = 0; i < sizeof p / sizeof *p && n > 0; i++)
        printf(" %.1f", 1e6 * x_s[(size_t)(p[i] * (double)(n - 1))]);
}

static void print_answers(struct answers *answers)
{
    printf("%zu %zu", answers->n, answers->n_overtaken);
    print_quantiles(answers->way_s, answers->n);
    print_quantiles(answers->round_trip_s, answers->n);
    printf("\n");
}

/* One at a time: a lost one ends it. */
static int ping(const char *address, size_t n, double pause_s)
{
    static struct answers answers;
    int fd = datagram_socket(address);
    if (fd < 0 || n > DATAGRAMS_MAX)
        return fail(address);
    for (unsigned i = 0; i < n; i++) {
        ct_clock_sleep(pause_s);
        struct datagram d = {i, ct_clock_unix_ns(), 0};
        if (send(fd, &d, sizeof d, 0) != sizeof d ||
            !take_one(fd, ct_clock_now_s() + patience_s, &answers))
            return fail("no answer");
    }
    print_answers(&answers);
    return 0;
}

static int train(const char *address, size_t n)
{
    static struct answers answers;
    int fd = datagram_socket(address);
    if (fd < 0 || n > DATAGRAMS_MAX)
        return fail(address);
    double start_s = ct_clock_now_s();
    for (unsigned i = 0; i < n; i++) {
        double next_s = start_s + distance_s * i;
        while (ct_clock_now_s() < next_s)
            while (take_one(fd, next_s, &answers))
                continue;
        struct datagram d = {i, ct_clock_unix_ns(), 0};
        if (send(fd, &d, sizeof d, 0) != sizeof d)
            return fail("send");
    }
    while (answers.n < n && take_one(fd, ct_clock_now_s() + patience_s, &answers))
        continue;
    print_answers(&answers);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "sink"))
        return sink(strtoul(argv[2], NULL, 10));
    if (argc == 4 && !strcmp(argv[1], "source"))
        return source(argv[2], strtoull(argv[3], NULL, 10));
    if (argc == 4 && !strcmp(argv[1], "turns"))
        return turns(argv[2], strtoull(argv[3], NULL, 10));
    if (argc == 2 && !strcmp(argv[1], "echo"))
        return echo();
    if (argc == 5 && !strcmp(argv[1], "ping"))
        return ping(argv[2], strtoul(argv[3], NULL, 10), 1e-6 * strtod(argv[4], NULL));
    if (argc == 4 && !strcmp(argv[1], "train"))
        return train(argv[2], strtoul(argv[3], NULL, 10));
    fputs("usage: traffic sink N | source ADDR BYTES | turns ADDR BYTES | echo | ping ADDR N US | "
          "train ADDR N\n",
          stderr);
    return 2;
}
