/*
 * Every link is shaped twice: at the switch port (towards the host) and at the host's network card
 * (towards the switch). Round-robin is an htb with one class per other host: each class is assured
 * R/(N+1) and may borrow up to R, the root class holds the total at R, and classes that wait are
 * served in turn, a packet at a time (quantum). htb and tbf count the packet as the kernel hands it
 * over: with its Ethernet header of 14 bytes, without preamble, checksum and gap.
 */
#include "lab/internal.h"

#include <stdio.h>
#include <stdlib.h>

#define CLASS_ROOT 1U
#define CLASS_OTHER 2U    /* what no filter knows */
#define CLASS_HOST 0x100U /* plus the other host's index */

/* One packet with its header; a bucket may not be smaller than what it has to let pass. */
static const double packet_bytes = 1600;
/* Tokens that may gather while the timer is late: without them a busy machine loses rate. */
static const double timer_slack_s = 200e-6;

static double burst_bytes(const struct ct_lab_spec *spec)
{
    double late_bytes = spec->rate_bit_per_s / 8 * timer_slack_s;
    return late_bytes > packet_bytes ? late_bytes : packet_bytes;
}

static void print_class(FILE *out, const struct ct_lab_spec *spec, const char *device,
                        unsigned class)
{
    double assured = spec->rate_bit_per_s / (double)(spec->n_hosts + 1);
    fprintf(out,
            "class add dev %s parent 1:%x classid 1:%x htb rate %.0fbit ceil %.0fbit "
            "burst %.0f cburst %.0f quantum %.0f\n"
            "qdisc add dev %s parent 1:%x handle %x: bfifo limit %zu\n",
            device, CLASS_ROOT, class, assured, spec->rate_bit_per_s, packet_bytes,
            burst_bytes(spec), packet_bytes, device, class, class + 0x100, spec->queue_limit_bytes);
}

static void print_round_robin(FILE *out, const struct ct_lab_spec *spec, const char *device,
                              unsigned host)
{
    fprintf(out,
            "qdisc add dev %s root handle 1: htb default %x\n"
            "class add dev %s parent 1: classid 1:%x htb rate %.0fbit ceil %.0fbit "
            "burst %.0f cburst %.0f quantum %.0f\n",
            device, CLASS_OTHER, device, CLASS_ROOT, spec->rate_bit_per_s, spec->rate_bit_per_s,
            burst_bytes(spec), burst_bytes(spec), packet_bytes);
    print_class(out, spec, device, CLASS_OTHER);
    for (unsigned other = 0; other < spec->n_hosts; other++)
        if (other != host)
            print_class(out, spec, device, CLASS_HOST + other);
}

static void print_filters(FILE *out, const struct ct_lab_spec *spec, const char *device,
                          enum ct_lab_side side, unsigned host, bool flower)
{
    const char *end = side == CT_LAB_PORT ? "src" : "dst";
    for (unsigned other = 0; other < spec->n_hosts; other++) {
        char address[16];
        ct_lab_host_address(other, address);
        if (other == host)
            continue;
        fprintf(out, "filter add dev %s parent 1: protocol ip prio 1 ", device);
        if (flower)
            fprintf(out, "flower %s_ip %s classid 1:%x\n", end, address, CLASS_HOST + other);
        else
            fprintf(out, "u32 match ip %s %s/32 flowid 1:%x\n", end, address, CLASS_HOST + other);
    }
}

static enum ct_status run_batch(FILE *out, char **batch, struct ct_error *err)
{
    if (fclose(out) != 0)
        return ct_fail(err, CT_ENOMEM, "tc: out of memory");
    enum ct_status status = ct_lab_tool("tc", *batch, err);
    free(*batch);
    return status;
}

static enum ct_status add_filters(const struct ct_lab_spec *spec, const char *device,
                                  enum ct_lab_side side, unsigned host, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    for (int flower = 0; flower < 2; flower++) {
        char *batch = NULL;
        size_t size;
        FILE *out = open_memstream(&batch, &size);
        if (!out)
            return ct_fail(err, CT_ENOMEM, "tc: out of memory");
        print_filters(out, spec, device, side, host, flower != 0);
        struct ct_error first = {0};
        status = run_batch(out, &batch, flower ? NULL : &first);
        if (status == CT_OK)
            return CT_OK;
        if (!flower && err)
            *err = first; /* u32 is the usual one: its lack is what we report */
        if (status != CT_EUNSUPPORTED)
            break;
    }
    return status;
}

enum ct_status ct_lab_shape(const struct ct_lab_spec *spec, const char *device,
                            enum ct_lab_side side, unsigned host, struct ct_error *err)
{
    char *batch = NULL;
    size_t size;
    FILE *out = open_memstream(&batch, &size);
    if (!out)
        return ct_fail(err, CT_ENOMEM, "tc: out of memory");
    if (spec->queue == CT_LAB_FIFO)
        fprintf(out, "qdisc add dev %s root handle 1: tbf rate %.0fbit burst %.0f limit %zu\n",
                device, spec->rate_bit_per_s, burst_bytes(spec), spec->queue_limit_bytes);
    else
        print_round_robin(out, spec, device, host);
    enum ct_status status = run_batch(out, &batch, err);
    if (status == CT_OK && spec->queue == CT_LAB_ROUND_ROBIN)
        status = add_filters(spec, device, side, host, err);
    return status;
}
