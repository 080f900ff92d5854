/**
 * Networks of real machines, by the parameters of LogGP: what an emulated network imitates
 * (lab/like.h), and what the groups of a measured one are compared with. Pure.
 *
 * Times of programs on two networks have the same ratios where the networks have the same groups
 * without dimension: G m / L, o / L, the packets of a bandwidth times a latency, and computing
 * against communicating.
 */
#pragma once

#include "core/status.h"

#include <stddef.h>
#include <stdint.h>

enum { CT_MACHINE_NAME_MAX = 16, CT_MACHINE_VALUES = 6 };

struct ct_machine {
    const char *name;
    double leaf_s; /**< L between two hosts of one switch */
    double link_s; /**< added by every link between switches on the way, with its switch */
    double o_s;    /**< of a message, to send it, and to receive it */
    double gap_s;  /**< g: between small messages of a host */
    double G_s;    /**< of a byte, large messages */
    double packet_bytes;
    const char *from[CT_MACHINE_VALUES]; /**< sources of these six, in their order */
};

/** All of them; n is CT_MACHINES_N. */
enum { CT_MACHINES_N = 5 };
extern const struct ct_machine ct_machines[CT_MACHINES_N];

/** "qdr", ..., NULL: choices of an option; an index is one of ct_machines. */
extern const char *const ct_machine_names[];

/**
 * A machine by its name.
 * @return CT_OK; CT_EINVAL: there is none; the message names those that there are
 */
enum ct_status ct_machine_find(const char *name, const struct ct_machine **machine_p,
                               struct ct_error *err);

/** Groups without dimension of a network. */
struct ct_machine_groups {
    double transfer; /**< G m / L with m = CT_MACHINE_GROUP_BYTES */
    double overhead; /**< o / L */
    double packets;  /**< L / (G times the bytes of a packet): under way in a direction */
};
enum { CT_MACHINE_GROUP_BYTES = 1024 };

/** @param L_s  [in] NaN, or not above 0: groups are not known */
struct ct_machine_groups ct_machine_groups(double L_s, double o_s, double G_s, double packet_bytes);

/** By how much two networks' groups differ at most: a factor of 1 or more; NaN: not known. */
double ct_machine_distance(const struct ct_machine_groups *a, const struct ct_machine_groups *b);
