/*
 * Where a lab adds a latency, two links lead from a port to its host instead of one, see
 * delay_line.c. From host to switch the kernel passes packets on at once. From switch to host the
 * delay line does it, or, where the kernel has netem, the kernel too: then netem is the queue of w.
 * The port's own counters and queues are as without a latency.
 */
#include "lab/internal.h"

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

static void print_redirect(FILE *tc, char from, char to, unsigned n)
{
    fprintf(tc,
            "qdisc add dev %c%u clsact\n"
            "filter add dev %c%u ingress protocol all prio 1 u32 match u32 0 0 "
            "action mirred egress redirect dev %c%u\n",
            from, n, from, n, to, n);
}

/* With a rate, netem keeps the order of packets whose delays differ: each is queued behind the one
   before it. This one adds nothing that could be measured. */
static void print_netem(FILE *tc, const struct ct_lab_delay *delay, bool replace, unsigned n)
{
    fprintf(tc, "qdisc %s dev w%u root netem limit %u delay %.0fus", replace ? "replace" : "add", n,
            netem_packets, 1e6 * delay->latency_s);
    if (delay->jitter_s > 0)
        fprintf(tc, " %.0fus%s rate 1000gbit", 1e6 * delay->jitter_s,
                delay->shape == CT_LAB_JITTER_NORMAL ? " distribution normal" : "");
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
        print_netem(tc, delay, replace, i + 1);
    return ct_lab_run_batch(tc, "tc", &batch, err);
}

enum ct_status ct_lab_redirect(const struct ct_lab_spec *spec, enum ct_lab_delay_by *delay_by_p,
                               struct ct_error *err)
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
        print_redirect(tc, 'w', 'd', n);
        if (*delay_by_p == CT_LAB_DELAY_NETEM)
            print_redirect(tc, 'd', 'w', n);
    }
    return ct_lab_run_batch(tc, "tc", &batch, err);
}
