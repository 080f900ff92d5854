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

/* The first hosts of those that a program has. */
static struct ct_part on_hosts(const struct ct_campaign_spec *spec, const struct ct_sides *sides,
                               int side, uint64_t first)
{
    struct ct_part part = {0};
    if (sides) {
        part.hosts = sides->hosts[side];
        part.n_hosts = sides->n;
    }
    if (first > 0) {
        part.hosts = sides ? sides->hosts[side] : spec->all_hosts;
        part.n_hosts = (size_t)first;
    }
    return part;
}

struct ct_part ct_part_measured(const struct ct_campaign_spec *spec, const struct ct_plan_run *run)
{
    struct ct_part part =
        on_hosts(spec, ct_plan_sides(spec, run), 0, ct_command_measured_hosts(spec, run));
    part.role = CT_ROLE_MEASURED;
    part.slots = ct_command_measured_slots(spec, run);
    return part;
}

struct ct_part ct_part_background(const struct ct_campaign_spec *spec,
                                  const struct ct_plan_run *run, size_t index)
{
    struct ct_part part =
        on_hosts(spec, ct_plan_sides(spec, run), 1, ct_command_background_hosts(spec, run, index));
    part.role = CT_ROLE_BACKGROUND;
    part.slots = ct_command_background_slots(spec, run, index);
    part.taken = ct_command_background_slots_sum(spec, run, index);
    return part;
}

/* Ranks on a machine: of a host, or of all hosts if these are on one machine. */
struct ranks {
    uint64_t measured, background;
    struct ct_core_range shared;
};

/* @param n  [in] hosts of a program that uses all of its hosts, on the machine */
static uint64_t ranks_of(const struct ct_part *part, uint64_t n)
{
    return part->slots * (n > 1 && part->hosts ? part->n_hosts : n);
}

static struct ranks look_at(const struct ct_campaign_spec *spec, const struct ct_plan_run *run,
                            size_t n_cores, uint64_t hosts)
{
    const struct ct_sides *sides = ct_plan_sides(spec, run);
    bool apart = sides && sides->kind != CT_SIDES_SHARED && hosts == 1;
    const struct ct_part measured = ct_part_measured(spec, run);
    struct ranks ranks = {.measured = ranks_of(&measured, hosts)};
    for (size_t i = 0; i < ct_command_n_backgrounds(spec, run); i++) {
        const struct ct_part background = ct_part_background(spec, run, i);
        ranks.background += ranks_of(&background, hosts);
    }
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
