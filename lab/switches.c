/*
 * Switches of a lab: a bridge each, all in one network namespace, with fixed tables; links between
 * them are veth pairs of which each end is a port. Fixed tables in the switches and fixed
 * neighbours in the hosts: no flooding, no ARP, so a counter counts what programs sent, and a loop
 * of links carries nothing round. The management network needs no such care.
 */
#include "lab/internal.h"
#include "lab/plan.h"

#include <errno.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* Otherwise packets of 64 KiB would be shaped, and each would hold a port for milliseconds; and,
   behind a delay line, which passes on bytes alone, hosts would take packets without a checksum for
   damaged ones. */
enum ct_status ct_lab_offloads_off(const char *device, bool checksum, struct ct_error *err)
{
    static const __u32 commands[] = {ETHTOOL_STSO, ETHTOOL_SGSO, ETHTOOL_SGRO, ETHTOOL_STXCSUM};
    size_t n = sizeof commands / sizeof *commands - (checksum ? 0 : 1);
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < n && status == CT_OK; i++) {
        struct ethtool_value value = {.cmd = commands[i], .data = 0};
        struct ifreq request = {0};
        snprintf(request.ifr_name, sizeof request.ifr_name, "%s", device);
        request.ifr_data = (char *)&value;
        if (fd < 0 || ioctl(fd, SIOCETHTOOL, &request) != 0)
            status = ct_fail(err, CT_EUNSUPPORTED, "%s: its offloads cannot be switched off: %s",
                             device, strerror(errno));
    }
    if (fd >= 0)
        close(fd);
    return status;
}

/* ---- links and tables ---- */

static void print_bridge(FILE *ip, const char *name)
{
    fprintf(ip,
            "link add %s type bridge stp_state 0 mcast_snooping 0 forward_delay 0\n"
            "link set %s addrgenmode none\n",
            name, name);
}

static void print_port(FILE *ip, const char *device, unsigned at)
{
    char bridge[CT_LAB_DEVICE_MAX];
    ct_lab_switch_device(at, bridge);
    fprintf(ip,
            "link set %s master %s addrgenmode none\n"
            "link set %s type bridge_slave learning off flood off mcast_flood off bcast_flood off\n"
            "link set %s up\n",
            device, bridge, device, device);
}

static void print_host_links(FILE *ip, const char *ns, const struct ct_lab_spec *spec,
                             unsigned host, unsigned at)
{
    unsigned n = host + 1;
    char name[16], port[CT_LAB_DEVICE_MAX], path[CT_LAB_NS_PATH_MAX];
    ct_lab_host_name(host, name);
    ct_lab_ns_path(ns, name, "net", path);
    snprintf(port, sizeof port, "p%u", n);
    if (spec->delay.latency_s > 0)
        ct_lab_redirect_print(ip, n, path);
    else
        fprintf(ip,
                "link add p%u numtxqueues 1 numrxqueues 1 type veth peer name eth0 "
                "address 02:00:00:77:00:%02x numtxqueues 1 numrxqueues 1 netns %s\n",
                n, n, path);
    print_port(ip, port, at);
    fprintf(ip,
            "link add m%u type veth peer name mgmt0 netns %s\n"
            "link set m%u master mgmt0 addrgenmode none\nlink set m%u up\n",
            n, path, n, n);
}

static void print_links(FILE *ip, const char *ns, const struct ct_lab_spec *spec,
                        const struct ct_lab_plan *plan)
{
    char name[CT_LAB_DEVICE_MAX], ends[2][CT_LAB_DEVICE_MAX];
    fprintf(ip, "link set lo up\n");
    for (unsigned i = 0; i < plan->n_switches; i++) {
        ct_lab_switch_device(i, name);
        print_bridge(ip, name);
        fprintf(ip, "link set %s up\n", name);
    }
    print_bridge(ip, "mgmt0");
    fprintf(ip, "addr add 10.78.0.254/24 dev mgmt0\nlink set mgmt0 up\n");
    for (unsigned host = 0; host < plan->n_hosts; host++)
        print_host_links(ip, ns, spec, host, plan->switch_of[host]);
    for (unsigned i = 0; i < plan->n_links; i++) {
        ct_lab_link_device(i, 0, ends[0]);
        ct_lab_link_device(i, 1, ends[1]);
        if (spec->like.link_latency_s > 0)
            ct_lab_redirect_link_print(ip, i);
        else
            fprintf(ip,
                    "link add %s numtxqueues 1 numrxqueues 1 type veth peer name %s numtxqueues 1 "
                    "numrxqueues 1\n",
                    ends[0], ends[1]);
        print_port(ip, ends[0], plan->link[i].at[0]);
        print_port(ip, ends[1], plan->link[i].at[1]);
    }
}

static void print_tables(FILE *bridge, const struct ct_lab_plan *plan)
{
    for (unsigned i = 0; i < plan->n_switches; i++)
        for (unsigned host = 0; host < plan->n_hosts; host++) {
            const struct ct_lab_way *way = &plan->way[i][host];
            char device[CT_LAB_DEVICE_MAX];
            if (way->kind == CT_LAB_WAY_NONE)
                continue;
            if (way->kind == CT_LAB_WAY_LINK)
                ct_lab_link_device(way->link, way->end, device);
            else
                snprintf(device, sizeof device, "p%u", host + 1);
            fprintf(bridge, "fdb add 02:00:00:77:00:%02x dev %s master static\n", host + 1, device);
        }
}

/* ---- all of it ---- */

static enum ct_status link_switches(const char *ns, const struct ct_lab_spec *spec,
                                    const struct ct_lab_plan *plan, struct ct_error *err)
{
    char *ip_batch = NULL, *bridge_batch = NULL;
    size_t size;
    FILE *ip = open_memstream(&ip_batch, &size);
    FILE *bridge = open_memstream(&bridge_batch, &size);
    if (!ip || !bridge)
        return ct_no_memory(err, "network");
    print_links(ip, ns, spec, plan);
    print_tables(bridge, plan);
    enum ct_status status = ct_lab_run_batch(ip, "ip", &ip_batch, err);
    enum ct_status bridge_status =
        ct_lab_run_batch(bridge, "bridge", &bridge_batch, status == CT_OK ? err : NULL);
    return status == CT_OK ? bridge_status : status;
}

enum ct_status ct_lab_switches(const char *ns, const struct ct_lab_spec *spec,
                               const struct ct_lab_plan *plan, enum ct_lab_delay_by *delay_by_p,
                               struct ct_error *err)
{
    char device[CT_LAB_DEVICE_MAX];
    enum ct_status status = link_switches(ns, spec, plan, err);
    for (unsigned host = 0; host < plan->n_hosts && status == CT_OK; host++) {
        snprintf(device, sizeof device, "p%u", host + 1);
        status = ct_lab_offloads_off(device, false, err);
    }
    for (unsigned i = 0; i < 2 * plan->n_links && status == CT_OK; i++) {
        ct_lab_link_device(i / 2, i % 2, device);
        status = ct_lab_offloads_off(device, false, err);
    }
    if (status == CT_OK)
        status = ct_lab_shape_switches(spec, plan, err);
    *delay_by_p = CT_LAB_DELAY_NONE;
    if (status == CT_OK && spec->delay.latency_s > 0)
        status = ct_lab_redirect(spec, plan, delay_by_p, err);
    return status;
}
