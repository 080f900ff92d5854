#include "trace/convert/convert.h"

#include "trace/convert/actions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ct_convert_options ct_convert_defaults(void)
{
    return (struct ct_convert_options){.compute_scale = 1};
}

/* Collectives without rules get those of the library that was traced. */
static void complete_rules(bool in_simgrid, struct ct_collective_rules *rules)
{
    struct ct_collective_rules all;
    ct_collective_rules_default(in_simgrid ? CT_COLLECTIVE_OF_SMPI : CT_COLLECTIVE_OF_MPICH, &all);
    for (size_t i = 0; i < CT_COLLECTIVE_N_COLLECTIVES; i++)
        if (rules->n[i] == 0) {
            memcpy(rules->of[i], all.of[i], sizeof all.of[i]);
            rules->n[i] = all.n[i];
        }
}

void ct_convert_notes_free(struct ct_convert_notes *notes)
{
    free(notes->unmodelled);
    *notes = (struct ct_convert_notes){0};
}

enum ct_status ct_convert_events(const struct ct_events *events,
                                 const struct ct_convert_options *options, struct ct_goal *goal_p,
                                 struct ct_convert_notes *notes_p, struct ct_error *err)
{
    struct ct_convert_notes notes = {0};
    struct ct_actions actions = {0};
    if (!(options->compute_scale >= 0) || isinf(options->compute_scale))
        return ct_fail(err, CT_EINVAL, "compute scale %g: not a finite number >= 0",
                       options->compute_scale);
    enum ct_status status = ct_actions_read(events, &actions, &notes, err);
    if (status == CT_OK)
        status = ct_actions_match(&actions, events, &notes, err);
    if (status == CT_OK)
        status = ct_actions_cut(&actions, &options->part, err);
    struct ct_convert_options complete = *options;
    complete_rules(events->in_simgrid || options->in_simgrid, &complete.rules);
    if (status == CT_OK)
        status = ct_actions_emit(&actions, &complete, goal_p, err);
    ct_actions_free(&actions);
    if (status == CT_OK)
        *notes_p = notes;
    else
        ct_convert_notes_free(&notes);
    return status;
}
