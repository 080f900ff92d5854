#include "calibrate/constants.h"

const struct ct_constant ct_calibrate_constants[CT_CALIBRATE_N_CONSTANTS] = {
    [CT_CALIBRATE_NORMAL_CUT] =
        {"normal_cut", 3, "standard deviations", "crosstalk calibrate", CT_CONSTANT_CHOSEN,
         "a normal prior ends there, so that designs and polynomials have bounds; 0.27 % of the "
         "prior are beyond",
         NULL},
    [CT_CALIBRATE_ORDER] = {"surrogate_order_max", 4, "1", "crosstalk calibrate",
                            CT_CONSTANT_PUBLISHED, "total order of the polynomials in [D], A",
                            NULL},
    [CT_CALIBRATE_POINTS_PER_TERM] =
        {"surrogate_points_per_term", 2, "1", "crosstalk calibrate", CT_CONSTANT_CHOSEN,
         "with fewer points for each term a least-squares fit follows the points, and its "
         "leave-one-out error scatters",
         NULL},
    [CT_CALIBRATE_ACCEPTANCE] =
        {"chain_acceptance", 0.3, "1", "crosstalk calibrate", CT_CONSTANT_CHOSEN,
         "between the best share for one parameter, 0.44, and that for many, 0.234 (Roberts, "
         "Gelman and Gilks 1997)",
         NULL},
    [CT_CALIBRATE_STARTS] = {"chain_starts", 100, "1", "crosstalk calibrate", CT_CONSTANT_CHOSEN,
                             "a chain starts at the best of so many points of the prior, so that "
                             "it does not have to find a narrow posterior from far away",
                             NULL},
    [CT_CALIBRATE_DISCREPANCY_LO] =
        {"discrepancy_min", 1e-3, "1", "crosstalk calibrate", CT_CONSTANT_CHOSEN,
         "below it a simulator's own error is less than the scatter of runs", NULL},
    [CT_CALIBRATE_DISCREPANCY_HI] =
        {"discrepancy_max", 0.3, "1", "crosstalk calibrate", CT_CONSTANT_CHOSEN,
         "a simulator that is off by more does not describe the network", NULL},
    [CT_CALIBRATE_GROUP_INDEX] =
        {"group_index", 0.05, "1", "crosstalk calibrate", CT_CONSTANT_CHOSEN,
         "an output whose total index of a parameter is not above it does not count as dependent "
         "on that parameter; what it then misses is added to its variance",
         NULL},
    [CT_CALIBRATE_CHAINS] = {"chains", 4, "1", "crosstalk calibrate", CT_CONSTANT_CHOSEN,
                             "R-hat compares chains", NULL},
    [CT_CALIBRATE_STEPS] = {"chain_steps", 5000, "1", "crosstalk calibrate", CT_CONSTANT_CHOSEN,
                            "values kept of each chain: each end of a 95 % interval rests on 500 "
                            "of all four",
                            NULL},
    [CT_CALIBRATE_WARMUP] = {"chain_warmup", 50000, "steps", "crosstalk calibrate",
                             CT_CONSTANT_CHOSEN,
                             "seconds; a posterior along a bent ridge needs them to be noticed",
                             NULL},
    [CT_CALIBRATE_THIN] = {"chain_thin", 50, "steps", "crosstalk calibrate", CT_CONSTANT_CHOSEN,
                           "of these steps one is kept; those in between are nearly equal", NULL},
    [CT_CALIBRATE_LEVEL] = {"posterior_level", 0.95, "1", "crosstalk calibrate", CT_CONSTANT_CHOSEN,
                            "intervals of parameters and outputs", NULL},
    [CT_CALIBRATE_R_HAT_MAX] =
        {"r_hat_max", 1.05, "1", "crosstalk calibrate", CT_CONSTANT_CHOSEN,
         "chains with a larger R-hat have not converged; 1.1 is usual, and too much for the ends "
         "of intervals",
         NULL},
    [CT_CALIBRATE_MISFIT_PROBABILITY] =
        {"misfit_probability", 1e-4, "1", "crosstalk calibrate", CT_CONSTANT_CHOSEN,
         "a misfit that chi-square exceeds with less probability is no accident", NULL},
    [CT_CALIBRATE_PILE_SHARE] =
        {"pile_share", 0.25, "1", "crosstalk calibrate", CT_CONSTANT_CHOSEN,
         "share of the draws next to a bound from which on the bound decides the posterior", NULL},
    [CT_CALIBRATE_PILE_EDGE] = {"pile_edge", 0.01, "1", "crosstalk calibrate", CT_CONSTANT_CHOSEN,
                                "share of the prior that is next to a bound", NULL},
    [CT_CALIBRATE_CONFIG_ROUNDS] =
        {"config_rounds", 8, "rounds", "calibrate --loads", CT_CONSTANT_CHOSEN,
         "of a configuration as a schedule: its end joins all ranks, so it should be rare", NULL},
    [CT_CALIBRATE_LOADS] = {"calibration_loads", 12, "1", "calibrate --loads", CT_CONSTANT_CHOSEN,
                            "configurations that are simulated at every point, at most: "
                            "time",
                            NULL},
    [CT_CALIBRATE_PROBES] = {"calibration_probes", 50, "1", "calibrate --loads", CT_CONSTANT_CHOSEN,
                             "simulated probes beside a configuration: time", NULL},
    [CT_CALIBRATE_PARTS] = {"calibration_parts", 8, "1", "calibrate --loads", CT_CONSTANT_CHOSEN,
                            "of a probe run, each a repetition: long enough that waits of "
                            "two are not alike",
                            NULL},
    [CT_CALIBRATE_WAIT_ERROR] =
        {"calibration_wait_error", 5, "1", "calibrate --loads", CT_CONSTANT_CHOSEN,
         "the simulator's own error of a latency beside a load, in those of a result of logpb: how "
         "long messages wait hangs on when others leave, which the schedule of a load says roughly",
         NULL},
};
