/** Predicts the slowdown of a program from the latency that each co-runner adds. */
#pragma once

#include "core/argv.h"
#include "lp-bridge/envelope/effect.h"

/** The program. */
struct ct_effect_subject {
    const struct ct_evaluator *evaluator; /**< T as a function of L */
    double L_s;
    unsigned threads;
    struct ct_bootstrap setup; /**< of the intervals */
};

/** A co-runner, and its effect on the program. */
struct ct_beside {
    char *with;           /**< owned */
    size_t n_latencies;   /**< of the probe beside it */
    double measured_frac; /**< slowdown of the program; NaN: not measured */
    struct ct_effect effect;
};

struct ct_besides {
    struct ct_beside *items;
    size_t n;
    struct ct_argv missing; /**< messages: applications that were not probed */
    struct ct_argv notes;   /**< messages: further remarks on the runs */
};

/**
 * Effect of the load of one probe run.
 * @param idle_path   [in]  run of impactb on the idle network
 * @param besides_p   [out] one item, ct_besides_free(); unchanged on error
 * @return CT_OK; CT_EINVAL, CT_ENOENT, CT_EFORMAT, CT_ENODATA (the runs are not suitable);
 *         CT_ENOMEM
 */
enum ct_status ct_besides_of_run(const struct ct_effect_subject *subject, const char *impact_path,
                                 const char *idle_path, struct ct_besides *besides_p,
                                 struct ct_error *err);

/**
 * Effects of all applications of a campaign that were probed.
 * @param path  [in]  folder or packed campaign
 * @param app   [in]  name of the program in the campaign; NULL: unknown, so measured slowdowns are
 *                    NaN
 * @return as above; CT_EUSAGE (no such application)
 */
enum ct_status ct_besides_of_campaign(const struct ct_effect_subject *subject, const char *path,
                                      const char *app, struct ct_besides *besides_p,
                                      struct ct_error *err);
void ct_besides_free(struct ct_besides *besides);
