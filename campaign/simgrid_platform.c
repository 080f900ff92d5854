#include "campaign/simgrid_platform.h"

#include "core/file.h"
#include "core/units.h"
#include "topology/read.h"
#include "topology/simgrid.h"

#include <inttypes.h>
#include <stdio.h>

const char *const ct_campaign_simgrid_models[] = {"smpi", "ib", "plain", NULL};

enum ct_status ct_simgrid_topology(const struct ct_campaign_launcher *launcher,
                                   struct ct_topology *topology_p, struct ct_error *err)
{
    struct ct_topology_settings settings = ct_topology_defaults();
    bool is_switch = *launcher->topology == '\0';
    settings.rate_bit_per_s = launcher->rate_bit_per_s;
    settings.wire_s = launcher->latency_s;
    settings.spines = (uint32_t)launcher->spines;
    if (is_switch)
        settings.n_nodes = (uint32_t)launcher->hosts;
    if (launcher->has_uplink)
        settings.uplink_bit_per_s = launcher->uplink_bit_per_s;
    enum ct_status status =
        ct_topology_open(is_switch ? "switch" : launcher->topology, &settings, topology_p, err);
    return status == CT_OK
               ? CT_OK
               : ct_fail_within(err, status == CT_EUSAGE ? CT_EINVAL : status, "launcher.topology");
}

void ct_simgrid_host_name(const struct ct_topology *topology, uint32_t node, char text[CT_HOST_MAX])
{
    if (topology->line)
        snprintf(text, CT_HOST_MAX, "%s", ct_topology_name(topology, node));
    else
        snprintf(text, CT_HOST_MAX, "h%u", node + 1);
}

/* Before the numbers of hosts; NULL: they have names. */
static const char *host_prefix(const struct ct_topology *topology)
{
    return topology->line ? NULL : "h";
}

char *ct_simgrid_link_name(const struct ct_topology *topology, uint32_t link, size_t from_end)
{
    const uint32_t *end = topology->links[link].end;
    const struct ct_hop hop = {end[from_end], end[!from_end], link};
    return ct_topology_simgrid_link(topology, host_prefix(topology), &hop);
}

void ct_simgrid_add_network(const struct ct_campaign_launcher *launcher,
                            const struct ct_topology *topology, struct ct_argv *argv_p)
{
    char rate[CT_UNITS_TEXT_MAX], uplink[CT_UNITS_TEXT_MAX], latency[CT_UNITS_TEXT_MAX];
    const char *prefix = host_prefix(topology);
    ct_format_rate(launcher->rate_bit_per_s, rate);
    ct_format_duration(launcher->latency_s, latency);
    ct_argv_add(argv_p, "--topology");
    if (*launcher->topology)
        ct_argv_add(argv_p, "%s", launcher->topology);
    else
        ct_argv_add(argv_p, "switch:%" PRIu64, launcher->hosts);
    if (launcher->spines > 0)
        ct_argv_add(argv_p, "--spines=%" PRIu64, launcher->spines);
    ct_argv_add(argv_p, "--rate=%s", rate);
    if (launcher->has_uplink) {
        ct_format_rate(launcher->uplink_bit_per_s, uplink);
        ct_argv_add(argv_p, "--uplink=%s", uplink);
    }
    ct_argv_add(argv_p, "--wire=%s", latency);
    if (prefix)
        ct_argv_add(argv_p, "--prefix=%s", prefix);
}

static enum ct_status write_platform(FILE *out, const void *data, struct ct_error *err)
{
    const struct ct_topology *topology = data;
    return ct_topology_simgrid(topology, host_prefix(topology), out, err);
}

enum ct_status ct_simgrid_platform_write(const struct ct_topology *topology, const char *path,
                                         struct ct_error *err)
{
    return ct_file_make(path, write_platform, topology, err);
}
