/*
 * Where a lab adds a latency, two links lead from a port to its host instead of one, see
 * delay_line.c. From host to switch the kernel passes packets on at once. From switch to host the
 * delay line does it, or, where the kernel has netem, the kernel too: then netem is the queue of w.
 * The port's own counters and queues are as without a latency.
 */
#include "lab/internal.h"
#include "lab/plan.h"

#include <stdio.h>

/* Packets that netem holds; beyond it drops. */
static const unsigned netem_packets = 100000;

void ct_lab_redirect_print(FILE *ip, unsigned n, const char *net)
{
    fprintf(ip,
            "link add p%u numtxqueues 1 numrxqueues 1 type veth peer name d%u "
            "numtxqueues 1 numrxqueues 1\n"
            "link add w%u numtxqueues 1 numrxqueues 1 type veth peer name eth0 "
            "address 02:00:00:77:00:%02x numtxqueues 1 numrxqueues 1 netns %s\n"
            "link set d%u addrgenmode none\nlink set d%u up\n"
            "link set w%u addrgenmode none\nlink set w%u up\n",
            n, n, n, n, net, n, n, n, n);
}

void ct_lab_redirect_link_print(FILE *ip, unsigned link)
{
    char end[CT_LAB_DEVICE_MAX], held[CT_LAB_DEVICE_MAX];
    for (unsigned side = 0; side < 2; side++) {
        ct_lab_link_device(link, side, end);
        ct_lab_held_device(link, side, held);
        fprintf(ip,
                "link add %s numtxqueues 1 numrxqueues 1 type veth peer name %s numtxqueues 1 "
                "numrxqueues 1\nlink set %s addrgenmode none\nlink set %s up\n",
                end, held, held, held);
    }
}

static void print_redirect(FILE *tc, const char *from, const char *to)
{
    fprintf(tc,
            "qdisc add dev %s clsact\n"
            "filter add dev %s ingress protocol all prio 1 u32 match u32 0 0 "
            "action mirred egress redirect dev %s\n",
            from, from, to);
}

static void print_host_redirect(FILE *tc, char from, char to, unsigned n)
{
    char devices[2][CT_LAB_DEVICE_MAX];
    snprintf(devices[0], sizeof devices[0], "%c%u", from, n);
    snprintf(devices[1], sizeof devices[1], "%c%u", to, n);
    print_redirect(tc, devices[0], devices[1]);
}

/* By netem, both directions of the links between switches. */
static void print_netem_links(FILE *tc, const struct ct_lab_spec *spec,
                              const struct ct_lab_plan *plan)
{
    char held[2][CT_LAB_DEVICE_MAX];
    for (unsigned i = 0; i < 2 * plan->n_links; i++) {
        ct_lab_held_device(i / 2, i % 2, held[0]);
        ct_lab_held_device(i / 2, !(i % 2), held[1]);
        fprintf(tc, "qdisc add dev %s root netem limit %u delay %.0fus\n", held[0], netem_packets,
                1e6 * spec->like.link_latency_s);
        print_redirect(tc, held[0], held[1]);
    }
}

/* With a rate, netem keeps the order of packets whose delays differ: each is queued behind the one
   before it. The one of jitter adds nothing that could be measured; in a lab that imitates a
   machine each packet takes the time of its bytes. */
static void print_netem(FILE *tc, const struct ct_lab_spec *spec, const struct ct_lab_delay *delay,
                        bool replace, unsigned n)
{
    fprintf(tc, "qdisc %s dev w%u root netem limit %u delay %.0fus", replace ? "replace" : "add", n,
            netem_packets, 1e6 * delay->latency_s);
    if (delay->jitter_s > 0)
        fprintf(tc, " %.0fus%s rate 1000gbit", 1e6 * delay->jitter_s,
                delay->shape == CT_LAB_JITTER_NORMAL ? " distribution normal" : "");
    if (spec->like.dilation > 0)
        fprintf(tc, " rate %.0fbit", spec->rate_bit_per_s);
    fprintf(tc, "\n");
}

enum ct_status ct_lab_netem(const struct ct_lab_spec *spec, const struct ct_lab_delay *delay,
                            bool replace, struct ct_error *err)
{
    char *batch = NULL;
    size_t size;
    FILE *tc = open_memstream(&batch, &size);
    if (!tc)
        return ct_no_memory(err, "tc");
    for (unsigned i = 0; i < spec->n_hosts; i++)
        print_netem(tc, spec, delay, replace, i + 1);
    return ct_lab_run_batch(tc, "tc", &batch, err);
}

enum ct_status ct_lab_redirect(const struct ct_lab_spec *spec, const struct ct_lab_plan *plan,
                               enum ct_lab_delay_by *delay_by_p, struct ct_error *err)
{
    char *batch = NULL;
    size_t size;
    enum ct_status status = ct_lab_netem(spec, &spec->delay, false, err);
    if (status != CT_OK && status != CT_EUNSUPPORTED)
        return status;
    *delay_by_p = status == CT_OK ? CT_LAB_DELAY_NETEM : CT_LAB_DELAY_LINE;
    FILE *tc = open_memstream(&batch, &size);
    if (!tc)
        return ct_no_memory(err, "tc");
    for (unsigned n = 1; n <= spec->n_hosts; n++) {
        print_host_redirect(tc, 'w', 'd', n);
        if (*delay_by_p == CT_LAB_DELAY_NETEM)
            print_host_redirect(tc, 'd', 'w', n);
    }
    if (*delay_by_p == CT_LAB_DELAY_NETEM && spec->like.link_latency_s > 0)
        print_netem_links(tc, spec, plan);
    return ct_lab_run_batch(tc, "tc", &batch, err);
}
