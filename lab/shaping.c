/*
 * Every link is shaped twice: at the switch port (towards the host) and at the host's network card
 * (towards the switch); between switches at both ends. Round-robin is an htb with one class per
 * other host: each class is assured R/(N+1) and may borrow up to R, the root class holds the total
 * at R, and classes that wait are served in turn, a packet at a time (quantum). At the end of a
 * link between switches there is a class for each host whose packets leave there. htb and tbf count
 * the packet as the kernel hands it over: with its Ethernet header of 14 bytes, without preamble,
 * checksum and gap.
 */
#include "lab/internal.h"
#include "lab/plan.h"

#include <stdio.h>
#include <stdlib.h>

#define CLASS_ROOT 1U
#define CLASS_OTHER 2U    /* what no filter knows */
#define CLASS_HOST 0x100U /* plus the other host's index */

/* One packet with its header; a bucket may not be smaller than what it has to let pass. */
static const double packet_bytes = 1600;
/* Tokens that may gather while the timer is late: without them a busy machine loses rate. */
static const double timer_slack_s = 200e-6;

/* A device that queues what leaves by it. */
struct shaped {
    char device[CT_LAB_DEVICE_MAX];
    double rate_bit_per_s;
    const char *end; /* address that names the other host: "src" or "dst" */
    uint64_t others; /* hosts that have a queue: bit i is host i */
};

double ct_lab_burst_bytes(double rate_bit_per_s)
{
    double late_bytes = rate_bit_per_s / 8 * timer_slack_s;
    return late_bytes > packet_bytes ? late_bytes : packet_bytes;
}

static double burst_bytes(const struct shaped *shaped)
{
    return ct_lab_burst_bytes(shaped->rate_bit_per_s);
}

static unsigned count_hosts(uint64_t hosts)
{
    unsigned n = 0;
    for (; hosts; hosts &= hosts - 1)
        n++;
    return n;
}

static void print_class(FILE *out, const struct ct_lab_spec *spec, const struct shaped *shaped,
                        unsigned class)
{
    double assured = shaped->rate_bit_per_s / (count_hosts(shaped->others) + 2);
    fprintf(out,
            "class add dev %s parent 1:%x classid 1:%x htb rate %.0fbit ceil %.0fbit "
            "burst %.0f cburst %.0f quantum %.0f\n"
            "qdisc add dev %s parent 1:%x handle %x: bfifo limit %zu\n",
            shaped->device, CLASS_ROOT, class, assured, shaped->rate_bit_per_s, packet_bytes,
            burst_bytes(shaped), packet_bytes, shaped->device, class, class + 0x100,
            spec->queue_limit_bytes);
}

static void print_queues(FILE *out, const struct ct_lab_spec *spec, const struct shaped *shaped)
{
    const char *device = shaped->device;
    double burst = burst_bytes(shaped), rate = shaped->rate_bit_per_s;
    if (spec->queue == CT_LAB_FIFO) {
        fprintf(out, "qdisc add dev %s root handle 1: tbf rate %.0fbit burst %.0f limit %zu\n",
                device, rate, burst, spec->queue_limit_bytes);
        return;
    }
    fprintf(out,
            "qdisc add dev %s root handle 1: htb default %x\n"
            "class add dev %s parent 1: classid 1:%x htb rate %.0fbit ceil %.0fbit "
            "burst %.0f cburst %.0f quantum %.0f\n",
            device, CLASS_OTHER, device, CLASS_ROOT, rate, rate, burst, burst, packet_bytes);
    print_class(out, spec, shaped, CLASS_OTHER);
    for (unsigned other = 0; other < CT_LAB_HOSTS_MAX; other++)
        if (shaped->others >> other & 1)
            print_class(out, spec, shaped, CLASS_HOST + other);
}

static void print_filters(FILE *out, const struct shaped *shaped, bool flower)
{
    for (unsigned other = 0; other < CT_LAB_HOSTS_MAX; other++) {
        char address[16];
        if (!(shaped->others >> other & 1))
            continue;
        ct_lab_host_address(other, address);
        fprintf(out, "filter add dev %s parent 1: protocol ip prio 1 ", shaped->device);
        if (flower)
            fprintf(out, "flower %s_ip %s classid 1:%x\n", shaped->end, address,
                    CLASS_HOST + other);
        else
            fprintf(out, "u32 match ip %s %s/32 flowid 1:%x\n", shaped->end, address,
                    CLASS_HOST + other);
    }
}

static enum ct_status add_filters(const struct shaped *shaped, size_t n, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    for (int flower = 0; flower < 2; flower++) {
        char *batch = NULL;
        size_t size;
        FILE *out = open_memstream(&batch, &size);
        if (!out)
            return ct_no_memory(err, "tc");
        for (size_t i = 0; i < n; i++)
            print_filters(out, &shaped[i], flower != 0);
        struct ct_error first = {0};
        status = ct_lab_run_batch(out, "tc", &batch, flower ? NULL : &first);
        if (status == CT_OK)
            return CT_OK;
        if (!flower && err)
            *err = first; /* u32 is the usual one: its lack is what we report */
        if (status != CT_EUNSUPPORTED)
            break;
    }
    return status;
}

static enum ct_status shape_ports(const struct ct_lab_spec *spec, const struct shaped *shaped,
                                  size_t n, struct ct_error *err)
{
    char *batch = NULL;
    size_t size;
    FILE *out = open_memstream(&batch, &size);
    if (!out)
        return ct_no_memory(err, "tc");
    for (size_t i = 0; i < n; i++)
        print_queues(out, spec, &shaped[i]);
    CT_TRY(ct_lab_run_batch(out, "tc", &batch, err));
    if (spec->queue == CT_LAB_ROUND_ROBIN)
        CT_TRY(add_filters(shaped, n, err));
    return CT_OK;
}

static uint64_t all_but(const struct ct_lab_spec *spec, unsigned host)
{
    uint64_t all = spec->n_hosts < 64 ? (UINT64_C(1) << spec->n_hosts) - 1 : UINT64_MAX;
    return all & ~(UINT64_C(1) << host);
}

enum ct_status ct_lab_shape_card(const struct ct_lab_spec *spec, unsigned host,
                                 struct ct_error *err)
{
    const struct shaped card = {"eth0", spec->rate_bit_per_s, "dst", all_but(spec, host)};
    return shape_ports(spec, &card, 1, err);
}

enum ct_status ct_lab_shape_switches(const struct ct_lab_spec *spec, const struct ct_lab_plan *plan,
                                     struct ct_error *err)
{
    size_t n = 0;
    struct shaped *shaped = calloc(plan->n_hosts + 2 * (size_t)plan->n_links, sizeof *shaped);
    if (!shaped)
        return ct_no_memory(err, "lab");
    for (unsigned host = 0; host < plan->n_hosts; host++, n++) {
        shaped[n] = (struct shaped){"", spec->rate_bit_per_s, "src", all_but(spec, host)};
        snprintf(shaped[n].device, sizeof shaped[n].device, "p%u", host + 1);
    }
    for (unsigned i = 0; i < 2 * plan->n_links; i++, n++) {
        shaped[n] =
            (struct shaped){"", spec->uplink_bit_per_s, "src", plan->link[i / 2].sources[i % 2]};
        ct_lab_link_device(i / 2, i % 2, shaped[n].device);
    }
    enum ct_status status = shape_ports(spec, shaped, n, err);
    free(shaped);
    return status;
}
