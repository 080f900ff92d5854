/*
 * The folder of a watch that goes on: two minutes of a simulated fabric until now, healthy; then,
 * at a line on standard input, a minute in which leaf0 sends to spine0 at 80 % of its rate, and one
 * host has left.
 *
 *     watched_live DIR
 */
#include "core/clock.h"
#include "tests/unit/simulated_fabric.h"
#include "topology/spec.h"
#include "watch/store_writer.h"

#include <stdbool.h>
#include <stdio.h>

enum { HOSTS = 16, HEALTHY_S = 120, SICK_S = 60, STORE_BYTES = 1 << 30 };

struct live {
    struct fabric fabric;
    struct ct_watch_writer *writer;
    struct ct_watch_host hosts[HOSTS];
    int64_t begin_unix_ns; /* of the fabric's time 0 */
};

static bool write_probes(struct live *live, double time_s, struct ct_error *err)
{
    for (double end_s = live->fabric.now_s + time_s; live->fabric.now_s < end_s;) {
        struct ct_watch_sample sample = fabric_probe(&live->fabric);
        sample.unix_ns = live->begin_unix_ns + (int64_t)(1e9 * live->fabric.now_s);
        if (!ct_watch_writer_add(live->writer, &sample) &&
            ct_watch_writer_flush(live->writer, err) != CT_OK)
            return false;
    }
    return ct_watch_writer_flush(live->writer, err) == CT_OK;
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

static bool write_watch(struct live *live, const struct ct_topology *topology, struct ct_error *err)
{
    for (uint32_t i = 0; i < HOSTS; i++) {
        live->hosts[i] =
            (struct ct_watch_host){.is_present = true, .seen_unix_ns = (int64_t)ct_clock_unix_ns()};
        snprintf(live->hosts[i].name, sizeof live->hosts[i].name, "%s",
                 ct_topology_name(topology, i));
    }
    if (ct_watch_writer_save_hosts(live->writer, live->hosts, HOSTS, err) != CT_OK ||
        !write_probes(live, HEALTHY_S, err))
        return false;
    puts("healthy");
    fflush(stdout);
    if (getchar() == EOF)
        return true;
    live->fabric.fault = (struct fabric_fault){.kind = CT_WATCH_RATE,
                                               .is_there = true,
                                               .direction = find_way(topology, "leaf0", "spine0"),
                                               .size = 0.8};
    live->hosts[HOSTS - 1].is_present = false;
    return ct_watch_writer_save_hosts(live->writer, live->hosts, HOSTS, err) == CT_OK &&
           write_probes(live, SICK_S, err);
}

int main(int argc, char **argv)
{
    const struct ct_topology_settings settings = ct_topology_defaults();
    static struct live live;
    struct ct_topology topology;
    struct ct_error err = {.text = "a folder is needed"};
    if (argc != 2 || ct_topology_make("tree:4x4,2", &settings, &topology, &err) != CT_OK ||
        ct_watch_writer_open(argv[1], STORE_BYTES, &live.writer, &err) != CT_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    fabric_open(&live.fabric, &topology, 1);
    live.begin_unix_ns = (int64_t)ct_clock_unix_ns() - HEALTHY_S * INT64_C(1000000000);
    bool done = write_watch(&live, &topology, &err);
    done = ct_watch_writer_close(live.writer, &err) == CT_OK && done;
    if (!done)
        fprintf(stderr, "%s\n", err.text);
    fabric_close(&live.fabric);
    ct_topology_free(&topology);
    return done ? 0 : 1;
}
