#include "watch/serve/address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WAITING_MAX = 16 };

static void write_url(struct ct_serve_place *place)
{
    char name[INET6_ADDRSTRLEN] = "";
    bool is_six = place->address.ss_family == AF_INET6;
    const struct sockaddr_in6 *six = (const void *)&place->address;
    const struct sockaddr_in *four = (const void *)&place->address;
    inet_ntop(place->address.ss_family,
              is_six ? (const void *)&six->sin6_addr : (const void *)&four->sin_addr, name,
              sizeof name);
    snprintf(place->url, sizeof place->url, is_six ? "http://[%s]:%u/" : "http://%s:%u/", name,
             ntohs(is_six ? six->sin6_port : four->sin_port));
}

static bool parse_port(const char *text, uint16_t *port_p)
{
    size_t n = strspn(text, "0123456789");
    unsigned long port = strtoul(text, NULL, 10);
    *port_p = htons((uint16_t)port);
    return n >= 1 && n <= 5 && text[n] == '\0' && port <= UINT16_MAX;
}

enum ct_status ct_serve_parse_place(const char *text, struct ct_serve_place *place_p,
                                    struct ct_error *err)
{
    char name[INET6_ADDRSTRLEN + 2] = "localhost";
    const char *colon = strrchr(text, ':');
    size_t n = colon ? (size_t)(colon - text) : 0;
    struct ct_serve_place place = {.size = sizeof(struct sockaddr_in)};
    struct sockaddr_in *four = (void *)&place.address;
    struct sockaddr_in6 *six = (void *)&place.address;
    uint16_t port = 0;
    bool good = n < sizeof name && parse_port(colon ? colon + 1 : text, &port);
    if (good && n > 0) {
        memcpy(name, text, n);
        name[n] = '\0';
    }
    if (good && name[0] == '[' && n > 2 && name[n - 1] == ']') {
        name[n - 1] = '\0';
        place.size = sizeof *six;
        six->sin6_family = AF_INET6;
        six->sin6_port = port;
        good = inet_pton(AF_INET6, name + 1, &six->sin6_addr) == 1;
        place.is_loopback = IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
    } else if (good) {
        four->sin_family = AF_INET;
        four->sin_port = port;
        good = inet_pton(AF_INET, strcmp(name, "localhost") == 0 ? "127.0.0.1" : name,
                         &four->sin_addr) == 1;
        place.is_loopback = ntohl(four->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
    }
    if (!good)
        return ct_fail(err, CT_EINVAL,
                       "'%.100s' is no place to listen: PORT, ADDRESS:PORT or [ADDRESS]:PORT, such "
                       "as localhost:7438",
                       text);
    write_url(&place);
    *place_p = place;
    return CT_OK;
}

enum ct_status ct_serve_listen(struct ct_serve_place *place, int *fd_p, struct ct_error *err)
{
    static const int yes = 1;
    int fd = socket(place->address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    socklen_t size = sizeof place->address;
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        bind(fd, (const struct sockaddr *)&place->address, place->size) != 0 ||
        listen(fd, WAITING_MAX) != 0 ||
        getsockname(fd, (struct sockaddr *)&place->address, &size) != 0) {
        int reason = errno;
        if (fd >= 0)
            close(fd);
        return ct_fail(err, CT_EIO, "cannot listen at %s: %s; give another PORT", place->url,
                       strerror(reason));
    }
    write_url(place);
    *fd_p = fd;
    return CT_OK;
}
