/**
 * The parts of a lab: switches, links between them, and the table by which each switch forwards
 * packets to a host. Routes are those of topology/ for the same text (trees: D-mod-k), host h1
 * being node n0 of it. Pure.
 *
 * Ports in turn. At the end of a link between switches every host whose packets leave there has a
 * queue of its own, and queues are served in turn.
 */
#pragma once

#include "lab/lab.h"

enum { CT_LAB_SWITCHES_MAX = 128, CT_LAB_SWITCH_NAME_MAX = 32, CT_LAB_DEVICE_MAX = 16 };

/** A link between two switches; its ends are devices, see ct_lab_link_device(). */
struct ct_lab_plan_link {
    uint16_t at[2];      /**< the switch of each end */
    uint64_t sources[2]; /**< hosts whose packets leave at that end: bit i is host i */
};

enum ct_lab_way_kind {
    CT_LAB_WAY_NONE, /**< nothing for that host comes here */
    CT_LAB_WAY_HOST, /**< by the port of the host */
    CT_LAB_WAY_LINK
};

/** Where a switch sends what is for a host. */
struct ct_lab_way {
    uint8_t kind; /**< enum ct_lab_way_kind */
    uint8_t end;  /**< of the link, at this switch */
    uint16_t link;
};

struct ct_lab_plan {
    uint32_t n_hosts, n_switches, n_links;
    uint16_t switch_of[CT_LAB_HOSTS_MAX];                          /**< of each host */
    char switch_name[CT_LAB_SWITCHES_MAX][CT_LAB_SWITCH_NAME_MAX]; /**< as in the topology */
    struct ct_lab_plan_link link[CT_LAB_LINKS_MAX];
    struct ct_lab_way way[CT_LAB_SWITCHES_MAX][CT_LAB_HOSTS_MAX];
};

/**
 * @param spec    [in]  n_hosts and topology count
 * @param plan_p  [out] free()
 * @return CT_OK; CT_EUSAGE (no such topology); CT_EINVAL (a lab cannot have it); CT_ENOMEM
 */
enum ct_status ct_lab_plan_new(const struct ct_lab_spec *spec, struct ct_lab_plan **plan_p,
                               struct ct_error *err);

/**
 * Rate of a switch's hosts together by that of its links to other switches, of the switch where it
 * is largest; above 1 the links can be full although no host's is.
 * @return NaN: one switch
 */
double ct_lab_oversubscription(const struct ct_lab_plan *plan, const struct ct_lab_spec *spec);

/** A rate that a link of a lab may have. @param what  [in] what messages call it: "rate" */
enum ct_status ct_lab_rate_check(const char *what, double bit_per_s, struct ct_error *err);

/** Bridge of a switch: "sw0". */
void ct_lab_switch_device(unsigned number, char text[CT_LAB_DEVICE_MAX]);
/** Device at an end of a link: "u1a" and "u1b" of the first one. */
void ct_lab_link_device(unsigned link, unsigned end, char text[CT_LAB_DEVICE_MAX]);
/** Where there is a latency between switches: the device that is linked to that end, at the delay
 * line: "e1a". */
void ct_lab_held_device(unsigned link, unsigned end, char text[CT_LAB_DEVICE_MAX]);
/** Whether that is the name of an end. */
bool ct_lab_link_of_device(const char *name, size_t *link_p, size_t *end_p);
