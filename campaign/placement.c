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

struct ct_part ct_part_measured(const struct ct_campaign_spec *spec, const struct ct_plan_run *run)
{
    const struct ct_sides *sides = ct_plan_sides(spec, run);
    return (struct ct_part){.role = CT_ROLE_MEASURED,
                            .slots = ct_command_measured_slots(spec, run),
                            .hosts = sides ? sides->hosts[0] : NULL,
                            .n_hosts = sides ? sides->n : 0};
}

struct ct_part ct_part_background(const struct ct_campaign_spec *spec,
                                  const struct ct_plan_run *run, size_t index)
{
    const struct ct_sides *sides = ct_plan_sides(spec, run);
    return (struct ct_part){.role = CT_ROLE_BACKGROUND,
                            .slots = ct_command_background_slots(spec, run, index),
                            .taken = ct_command_background_slots_sum(spec, run, index),
                            .hosts = sides ? sides->hosts[1] : NULL,
                            .n_hosts = sides ? sides->n : 0};
}

/* Ranks on a machine: of a host, or of all hosts if these are on one machine. */
struct ranks {
    uint64_t measured, background;
    struct ct_core_range shared;
};

static struct ranks look_at(const struct ct_campaign_spec *spec, const struct ct_plan_run *run,
                            size_t n_cores, uint64_t hosts)
{
    const struct ct_sides *sides = ct_plan_sides(spec, run);
    bool apart = sides && sides->kind != CT_SIDES_SHARED && hosts == 1;
    uint64_t n = sides && hosts > 1 ? sides->n : hosts;
    struct ranks ranks = {
        n * ct_command_measured_slots(spec, run),
        n * ct_command_background_slots_sum(spec, run, ct_command_n_backgrounds(spec, run)),
        {0, 0}};
    if (apart) { /* the one with more ranks */
        if (ranks.background > ranks.measured)
            ranks.measured = ranks.background;
        ranks.background = 0;
    }
    ranks.shared = ct_placement_shared(n_cores, ranks.measured, ranks.background);
    return ranks;
}

struct ct_placement_survey ct_placement_look(const struct ct_campaign_spec *spec,
                                             const struct ct_plan *plan, size_t n_cores,
                                             uint64_t hosts)
{
    struct ct_placement_survey survey = {0};
    for (size_t i = 0; i < plan->n_runs; i++) {
        const struct ct_plan_run *run = &plan->runs[i];
        struct ranks ranks = look_at(spec, run, n_cores, hosts);
        if (ranks.shared.n == 0)
            continue;
        survey.n_sharing++;
        bool worse = !survey.run || ranks.shared.n > survey.shared.n ||
                     (ranks.shared.n == survey.shared.n &&
                      ranks.measured + ranks.background > survey.measured + survey.background);
        if (worse) {
            survey.run = run;
            survey.measured = ranks.measured;
            survey.background = ranks.background;
            survey.shared = ranks.shared;
        }
    }
    return survey;
}
