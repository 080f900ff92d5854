/**
 * What two programs that ran at the same time shared: the question that a study answers. Slowdowns
 * on the same hosts say nothing about programs on hosts of their own, and the reverse.
 */
#pragma once

#include "results/run.h"

/** Keys as in files, words after "ran", and a few words. */
#define CT_SHARED_MAP(X)                                                                           \
    X(UNKNOWN, "not recorded", "on the same hosts or on others (not recorded)",                    \
      "hosts not recorded")                                                                        \
    X(HOSTS, "hosts", "on the same hosts", "same hosts")                                           \
    X(SWITCH, "switch", "on hosts of their own, on the same switches", "own hosts, same switches") \
    X(LINKS, "links", "on hosts of their own, with links between switches in common",              \
      "own hosts, links in common")                                                                \
    X(NOTHING, "nothing", "on hosts of their own, with no switch or link in common",               \
      "own hosts, nothing in common")                                                              \
    X(OWN_HOSTS, "own hosts", "on hosts of their own; the switches were not recorded", "own hosts")

enum ct_shared {
#define CT_SHARED_ENUM(name, key, words, few) CT_SHARED_##name,
    CT_SHARED_MAP(CT_SHARED_ENUM)
#undef CT_SHARED_ENUM
        CT_N_SHARED
};

const char *ct_shared_key(enum ct_shared shared);
const char *ct_shared_words(enum ct_shared shared);
const char *ct_shared_few_words(enum ct_shared shared);

/** The first run in which two programs ran at the same time, of two applications if there is one;
 * NULL: none. Borrowed. */
const struct ct_run_info *ct_shared_find_run(const struct ct_run_list *list);

/**
 * What a program and the one beside it shared in a run, by the hosts that the run has recorded, and
 * by the routes of the network that it or another run has recorded. Without a topology, hosts of a
 * lab and of a simulation are on one switch.
 * @param list  [in] for the topology; the run's own comes first
 */
enum ct_shared ct_shared_of(const struct ct_run_info *info, const struct ct_run_list *list);

/** That of ct_shared_find_run(). */
enum ct_shared ct_shared_find(const struct ct_run_list *list);
