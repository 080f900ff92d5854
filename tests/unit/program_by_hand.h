/* Run times of traced programs that can be said by hand. */
#pragma once

#include "traced_program.h"

/* Parameters of all of them. */
enum { o = 5, L = 1000, G = 2, EAGER = 1 << 20 };

/* What a message of some bytes costs from its start to its end on the other side. */
static inline double message(uint64_t bytes)
{
    return o + L + G * (double)(bytes > 0 ? bytes - 1 : 0) + o;
}

static inline double runtime(struct traced_program *program,
                             const struct ct_convert_options *options)
{
    struct ct_goal goal = goal_of_program(program, options);
    double runtime_ns = runtime_of(&goal, o, L, G, EAGER);
    ct_goal_free(&goal);
    return runtime_ns;
}
