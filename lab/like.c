#include "lab/like.h"

#include "core/clock.h"
#include "core/stats.h"
#include "lab/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Bytes of a full packet, those of the message in it, and those of an empty message: with 66 of
   headers and 20 of the MPI. */
static const double frame_bytes = 1514, payload_bytes = 1448, least_bytes = 86;
/* What a delay line that has a core of its own passes on: 8 ports at 50 Mbit/s. */
static const double line_packets_per_s = 33000;
/* A message costs the processors of this machine 10 to 20 us on either side. */
static const double overhead_least_s = 40e-6;

static double machine_rate(const struct ct_machine *machine)
{
    return 8 / machine->G_s * frame_bytes / payload_bytes;
}

enum { LATE_SLEEPS = 40 };
static const double sleep_s = 1e-3;

/* Of the machine's time, by the bytes of an empty message. */
static double least_time_s(const struct ct_machine *machine)
{
    return 8 * least_bytes / machine_rate(machine);
}

/* What the delay line adds to the time of a packet's bytes, in the machine's time. */
static double host_delay_s(const struct ct_machine *machine)
{
    return machine->leaf_s - least_time_s(machine);
}

/* Factors that a lab may have, and what bounds them; least > most: there are none. */
struct range {
    double least, most;
    const char *least_reason, *most_reason;
};

static void raise_least(struct range *range, double dilation, const char *reason)
{
    if (dilation <= range->least)
        return;
    range->least = dilation;
    range->least_reason = reason;
}

static struct range find_range(const struct ct_machine *machine, uint64_t n_hosts, uint32_t n_links)
{
    static const char too_short[] = "a latency of at least 200us can be added";
    double shortest_s = host_delay_s(machine), longest_s = host_delay_s(machine);
    double n_ports = (double)n_hosts + fmin(2 * (double)n_hosts, 2 * (double)n_links);
    if (n_links > 0) {
        shortest_s = fmin(shortest_s, machine->link_s);
        longest_s = fmax(longest_s, machine->link_s);
    }
    struct range range = {.least = 1,
                          .most = CT_LAB_LATENCY_MAX_S / longest_s,
                          .least_reason = "a lab is no faster than the machine",
                          .most_reason = "a latency of at most 20ms can be added"};
    raise_least(&range, CT_LAB_LATENCY_MIN_S / shortest_s, too_short);
    raise_least(&range, overhead_least_s / machine->o_s,
                "a message takes the processors here 20us on either side");
    raise_least(&range, n_ports * machine_rate(machine) / (8 * frame_bytes) / line_packets_per_s,
                "a processor holds back 33,000 packets a second");
    if (machine_rate(machine) / 1e5 < range.most) {
        range.most = machine_rate(machine) / 1e5;
        range.most_reason = "links have at least 100kbit";
    }
    return range;
}

/* To two digits, inwards. */
static double round_dilation(double dilation, bool up)
{
    double step = pow(10, floor(log10(dilation)) - 1);
    return step * (up ? ceil(dilation / step) : floor(dilation / step));
}

static enum ct_status choose_dilation(const struct ct_machine *machine, const struct range *range,
                                      double dilation, double *dilation_p, struct ct_error *err)
{
    double least = round_dilation(range->least, true), most = round_dilation(range->most, false);
    if (least > most)
        return ct_fail(err, CT_EINVAL,
                       "like %s: no dilation is possible with so many hosts: %g at least (%s), and "
                       "%g at most (%s); take fewer hosts, or a slower machine",
                       machine->name, least, range->least_reason, most, range->most_reason);
    if (dilation == 0)
        dilation = most;
    if (dilation >= range->least && dilation <= range->most) {
        *dilation_p = dilation;
        return CT_OK;
    }
    bool is_low = dilation < range->least;
    return ct_fail(err, CT_EINVAL, "dilation %g: %s; the nearest that a lab like %s can have is %g",
                   dilation, is_low ? range->least_reason : range->most_reason, machine->name,
                   is_low ? least : most);
}

enum ct_status ct_lab_spec_like(const char *name, double dilation, struct ct_lab_spec *spec,
                                struct ct_error *err)
{
    const struct ct_machine *machine;
    struct ct_lab_plan *plan;
    enum ct_status status = ct_machine_find(name, &machine, err);
    if (status != CT_OK)
        return ct_fail_within(err, status, "like");
    CT_TRY(ct_lab_plan_new(spec, &plan, err));
    struct range range = find_range(machine, spec->n_hosts, plan->n_links);
    bool has_links = plan->n_links > 0;
    free(plan);
    CT_TRY(choose_dilation(machine, &range, dilation, &dilation, err));
    spec->rate_bit_per_s = machine_rate(machine) / dilation;
    spec->uplink_bit_per_s = has_links ? spec->rate_bit_per_s : 0;
    spec->delay = (struct ct_lab_delay){.latency_s = dilation * host_delay_s(machine)};
    spec->like = (struct ct_lab_like){.dilation = dilation,
                                      .link_latency_s = has_links ? dilation * machine->link_s : 0,
                                      .overhead_s = dilation * machine->o_s};
    snprintf(spec->like.machine, sizeof spec->like.machine, "%s", machine->name);
    return CT_OK;
}

double ct_lab_like_scatter_frac(const struct ct_lab_spec *spec)
{
    double late_s[LATE_SLEEPS];
    for (size_t i = 0; i < LATE_SLEEPS; i++) {
        double until_s = ct_clock_now_s() + sleep_s;
        ct_clock_sleep_until(until_s);
        late_s[i] = ct_clock_now_s() - until_s;
    }
    ct_stats_select(late_s, LATE_SLEEPS, LATE_SLEEPS * 9 / 10);
    return late_s[LATE_SLEEPS * 9 / 10] / (spec->delay.latency_s + 2 * spec->like.overhead_s);
}

struct ct_machine_groups ct_lab_like_groups(const struct ct_lab_spec *spec)
{
    double byte_s = 8 / spec->rate_bit_per_s;
    double L_s = spec->delay.latency_s + least_bytes * byte_s;
    return ct_machine_groups(L_s, spec->like.overhead_s, byte_s * frame_bytes / payload_bytes,
                             payload_bytes);
}
