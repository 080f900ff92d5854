/**
 * Which cores the programs of a run get. Pure.
 *
 * The program that measures gets the first cores of every host, those in the background the last
 * ones, a core for each rank. So a program has the same cores in all runs in which it has the same
 * part, and two programs share a core only if together they have more ranks than the host has
 * cores. A program that alone has more ranks than cores is not bound.
 */
#pragma once

#include "campaign/cores.h"
#include "campaign/plan.h"

#include <stdint.h>

/** Part of a program in a run. */
enum ct_role { CT_ROLE_MEASURED, CT_ROLE_BACKGROUND };

/** Placement of a program of a run. */
struct ct_part {
    enum ct_role role;
    uint64_t slots; /**< ranks per host */
    uint64_t
        taken; /**< ranks per host of other programs in the background, which have cores already */
    const uint32_t *hosts; /**< [n_hosts] its hosts, by their numbers from 0; NULL: all; borrowed */
    size_t n_hosts;
};

/** Part of the measured program, with its hosts. */
struct ct_part ct_part_measured(const struct ct_campaign_spec *spec, const struct ct_plan_run *run);
/** The same of a program in the background. @param index  [in] which one */
struct ct_part ct_part_background(const struct ct_campaign_spec *spec,
                                  const struct ct_plan_run *run, size_t index);

/**
 * Cores of a program, the first for its first rank on the host and so on.
 * @param n_cores  [in] of the host
 * @param ranks    [in] of the program on that host
 * @param taken    [in] ranks on that host of other programs in the background, which have the last
 *                      cores; if too few cores are left, the program shares these
 * @return the range; n = 0: more ranks than cores, do not bind
 */
struct ct_core_range ct_placement_of(size_t n_cores, enum ct_role role, uint64_t ranks,
                                     uint64_t taken);

/**
 * Cores that have more than one rank.
 * @param measured    [in] ranks of the measured program on the host; 0: no such program
 * @param background  [in] ranks of the background program on the host; 0: no such program
 * @return the range; n = 0: none
 */
struct ct_core_range ct_placement_shared(size_t n_cores, uint64_t measured, uint64_t background);

/** Cores that ranks of a campaign share. */
struct ct_placement_survey {
    size_t n_sharing;              /**< runs in which ranks share cores */
    const struct ct_plan_run *run; /**< the run with the most shared cores; NULL: none */
    uint64_t measured, background; /**< its ranks on a host; background 0: no such program */
    struct ct_core_range shared;   /**< its shared cores */
};

/**
 * Find the runs in which ranks share cores.
 * @param hosts  [in] of the campaign that are on one machine, and so use the same cores; >= 1
 * @return run points into the plan
 */
struct ct_placement_survey ct_placement_look(const struct ct_campaign_spec *spec,
                                             const struct ct_plan *plan, size_t n_cores,
                                             uint64_t hosts);
