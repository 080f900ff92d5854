/* The hosts of a lab: their namespaces, addresses and cards. */
#include "lab/internal.h"
#include "lab/plan.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static enum ct_status pin_namespace(const char *from, const char *to, struct ct_error *err)
{
    int fd = open(to, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
    if (fd >= 0)
        close(fd);
    if (fd < 0 || mount(from, to, NULL, MS_BIND, NULL) != 0)
        return ct_fail(err, CT_EIO, "%s: %s cannot be kept there: %s", to, from, strerror(errno));
    return CT_OK;
}

static enum ct_status make_host(const struct ct_lab_paths *paths, unsigned host,
                                struct ct_error *err)
{
    char name[16], path[CT_LAB_NS_PATH_MAX];
    ct_lab_host_name(host, name);
    if (unshare(CLONE_NEWNET | CLONE_NEWUTS) != 0)
        return ct_fail(err, CT_EUNSUPPORTED,
                       "%s: no network namespace: %s; kernel options CONFIG_NET_NS and "
                       "CONFIG_UTS_NS, limit user.max_net_namespaces",
                       name, strerror(errno));
    if (sethostname(name, strlen(name)) != 0)
        return ct_fail(err, CT_EIO, "%s: host name: %s", name, strerror(errno));
    ct_lab_set_sysctls();
    ct_lab_ns_path(paths->ns, name, "uts", path);
    CT_TRY(pin_namespace("/proc/self/ns/uts", path, err));
    ct_lab_ns_path(paths->ns, name, "net", path);
    return pin_namespace("/proc/self/ns/net", path, err);
}

/* Names for people and for Hydra, which asks for each host's address. */
static enum ct_status write_hosts(const struct ct_lab_paths *paths, const struct ct_lab_spec *spec,
                                  struct ct_error *err)
{
    char path[CT_LAB_NS_PATH_MAX];
    snprintf(path, sizeof path, "%s/hosts", paths->ns);
    FILE *file = fopen(path, "we");
    if (!file)
        return ct_fail(err, CT_EIO, "%s: %s", path, strerror(errno));
    fprintf(file, "127.0.0.1 localhost\n10.78.0.254 switch\n");
    for (unsigned i = 0; i < spec->n_hosts; i++) {
        char name[16], address[16];
        ct_lab_host_name(i, name);
        ct_lab_host_address(i, address);
        fprintf(file, "%s %s\n", address, name);
    }
    if (fclose(file) != 0)
        return ct_fail(err, CT_EIO, "%s: %s", path, strerror(errno));
    if (mount(path, "/etc/hosts", NULL, MS_BIND, NULL) != 0)
        fprintf(stderr, "/etc/hosts: stays as it is: %s\n", strerror(errno));
    return CT_OK;
}

/* Hydra takes the path of an rsh and no arguments; which crosstalk it is, says the environment. */
static enum ct_status write_rsh(const struct ct_lab_paths *paths, struct ct_error *err)
{
    char path[CT_LAB_NS_PATH_MAX];
    snprintf(path, sizeof path, "%s/rsh", paths->ns);
    FILE *file = fopen(path, "we");
    if (!file)
        return ct_fail(err, CT_EIO, "%s: %s", path, strerror(errno));
    fprintf(file, "#!/bin/sh\nexec \"$CROSSTALK_LAB_PROGRAM\" lab rsh \"$@\"\n");
    if (fchmod(fileno(file), 0755) != 0 || fclose(file) != 0)
        return ct_fail(err, CT_EIO, "%s: %s", path, strerror(errno));
    return CT_OK;
}

static void print_host(FILE *ip, const struct ct_lab_spec *spec, unsigned host)
{
    char address[16];
    fprintf(ip, "link set lo up\n");
    ct_lab_management_address(host, address);
    fprintf(ip, "link set mgmt0 addrgenmode none\naddr add %s/24 dev mgmt0\nlink set mgmt0 up\n",
            address);
    ct_lab_host_address(host, address);
    fprintf(ip, "link set eth0 addrgenmode none\naddr add %s/24 dev eth0\nlink set eth0 up\n",
            address);
    fprintf(ip,
            "route change 10.77.0.0/24 dev eth0 proto kernel scope link src %s initcwnd %d "
            "initrwnd %d\n",
            address, CT_LAB_TCP_WINDOW_PACKETS, CT_LAB_TCP_WINDOW_PACKETS);
    for (unsigned other = 0; other < spec->n_hosts; other++) {
        if (other == host)
            continue;
        ct_lab_host_address(other, address);
        fprintf(ip, "neigh add %s lladdr 02:00:00:77:00:%02x dev eth0 nud permanent\n", address,
                other + 1);
    }
}

/* Runs with the host's network namespace as the current one. */
static enum ct_status set_up_host(const struct ct_lab_spec *spec, unsigned host,
                                  struct ct_error *err)
{
    char *batch = NULL;
    size_t size;
    FILE *ip = open_memstream(&batch, &size);
    if (!ip)
        return ct_no_memory(err, "network");
    print_host(ip, spec, host);
    CT_TRY(ct_lab_run_batch(ip, "ip", &batch, err));
    /* Where it is known, this keeps TCP from building packets that it would have to cut. */
    (void)ct_lab_tool("ip", "link set eth0 gso_max_segs 1\n", NULL);
    CT_TRY(ct_lab_offloads_off("eth0", spec->delay.latency_s > 0, err));
    return ct_lab_shape_card(spec, host, err);
}

enum ct_status ct_lab_network(const struct ct_lab_paths *paths, const struct ct_lab_spec *spec,
                              enum ct_lab_delay_by *delay_by_p, struct ct_error *err)
{
    struct ct_lab_plan *plan = NULL;
    int switch_net = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    int switch_uts = open("/proc/self/ns/uts", O_RDONLY | O_CLOEXEC);
    enum ct_status status = CT_OK;
    if (switch_net < 0 || switch_uts < 0)
        status = ct_fail(err, CT_EIO, "/proc/self/ns: %s", strerror(errno));
    if (status == CT_OK && mount("crosstalk-lab", paths->ns, "tmpfs", MS_NOSUID, "mode=755") != 0)
        status = ct_fail(err, CT_EIO, "%s: no tmpfs: %s", paths->ns, strerror(errno));
    if (status == CT_OK)
        status = ct_lab_plan_new(spec, &plan, err);
    if (status == CT_OK)
        status = write_rsh(paths, err);
    if (status == CT_OK)
        status = write_hosts(paths, spec, err);
    for (unsigned i = 0; i < spec->n_hosts && status == CT_OK; i++)
        status = make_host(paths, i, err);
    if (status == CT_OK &&
        (setns(switch_net, CLONE_NEWNET) != 0 || setns(switch_uts, CLONE_NEWUTS) != 0))
        status =
            ct_fail(err, CT_EIO, "switch: its namespace cannot be entered: %s", strerror(errno));
    if (status == CT_OK) {
        ct_lab_set_sysctls();
        status = ct_lab_switches(paths->ns, spec, plan, delay_by_p, err);
    }
    for (unsigned i = 0; i < spec->n_hosts && status == CT_OK; i++) {
        char name[16];
        ct_lab_host_name(i, name);
        status = ct_lab_enter_host(paths->ns, name, err);
        if (status == CT_OK)
            status = set_up_host(spec, i, err);
    }
    /* Stay in the switch: exec without a host comes here through this process. */
    if (status == CT_OK &&
        (setns(switch_net, CLONE_NEWNET) != 0 || setns(switch_uts, CLONE_NEWUTS) != 0))
        status =
            ct_fail(err, CT_EIO, "switch: its namespace cannot be entered: %s", strerror(errno));
    free(plan);
    if (switch_net >= 0)
        close(switch_net);
    if (switch_uts >= 0)
        close(switch_uts);
    return status;
}
