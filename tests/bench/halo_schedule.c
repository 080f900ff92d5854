#include "halo_schedule.h"

#include "trace/input/input.h"

#include <inttypes.h>
#include <stdio.h>

/* Very uneven work, so that the critical path moves with the latency. */
static enum ct_status make(const uint32_t sides[3], uint64_t rounds, struct ct_goal *goal_p,
                           struct ct_error *err)
{
    const struct ct_convert_options options = ct_convert_defaults();
    struct ct_convert_notes notes;
    char text[128];
    snprintf(text, sizeof text, "halo:%ux%ux%u,compute=250us,noise=1,rounds=%" PRIu64, sides[0],
             sides[1], sides[2], rounds);
    enum ct_status status = ct_input_convert(ct_input_of(text), &options, goal_p, &notes, err);
    if (status == CT_OK)
        ct_convert_notes_free(&notes);
    return status;
}

enum ct_status make_halo_schedule_3d(uint64_t n_operations, const uint32_t sides[3],
                                     struct ct_goal *goal_p, struct ct_error *err)
{
    struct ct_goal one, two;
    enum ct_status status = make(sides, 1, &one, err);
    if (status != CT_OK)
        return status;
    status = make(sides, 2, &two, err);
    if (status != CT_OK) {
        ct_goal_free(&one);
        return status;
    }
    uint64_t a_round = two.n_ops - one.n_ops;
    ct_goal_free(&one);
    ct_goal_free(&two);
    return make(sides, n_operations / a_round, goal_p, err);
}

enum ct_status make_halo_schedule(uint64_t n_operations, uint32_t n_side, struct ct_goal *goal_p,
                                  struct ct_error *err)
{
    const uint32_t sides[3] = {n_side, n_side, 1};
    return make_halo_schedule_3d(n_operations, sides, goal_p, err);
}
