/**
 * The newest observations with the directions that they passed, and the directions that explain
 * which of them were bad. A direction is 2 link + 1 where it is passed from the link's second end.
 */
#pragma once

#include "core/map.h"
#include "topology/route.h"
#include "watch/state.h"

enum { CT_RECENT_MAX = 1 << 16, CT_RECENT_LINKS_MAX = 64 };

enum ct_seen_kind { CT_SEEN_LOSS, CT_SEEN_SMALL, CT_SEEN_LARGE, CT_SEEN_N_KINDS };

#define CT_RECENT_BY_SEVERAL UINT64_MAX /* alarms */

struct ct_seen {
    int64_t unix_ns;
    uint32_t from, to; /**< nodes */
    float time_s;      /**< NaN: of a loss */
    float beyond_s;    /**< of the floor of its class */
    uint32_t class;    /**< healthy.h */
    uint8_t kind;      /**< enum ct_seen_kind */
    bool is_round;     /**< passed the way back, too */
    bool is_bad;
    uint64_t explained_by; /**< id of the alarm; 0: of none, it is news */
};

/** ct_recent_free(). */
struct ct_recent {
    const struct ct_topology *topology; /**< borrowed */
    struct ct_router *router;
    struct ct_seen *seen; /**< [CT_RECENT_MAX] */
    uint64_t n;           /**< that came: those from n - CT_RECENT_MAX on are kept */
    struct ct_map path_at;
    uint32_t *paths; /**< of each pair: how many directions, then these */
    size_t n_paths, paths_room;
    struct ct_route route;
};

/** @return CT_OK; what ct_router_new() returns; CT_ENOMEM */
enum ct_status ct_recent_new(const struct ct_topology *topology, struct ct_recent *recent_p,
                             struct ct_error *err);
void ct_recent_free(struct ct_recent *recent);

/**
 * Directions from a node to another one.
 * @param path_p  [out] how many, then these; valid until the next call
 * @return CT_OK; CT_ENODATA (no route); CT_ENOMEM
 */
enum ct_status ct_recent_path(struct ct_recent *recent, uint32_t from, uint32_t to,
                              const uint32_t **path_p, struct ct_error *err);

/** Number of the oldest observation that is kept; number i is at seen[i % CT_RECENT_MAX]. */
static inline uint64_t ct_recent_first(const struct ct_recent *recent)
{
    return recent->n > CT_RECENT_MAX ? recent->n - CT_RECENT_MAX : 0;
}

void ct_recent_add(struct ct_recent *recent, const struct ct_seen *seen);

/** Which directions explain what was bad. */
struct ct_explained {
    uint32_t n; /**< of suspects; more than CT_WATCH_SUSPECTS_MAX: not located */
    uint32_t suspects[CT_WATCH_SUSPECTS_MAX];
    uint64_t passed, bad; /**< observations that passed the first, and the bad ones of these */
    bool is_route;        /**< only messages to one node are bad where they pass */
    uint32_t route_to;    /**< that node */
};

/** Which observations and causes count. */
struct ct_explain {
    enum ct_seen_kind kind;
    int64_t since_unix_ns;
    double least_frac; /**< of bad ones among those that pass a fault: a load makes many slow, too,
                          but not nearly all */
    uint32_t from, to; /**< nodes: causes on the way between them only; equal: all */
    uint64_t alarm;    /**< id: what it alone explains counts beside what is news; 0: news only */
};

/**
 * The best single cause: of each direction, those who passed it are bad with one probability, all
 * others with another; the likelihoods of both shares say how well that fits. Directions within
 * watch_apart of the best one cannot be distinguished from it. Messages to one node beyond a
 * direction are a cause, too: a wrong route.
 * @return CT_OK; CT_ENODATA (nothing was bad); CT_ENOMEM
 */
enum ct_status ct_recent_explain(struct ct_recent *recent, const struct ct_explain *what,
                                 struct ct_explained *explained_p, struct ct_error *err);

/** Whether an observation passed one of the directions. */
bool ct_recent_passes(struct ct_recent *recent, const struct ct_seen *seen,
                      const uint32_t *directions, uint32_t n);
