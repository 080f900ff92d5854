#include "tests/unit/simulated_fabric.h"

#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>

enum { SMALL_BYTES = 64, LARGE_BYTES = 16384 };

static const double begin_s = 1.7e9; /* since 1970 */

void fabric_open(struct fabric *fabric, const struct ct_topology *topology, uint64_t seed)
{
    struct ct_error err;
    *fabric = (struct fabric){.topology = topology,
                              .link_s = 1e-6,
                              .byte_s = 1e-9,
                              .jitter_frac = 0.01,
                              .probes_per_s = 40,
                              .random = seed};
    assert_int_equal(ct_router_new(topology, &fabric->router, &err), CT_OK);
    fabric->load = calloc(2 * (size_t)topology->n_links, sizeof *fabric->load);
}

void fabric_close(struct fabric *fabric)
{
    ct_router_free(fabric->router);
    free(fabric->route.hops);
    free(fabric->load);
}

static double draw(struct fabric *fabric)
{
    return ct_random_unit(ct_random_next(&fabric->random));
}

static double draw_exponential(struct fabric *fabric)
{
    return -log(1 - draw(fabric));
}

/* One way. @return NaN: lost */
static double send_message(struct fabric *fabric, uint32_t from, uint32_t to, uint32_t bytes)
{
    const struct fabric_fault *fault = &fabric->fault;
    double time_s = 0;
    assert_int_equal(ct_route_find(fabric->router, from, to, &fabric->route, NULL), CT_OK);
    for (size_t i = 0; i < fabric->route.n; i++) {
        const struct ct_hop *hop = &fabric->route.hops[i];
        uint32_t direction =
            2 * hop->link + (fabric->topology->links[hop->link].end[1] == hop->from);
        bool here =
            fault->is_there && fault->kind != CT_WATCH_HOST && fault->direction == direction;
        double service_s = 1e-6 + fabric->byte_s * (i == 0 ? bytes : 0), link_s = fabric->link_s,
               load = fabric->load[direction];
        if (here && fault->kind == CT_WATCH_RATE) {
            service_s += fabric->byte_s * bytes * (1 / fault->size - 1);
            load = fmin(0.95, load / fault->size);
        }
        if (here && fault->kind == CT_WATCH_DELAY)
            link_s *= fault->size;
        if (here && fault->kind == CT_WATCH_ROUTE && to == fault->host)
            link_s += 2 * fabric->link_s + 2e-6;
        if (here && fault->kind == CT_WATCH_LOSS && draw(fabric) < fault->size)
            time_s = NAN;
        if (here && fault->kind == CT_WATCH_FLAP && fmod(fabric->now_s, 60) < 1)
            time_s = NAN;
        /* A queue of messages of 4 KiB. */
        double wait_s =
            draw(fabric) < load ? draw_exponential(fabric) * 4096 * fabric->byte_s / (1 - load) : 0;
        time_s += link_s + service_s + wait_s;
    }
    return time_s * (1 + fabric->jitter_frac * draw_exponential(fabric));
}

struct ct_watch_sample fabric_probe(struct fabric *fabric)
{
    const struct fabric_fault *fault = &fabric->fault;
    uint32_t n = fabric->topology->n_nodes;
    fabric->now_s += draw_exponential(fabric) / (fabric->probes_per_s * n);
    struct ct_watch_sample sample = {
        .unix_ns = (int64_t)((begin_s + fabric->now_s) * 1e9),
        .from = (uint32_t)(draw(fabric) * n),
        .bytes = draw(fabric) < 0.5 ? LARGE_BYTES : SMALL_BYTES,
        .round_s = NAN,
    };
    sample.to = (sample.from + 1 + (uint32_t)(draw(fabric) * (n - 1))) % n;
    sample.answer_bytes = sample.bytes;
    double there_s = send_message(fabric, sample.from, sample.to, sample.bytes),
           back_s = send_message(fabric, sample.to, sample.from, sample.bytes);
    double hold_s = 5e-6 * (1 + draw_exponential(fabric)),
           late_s = 5e-6 * (1 + draw_exponential(fabric));
    if (fault->is_there && fault->kind == CT_WATCH_HOST) {
        double slow_s = 40e-6 * draw_exponential(fabric);
        if (sample.to == fault->host)
            hold_s += slow_s;
        if (sample.from == fault->host)
            late_s += slow_s;
        if (sample.to == fault->host || sample.from == fault->host) {
            there_s *= 1.05; /* its processor handles what comes and goes */
            back_s *= 1.05;
        }
    }
    sample.hold_s = (float)hold_s;
    sample.late_s = (float)late_s;
    sample.there_s = (float)there_s;
    sample.back_s = (float)back_s;
    sample.round_s = (float)(there_s + back_s);
    sample.fate = (uint8_t)(isnan(there_s + back_s) ? CT_WATCH_LOST : CT_WATCH_ANSWERED);
    return sample;
}
