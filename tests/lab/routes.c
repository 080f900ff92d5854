/*
 * routes [LAB [N]]: every host of a lab sends one datagram to every other, one after the other, and
 * the counters say over which links it went; with N, every N-th of these pairs. Compared with the
 * routes that topology/ has for the same text. Prints how many pairs took them, and those that did
 * not; exits with 1 if there are some.
 */
#include "core/clock.h"
#include "lab/internal.h"
#include "lab/plan.h"
#include "topology/route.h"
#include "topology/spec.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PORT = 7777 };
static const double patience_s = 2;

struct pair {
    unsigned from, to;
};

/* ---- the sender: a process with a socket in every host ---- */

static int open_socket(const struct ct_lab *lab, unsigned host)
{
    char name[16];
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    ct_lab_host_name(host, name);
    if (ct_lab_enter_host(lab->paths.ns, name, NULL) != CT_OK)
        return -1;
    /* Bound, so that no host answers that nobody listens. */
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    return fd >= 0 && bind(fd, (struct sockaddr *)&any, sizeof any) == 0 ? fd : -1;
}

static void serve(const struct ct_lab *lab, int line)
{
    int sockets[CT_LAB_HOSTS_MAX];
    struct pair pair;
    if (ct_lab_enter(lab, NULL) != CT_OK)
        _exit(1);
    for (unsigned host = 0; host < lab->plan->n_hosts; host++)
        if ((sockets[host] = open_socket(lab, host)) < 0)
            _exit(1);
    while (read(line, &pair, sizeof pair) == sizeof pair) {
        char address[16];
        struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(PORT)};
        ct_lab_host_address(pair.to, address);
        inet_pton(AF_INET, address, &to.sin_addr);
        if (sendto(sockets[pair.from], "route", 5, 0, (struct sockaddr *)&to, sizeof to) != 5)
            _exit(1);
    }
    _exit(0);
}

/* ---- what the counters should say ---- */

struct expected {
    struct ct_topology topology;
    struct ct_router *router;
    struct ct_route route;
};

static enum ct_status expect(const struct ct_lab *lab, struct expected *e, struct ct_error *err)
{
    const struct ct_lab_spec spec = ct_lab_spec_of(lab);
    char text[CT_LAB_TOPOLOGY_MAX];
    struct ct_topology_settings settings = ct_topology_defaults();
    snprintf(text, sizeof text, "%s", spec.topology);
    if (!*text)
        snprintf(text, sizeof text, "switch:%u", (unsigned)spec.n_hosts);
    enum ct_status status = ct_topology_make(text, &settings, &e->topology, err);
    return status == CT_OK ? ct_router_new(&e->topology, &e->router, err) : status;
}

/* Packets that the route sends from one switch to another, by their names. */
static uint64_t on_route(const struct expected *e, const char *from, const char *to)
{
    uint64_t n = 0;
    for (size_t i = 0; i < e->route.n; i++)
        n += !strcmp(ct_topology_name(&e->topology, e->route.hops[i].from), from) &&
             !strcmp(ct_topology_name(&e->topology, e->route.hops[i].to), to);
    return n;
}

static bool took_route(const struct ct_lab *lab, const struct expected *e, const struct pair *pair,
                       const struct ct_lab_counters *before, const struct ct_lab_counters *after)
{
    const struct ct_lab_plan *plan = ct_lab_plan_of(lab);
    for (unsigned host = 0; host < plan->n_hosts; host++) {
        struct ct_lab_load load = ct_lab_load(lab, before, after, host);
        if (load.delta.rx.packets != (host == pair->from) ||
            load.delta.tx.packets != (host == pair->to))
            return false;
    }
    for (size_t i = 0; i < plan->n_links; i++)
        for (size_t end = 0; end < 2; end++) {
            const char *from = plan->switch_name[plan->link[i].at[end]];
            const char *to = plan->switch_name[plan->link[i].at[!end]];
            if (ct_lab_link_load(lab, before, after, i, end).delta.packets != on_route(e, from, to))
                return false;
        }
    return true;
}

/* ---- all pairs ---- */

static enum ct_status try_pair(struct ct_lab *lab, struct expected *e, int line,
                               const struct pair *pair, bool *good_p, struct ct_error *err)
{
    static struct ct_lab_counters before, after;
    enum ct_status status = ct_lab_counters_read(lab, &before, err);
    if (status == CT_OK)
        status = ct_route_find(e->router, pair->from, pair->to, &e->route, err);
    if (status == CT_OK && write(line, pair, sizeof *pair) != sizeof *pair)
        status = ct_fail(err, CT_ECHILD, "the sender has ended");
    /* A packet may be counted where it arrives before it is where it was sent. */
    double until_s = ct_clock_now_s() + patience_s;
    *good_p = false;
    while (status == CT_OK && !*good_p && ct_clock_now_s() < until_s) {
        status = ct_lab_counters_read(lab, &after, err);
        *good_p = status == CT_OK && took_route(lab, e, pair, &before, &after);
    }
    return status;
}

static enum ct_status try_all(struct ct_lab *lab, struct expected *e, int line, unsigned every,
                              unsigned *n_p, unsigned *good_p, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    unsigned number = 0;
    for (unsigned from = 0; from < lab->plan->n_hosts; from++)
        for (unsigned to = 0; to < lab->plan->n_hosts && status == CT_OK; to++) {
            const struct pair pair = {from, to};
            bool good = true;
            if (from == to || number++ % every != 0)
                continue;
            status = try_pair(lab, e, line, &pair, &good, err);
            if (!good)
                printf("h%u to h%u: another way\n", from + 1, to + 1);
            *good_p += good;
            ++*n_p;
        }
    return status;
}

int main(int argc, char **argv)
{
    struct ct_lab *lab;
    struct ct_error err;
    struct expected e = {0};
    unsigned n = 0, good = 0;
    unsigned long every = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    int line[2];
    enum ct_status status = ct_lab_open(argc > 1 ? argv[1] : NULL, &lab, &err);
    if (status == CT_OK)
        status = expect(lab, &e, &err);
    if (status != CT_OK || pipe(line) != 0) {
        fprintf(stderr, "%s\n", status != CT_OK ? err.text : "no pipe");
        return 1;
    }
    pid_t sender = fork();
    if (sender == 0) {
        close(line[1]);
        serve(lab, line[0]);
    }
    close(line[0]);
    status = try_all(lab, &e, line[1], every > 0 ? (unsigned)every : 1, &n, &good, &err);
    close(line[1]);
    waitpid(sender, NULL, 0);
    if (status != CT_OK)
        fprintf(stderr, "%s\n", err.text);
    printf("%u of %u\n", good, n);
    ct_router_free(e.router);
    ct_topology_free(&e.topology);
    free(e.route.hops);
    ct_lab_close(lab);
    return status != CT_OK || good < n;
}
