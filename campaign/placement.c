#include "campaign/placement.h"

#include "campaign/commands.h"

struct ct_core_range ct_placement_of(size_t n_cores, enum ct_role role, uint64_t ranks,
                                     uint64_t taken)
{
    if (ranks > n_cores)
        return (struct ct_core_range){0};
    size_t n = (size_t)ranks;
    size_t free_cores = taken > n_cores - n ? n_cores : n_cores - (size_t)taken;
    return (struct ct_core_range){role == CT_ROLE_MEASURED ? 0 : free_cores - n, n};
}

struct ct_core_range ct_placement_shared(size_t n_cores, uint64_t measured, uint64_t background)
{
    if (measured > n_cores || background > n_cores)
        return (struct ct_core_range){0, n_cores};
    if (measured + background <= n_cores)
        return (struct ct_core_range){0};
    return (struct ct_core_range){n_cores - (size_t)background,
                                  (size_t)(measured + background) - n_cores};
}

struct ct_placement_survey ct_placement_look(const struct ct_campaign_spec *spec,
                                             const struct ct_plan *plan, size_t n_cores,
                                             uint64_t hosts)
{
    struct ct_placement_survey survey = {0};
    for (size_t i = 0; i < plan->n_runs; i++) {
        const struct ct_plan_run *run = &plan->runs[i];
        uint64_t measured = hosts * ct_command_measured_slots(spec, run);
        uint64_t background =
            hosts * ct_command_background_slots_sum(spec, run, ct_command_n_backgrounds(spec, run));
        struct ct_core_range shared = ct_placement_shared(n_cores, measured, background);
        if (shared.n == 0)
            continue;
        survey.n_sharing++;
        bool worse = !survey.run || shared.n > survey.shared.n ||
                     (shared.n == survey.shared.n &&
                      measured + background > survey.measured + survey.background);
        if (worse) {
            survey.run = run;
            survey.measured = measured;
            survey.background = background;
            survey.shared = shared;
        }
    }
    return survey;
}
