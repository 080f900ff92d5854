/*
 * The folder of a watch, from probes of a simulated fabric: two minutes healthy, then a minute in
 * which leaf0 sends to spine0 at 80 % of its rate.
 *
 *     watched_fabric DIR         all at once, of 2023
 *     watched_fabric DIR live    two minutes until now; the rest, in which a host has left, at a
 * line on standard input
 */
#include "core/clock.h"
#include "tests/unit/simulated_fabric.h"
#include "topology/read.h"
#include "watch/store_writer.h"

#include <stdbool.h>
#include <stdio.h>

enum { HOSTS = 16, HEALTHY_S = 120, SICK_S = 60, STORE_BYTES = 1 << 30 };

struct watched {
    struct fabric fabric;
    struct ct_watch_writer *writer;
    struct ct_watch_host hosts[HOSTS];
    bool is_live;
    int64_t begin_unix_ns; /* live: of the fabric's time 0 */
};

static bool write_probes(struct watched *watched, double time_s, struct ct_error *err)
{
    for (double end_s = watched->fabric.now_s + time_s; watched->fabric.now_s < end_s;) {
        struct ct_watch_sample sample = fabric_probe(&watched->fabric);
        if (watched->is_live)
            sample.unix_ns = watched->begin_unix_ns + (int64_t)(1e9 * watched->fabric.now_s);
        if (!ct_watch_writer_add(watched->writer, &sample) &&
            ct_watch_writer_flush(watched->writer, err) != CT_OK)
            return false;
    }
    return ct_watch_writer_flush(watched->writer, err) == CT_OK;
}

static uint32_t find_way(const struct ct_topology *topology, const char *from, const char *to)
{
    uint32_t a = 0, b = 0, l = 0;
    ct_topology_find(topology, from, &a);
    ct_topology_find(topology, to, &b);
    while (l + 1 < topology->n_links &&
           (topology->links[l].end[0] != a || topology->links[l].end[1] != b))
        l++;
    return 2 * l;
}

static bool write_hosts(struct watched *watched, struct ct_error *err)
{
    return ct_watch_writer_save_hosts(watched->writer, watched->hosts, HOSTS, err) == CT_OK;
}

/* Whether the rest is wanted. */
static bool wait_for_line(void)
{
    puts("healthy");
    fflush(stdout);
    return getchar() != EOF;
}

static bool write_watch(struct watched *watched, const struct ct_topology *topology,
                        struct ct_error *err)
{
    if (!write_hosts(watched, err) || !write_probes(watched, HEALTHY_S, err))
        return false;
    if (watched->is_live && !wait_for_line())
        return true;
    watched->fabric.fault =
        (struct fabric_fault){.kind = CT_WATCH_RATE,
                              .is_there = true,
                              .direction = find_way(topology, "leaf0", "spine0"),
                              .size = 0.8};
    watched->hosts[HOSTS - 1].is_present = false;
    return write_hosts(watched, err) && write_probes(watched, SICK_S, err);
}

int main(int argc, char **argv)
{
    static struct watched watched;
    const struct ct_topology_settings settings = ct_topology_defaults();
    struct ct_topology topology;
    struct ct_error err = {.text = "a folder is needed"};
    watched.is_live = argc > 2;
    if (argc < 2 || ct_topology_make("tree:4x4,2", &settings, &topology, &err) != CT_OK ||
        ct_watch_writer_open(argv[1], STORE_BYTES, &watched.writer, &err) != CT_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    int64_t now_ns = (int64_t)ct_clock_unix_ns();
    watched.begin_unix_ns = now_ns - HEALTHY_S * INT64_C(1000000000);
    for (uint32_t i = 0; i < HOSTS; i++) {
        struct ct_watch_host *host = &watched.hosts[i];
        snprintf(host->name, sizeof host->name, "%s", ct_topology_name(&topology, i));
        host->is_present = watched.is_live;
        host->seen_unix_ns = watched.is_live ? now_ns : 0;
    }
    fabric_open(&watched.fabric, &topology, 1);
    bool done = write_watch(&watched, &topology, &err);
    done = ct_watch_writer_close(watched.writer, &err) == CT_OK && done;
    if (!done)
        fprintf(stderr, "%s\n", err.text);
    fabric_close(&watched.fabric);
    ct_topology_free(&topology);
    return done ? 0 : 1;
}
