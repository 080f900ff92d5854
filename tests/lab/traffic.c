/*
 * Known traffic for the tests of the lab.
 *   traffic sink N              accept N connections, read all to their ends
 *   traffic source ADDR BYTES   send so many bytes; "0" bytes: until killed
 * The sink prints for each connection: address of the source, bytes, seconds from first to last
 * byte.
 */
#include "core/clock.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PORT = 7777, CONNECTIONS_MAX = 64 };

struct connection {
    char from[INET_ADDRSTRLEN];
    double first_s, last_s;
    unsigned long long bytes;
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
    c->last_s = ct_clock_now_s();
    if (c->bytes == 0)
        c->first_s = c->last_s;
    c->bytes += (unsigned long long)n;
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
        printf("%s %llu %.6f\n", connection[i].from, connection[i].bytes,
               connection[i].last_s - connection[i].first_s);
    return 0;
}

static int source(const char *address, unsigned long long bytes)
{
    static char block[65536];
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || inet_pton(AF_INET, address, &to.sin_addr) != 1 ||
        connect(fd, (struct sockaddr *)&to, sizeof to) != 0)
        return fail(address);
    unsigned long long left = bytes;
    while (bytes == 0 || left > 0) {
        size_t part = bytes && left < sizeof block ? (size_t)left : sizeof block;
        ssize_t n = write(fd, block, part);
        if (n < 0)
            return fail("write");
        left -= bytes ? (unsigned long long)n : 0;
    }
    return close(fd) == 0 ? 0 : fail("close");
}

int main(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "sink"))
        return sink(strtoul(argv[2], NULL, 10));
    if (argc == 4 && !strcmp(argv[1], "source"))
        return source(argv[2], strtoull(argv[3], NULL, 10));
    fputs("usage: traffic sink N | traffic source ADDR BYTES\n", stderr);
    return 2;
}
