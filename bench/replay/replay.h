/** Options of `workload replay`. */
#ifndef CT_BENCH_REPLAY_REPLAY_H
#define CT_BENCH_REPLAY_REPLAY_H

struct ct_replay_options {
    const char *trace;    /**< folder of traces; "": none */
    const char *goal;     /**< file with a schedule; "": none */
    double compute_scale; /**< of the time between calls, >= 0 */
};

#endif
