#include "study/shared.h"

#include "core/argv.h"
#include "study/run_network.h"
#include "topology/places.h"
#include "topology/route.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *key, *words, *few;
} texts[CT_N_SHARED] = {
#define SHARED_TEXTS(name, key, words, few) [CT_SHARED_##name] = {key, words, few},
    CT_SHARED_MAP(SHARED_TEXTS)
#undef SHARED_TEXTS
};

const char *ct_shared_key(enum ct_shared shared)
{
    return texts[shared].key;
}

const char *ct_shared_words(enum ct_shared shared)
{
    return texts[shared].words;
}

const char *ct_shared_few_words(enum ct_shared shared)
{
    return texts[shared].few;
}

/* ---- which run ---- */

const struct ct_run_info *ct_shared_find_run(const struct ct_run_list *list)
{
    const struct ct_run_info *other = NULL;
    for (size_t i = 0; i < list->n_entries; i++) {
        const struct ct_run_info *info = &list->entries[i].info;
        if (info->kind == CT_RUN_RUNTIME && *info->with && !info->has_config)
            return info;
        if (!other && ct_run_text(info, CT_RUN_PLACEMENT_WITH))
            other = info;
    }
    return other;
}

static const struct ct_run_info *find_topology(const struct ct_run_info *info,
                                               const struct ct_run_list *list)
{
    for (size_t i = 0; i < list->n_entries && !ct_run_text(info, CT_RUN_TOPOLOGY); i++)
        if (ct_run_text(&list->entries[i].info, CT_RUN_TOPOLOGY))
            info = &list->entries[i].info;
    return ct_run_text(info, CT_RUN_TOPOLOGY) ? info : NULL;
}

/* ---- what the routes of two programs have in common ---- */

/* The nodes of two programs, and bits of who takes a direction of a link, or is on a switch. */
struct meeting {
    struct ct_run_network network;
    uint32_t *nodes[2];
    size_t n[2];
    uint8_t *links;    /* [2 * link + direction] */
    uint8_t *switches; /* [vertex] */
    bool share_link, share_switch;
};

static enum ct_status find_nodes(struct meeting *meeting, int side, const struct ct_argv *hosts)
{
    meeting->nodes[side] = malloc((hosts->n + 1) * sizeof *meeting->nodes[side]);
    if (!meeting->nodes[side])
        return CT_ENOMEM;
    /* One by one: a name may come twice, for a host of two ranks. */
    for (size_t i = 0; i < hosts->n; i++) {
        const char *host = hosts->item[i];
        CT_TRY(ct_topology_place(&meeting->network.topology, &host, 1, CT_PLACES_OF_LAB,
                                 &meeting->nodes[side][meeting->n[side]++], NULL));
    }
    return CT_OK;
}

/* The first and the last link of a route are those of hosts, which are not shared. */
static void mark_route(struct meeting *meeting, int side, const struct ct_route *route)
{
    const struct ct_topology *topology = &meeting->network.topology;
    for (size_t i = 0; i < route->n; i++) {
        const struct ct_hop *hop = &route->hops[i];
        const size_t link =
            2 * (size_t)hop->link + (topology->links[hop->link].end[0] != hop->from);
        const uint8_t bit = (uint8_t)(1 << side);
        if (i + 1 < route->n) {
            meeting->switches[hop->to] |= bit;
            meeting->share_switch |= meeting->switches[hop->to] == 3;
        }
        if (i > 0 && i + 1 < route->n) {
            meeting->links[link] |= bit;
            meeting->share_link |= meeting->links[link] == 3;
        }
    }
}

