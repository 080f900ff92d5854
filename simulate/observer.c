#include "simulate/observer.h"

#include <stddef.h>

const char *const ct_time_part_names[] = {"compute", "stack", "sync", "network", NULL};
const char *const ct_time_part_titles[CT_TIME_PARTS] = {"compute", "stack", "synchronization",
                                                        "network"};
/* Okabe and Ito (2008), and grey for what is not MPI. */
const char *const ct_time_part_colours[CT_TIME_PARTS] = {"#999999", "#E69F00", "#0072B2",
                                                         "#D55E00"};

static void span_to_both(void *context, const struct ct_time_span *span)
{
    const struct ct_observer_pair *pair = context;
    if (pair->first.span)
        pair->first.span(pair->first.context, span);
    if (pair->second.span)
        pair->second.span(pair->second.context, span);
}

static void message_to_both(void *context, const struct ct_observed_message *message)
{
    const struct ct_observer_pair *pair = context;
    if (pair->first.message)
        pair->first.message(pair->first.context, message);
    if (pair->second.message)
        pair->second.message(pair->second.context, message);
}

static void rank_to_both(void *context, const struct ct_observed_rank *rank)
{
    const struct ct_observer_pair *pair = context;
    if (pair->first.rank)
        pair->first.rank(pair->first.context, rank);
    if (pair->second.rank)
        pair->second.rank(pair->second.context, rank);
}

static void begin_to_both(void *context, const struct ct_observed_begin *begin)
{
    const struct ct_observer_pair *pair = context;
    if (pair->first.begin)
        pair->first.begin(pair->first.context, begin);
    if (pair->second.begin)
        pair->second.begin(pair->second.context, begin);
}

struct ct_observer ct_observer_of_pair(struct ct_observer_pair *pair)
{
    return (struct ct_observer){span_to_both, message_to_both, rank_to_both, begin_to_both, pair};
}
