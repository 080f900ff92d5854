/*
 * Settings of the kernel's network in each namespace of a lab. They keep the counters free of what
 * no program sent, runs free of what earlier ones left, and TCP from being a limit beside the
 * ports:
 * - The card of an HPC network has a message as soon as it is sent. TCP holds back its last packet
 *   while others of the connection are queued (autocorking), and all but a few that it would pace
 *   in a millisecond (TCP small queues): a FIFO then serves connections in turn. The largest pacing
 *   ratio allows ten times as many; reno paces nothing itself.
 * - A congestion window depends on what the connection has carried. Here it begins with
 *   CT_LAB_TCP_WINDOW_PACKETS, more than the 64 kB that receivers take at first, and reno lowers it
 *   after losses only, for which the queues of a lab are too long. bbr, the default of some hosts,
 * sends at the rate that it has measured.
 */
#include "lab/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char congestion_path[] = "/proc/sys/net/ipv4/tcp_congestion_control";

static const struct setting {
    const char *name, *value;
} settings[] = {
    {"ipv6/conf/all/disable_ipv6", "1"},     {"ipv6/conf/default/disable_ipv6", "1"},
    {"ipv4/tcp_no_metrics_save", "1"},       {"ipv4/tcp_slow_start_after_idle", "0"},
    {"ipv4/tcp_congestion_control", "reno"}, {"ipv4/tcp_autocorking", "0"},
    {"ipv4/tcp_pacing_ss_ratio", "1000"},    {"ipv4/tcp_pacing_ca_ratio", "1000"},
    {"ipv4/tcp_early_retrans", "0"},         {"ipv4/tcp_rto_min_us", "5000000"},
};

/* Best effort: a kernel without IPv6 has no such file, and some containers keep it read-only. */
static void set_value(const struct setting *setting)
{
    char path[128];
    snprintf(path, sizeof path, "/proc/sys/net/%s", setting->name);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    if (write(fd, setting->value, strlen(setting->value)) < 0)
        fprintf(stderr, "%s: stays as it is: %s\n", path, strerror(errno));
    close(fd);
}

void ct_lab_set_sysctls(void)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        set_value(&settings[i]);
}

void ct_lab_read_congestion_control(char name[CT_LAB_CONGESTION_MAX])
{
    snprintf(name, CT_LAB_CONGESTION_MAX, "unknown");
    FILE *file = fopen(congestion_path, "re");
    if (!file)
        return;
    if (fscanf(file, "%15s", name) != 1)
        snprintf(name, CT_LAB_CONGESTION_MAX, "unknown");
    fclose(file);
}