/* Both programs in turn: where they meet, they soon do. */
static enum ct_status mark_routes(struct meeting *meeting)
{
    const size_t n = meeting->n[0] > meeting->n[1] ? meeting->n[0] : meeting->n[1];
    struct ct_route route = {0};
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < n && !meeting->share_link && status == CT_OK; i++)
        for (size_t j = 0; j < n && !meeting->share_link && status == CT_OK; j++)
            for (int side = 0; side < 2 && status == CT_OK; side++) {
                if (i >= meeting->n[side] || j >= meeting->n[side])
                    continue;
                status = ct_route_find(meeting->network.router, meeting->nodes[side][i],
                                       meeting->nodes[side][j], &route, NULL);
                if (status == CT_OK)
                    mark_route(meeting, side, &route);
            }
    free(route.hops);
    return status;
}

static enum ct_shared meet_in_topology(const struct ct_run_info *info, const struct ct_argv *hosts,
                                       const struct ct_argv *with)
{
    struct meeting meeting = {0};
    enum ct_status status = ct_run_network_open(info, NULL, &meeting.network, NULL);
    if (status == CT_OK) {
        const struct ct_topology *topology = &meeting.network.topology;
        meeting.links = calloc(2 * (size_t)topology->n_links + 1, 1);
        meeting.switches = calloc((size_t)topology->n_nodes + topology->n_switches + 1, 1);
        status = meeting.links && meeting.switches ? CT_OK : CT_ENOMEM;
    }
    if (status == CT_OK)
        status = find_nodes(&meeting, 0, hosts);
    if (status == CT_OK)
        status = find_nodes(&meeting, 1, with);
    if (status == CT_OK)
        status = mark_routes(&meeting);
    for (int side = 0; side < 2; side++)
        free(meeting.nodes[side]);
    free(meeting.links);
    free(meeting.switches);
    ct_run_network_close(&meeting.network);
    return status != CT_OK        ? CT_SHARED_OWN_HOSTS
           : meeting.share_link   ? CT_SHARED_LINKS
           : meeting.share_switch ? CT_SHARED_SWITCH
                                  : CT_SHARED_NOTHING;
}

/* ---- the answer ---- */

static bool has_common(const struct ct_argv *hosts, const struct ct_argv *others)
{
    for (size_t i = 0; i < hosts->n; i++)
        for (size_t k = 0; k < others->n; k++)
            if (!strcmp(hosts->item[i], others->item[k]))
                return true;
    return false;
}

/* A lab and a simulation record their topology where there are several switches. */
static bool is_one_switch(const struct ct_run_info *info)
{
    return ct_run_text(info, CT_RUN_QUEUE) || ct_run_text(info, CT_RUN_SIMULATED_MODEL);
}

enum ct_shared ct_shared_of(const struct ct_run_info *info, const struct ct_run_list *list)
{
    const char *said = ct_run_text(info, CT_RUN_SHARED);
    const char *with = ct_run_text(info, CT_RUN_PLACEMENT_WITH);
    const char *own = ct_run_text(info, CT_RUN_PLACEMENT_HOSTS);
    struct ct_argv hosts = {0}, others = {0};
    enum ct_shared shared = CT_SHARED_UNKNOWN;
    if (said && !strcmp(said, ct_shared_key(CT_SHARED_HOSTS)))
        return CT_SHARED_HOSTS;
    if (!with || ct_argv_split(&hosts, own ? own : info->hosts, NULL) != CT_OK ||
        ct_argv_split(&others, with, NULL) != CT_OK || hosts.n == 0 || others.n == 0)
        shared = CT_SHARED_UNKNOWN;
    else if (has_common(&hosts, &others))
        shared = CT_SHARED_HOSTS;
    else if (find_topology(info, list))
        shared = meet_in_topology(find_topology(info, list), &hosts, &others);
    else
        shared = is_one_switch(info) ? CT_SHARED_SWITCH : CT_SHARED_OWN_HOSTS;
    ct_argv_free(&hosts);
    ct_argv_free(&others);
    return shared;
}

enum ct_shared ct_shared_find(const struct ct_run_list *list)
{
    const struct ct_run_info *info = ct_shared_find_run(list);
    return info ? ct_shared_of(info, list) : CT_SHARED_UNKNOWN;
}
