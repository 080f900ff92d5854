/*
 * The folder of a watch, from probes of a simulated fabric: two minutes healthy, then a minute in
 * which leaf0 sends to spine0 at 80 % of its rate.
 *
 *     watched_fabric DIR
 */
#include "tests/unit/simulated_fabric.h"
#include "topology/read.h"
#include "watch/store_writer.h"

#include <stdbool.h>
#include <stdio.h>

enum { HOSTS = 16, STORE_BYTES = 1 << 30 };

static bool write_probes(struct fabric *fabric, double time_s, struct ct_watch_writer *writer,
                         struct ct_error *err)
{
    for (double end_s = fabric->now_s + time_s; fabric->now_s < end_s;) {
        const struct ct_watch_sample sample = fabric_probe(fabric);
        if (!ct_watch_writer_add(writer, &sample) && ct_watch_writer_flush(writer, err) != CT_OK)
            return false;
    }
    return ct_watch_writer_flush(writer, err) == CT_OK;
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

int main(int argc, char **argv)
{
    const struct ct_topology_settings settings = ct_topology_defaults();
    struct ct_watch_host hosts[HOSTS] = {{.name = ""}};
    struct ct_topology topology;
    struct ct_watch_writer *writer;
    struct fabric fabric;
    struct ct_error err = {.text = "a folder is needed"};
    if (argc != 2 || ct_topology_make("tree:4x4,2", &settings, &topology, &err) != CT_OK ||
        ct_watch_writer_open(argv[1], STORE_BYTES, &writer, &err) != CT_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    for (uint32_t i = 0; i < HOSTS; i++)
        snprintf(hosts[i].name, sizeof hosts[i].name, "%s", ct_topology_name(&topology, i));
    fabric_open(&fabric, &topology, 1);
    bool done = ct_watch_writer_save_hosts(writer, hosts, HOSTS, &err) == CT_OK &&
                write_probes(&fabric, 120, writer, &err);
    fabric.fault = (struct fabric_fault){.kind = CT_WATCH_RATE,
                                         .is_there = true,
                                         .direction = find_way(&topology, "leaf0", "spine0"),
                                         .size = 0.8};
    done = done && write_probes(&fabric, 60, writer, &err);
    done = ct_watch_writer_close(writer, &err) == CT_OK && done;
    if (!done)
        fprintf(stderr, "%s\n", err.text);
    fabric_close(&fabric);
    ct_topology_free(&topology);
    return done ? 0 : 1;
}
