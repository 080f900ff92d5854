#include "trace/convert/convert.h"

#include "trace/convert/actions.h"

#include <math.h>
#include <stdlib.h>

struct ct_convert_options ct_convert_defaults(void)
{
    struct ct_convert_options options = {.compute_scale = 1};
    ct_collective_rules_default(&options.rules);
    return options;
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
    if (status == CT_OK)
        status = ct_actions_emit(&actions, options, goal_p, err);
    ct_actions_free(&actions);
    if (status == CT_OK)
        *notes_p = notes;
    else
        ct_convert_notes_free(&notes);
    return status;
}
