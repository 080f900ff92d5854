#include "predict/constants.h"

#include "predict/drift.h"
#include "predict/grouping.h"

const struct ct_constant ct_predict_constants[CT_PREDICT_N_CONSTANTS] = {
    [CT_PREDICT_REPLICATES] = {"prediction_replicates", 400, "1",
                               "intervals of measured slowdowns, utilizations, comparisons",
                               CT_CONSTANT_CHOSEN,
                               "each end of a 90 % interval rests on 20 replicates", NULL},
    [CT_PREDICT_INTERVAL_SCALE] =
        {"interval_scale", 0.1, "1", "intervals of predictions", CT_CONSTANT_CHOSEN,
         "errors count relative to the predicted slowdown plus this: an interval holds as often "
         "as its level says with any value; with 0.05 or 0.2 mean widths differ by about a third "
         "at most",
         NULL},
    [CT_PREDICT_PACKETS_ERROR_80] =
        {"packets_error_80", 0.13, "1", "intervals of packets", CT_CONSTANT_FITTED,
         "80 % of 378 co-runs of 15 campaigns in examples are off by less, relative to the "
         "predicted slowdown plus interval_scale",
         "of each of the fifteen campaigns intervals from the other fourteen hold 64 to 100 % at "
         "90 %"},
    [CT_PREDICT_PACKETS_ERROR_90] =
        {"packets_error_90", 0.22, "1", "intervals of packets", CT_CONSTANT_FITTED,
         "90 % of 378 co-runs of 15 campaigns in examples are off by less, relative to the "
         "predicted slowdown plus interval_scale",
         "of each of the fifteen campaigns intervals from the other fourteen hold 64 to 100 % at "
         "90 %"},
    [CT_PREDICT_PACKETS_ERROR_95] =
        {"packets_error_95", 0.34, "1", "intervals of packets", CT_CONSTANT_FITTED,
         "95 % of 378 co-runs of 15 campaigns in examples are off by less, relative to the "
         "predicted slowdown plus interval_scale",
         "of each of the fifteen campaigns intervals from the other fourteen hold 64 to 100 % at "
         "90 %"},
    [CT_PREDICT_COMPARE_LEAST] = {"compared_apps_least", 3, "applications", "comparisons of models",
                                  CT_CONSTANT_CHOSEN,
                                  "fewer, drawn anew, are mostly the same ones again", NULL},
    [CT_PREDICT_NULL_OFFSET] = {"null_offset", 0.05, "1", "multiplicative", CT_CONSTANT_CHOSEN,
                                "slowdowns of about the limit and less count alike", NULL},
    [CT_PREDICT_NULL_RIDGE] =
        {"null_ridge", 0.03, "co-runs", "multiplicative", CT_CONSTANT_CHOSEN,
         "effects are drawn to 0 as by this many co-runs of mean slowdown; of 0.03, 0.1, 0.3, 1 "
         "and "
         "3 it is the nearest on nine of ten campaigns, whichever is left out",
         NULL},
    [CT_PREDICT_IDLE_QUANTILE] = {"phase_idle_quantile", 0.95, "1", "mutual", CT_CONSTANT_CHOSEN,
                                  "noise of the idle network below this quantile changes from run "
                                  "to run: latencies there are taken as alike",
                                  NULL},
    [CT_PREDICT_WAITING_QUANTILE] =
        {"waiting_idle_quantile", 0.75, "1", "by waiting, probe", CT_CONSTANT_CHOSEN,
         "a network that is a little slower than when it was idle seems busy below; with 0.5 or "
         "0.9 the mean error of probe changes by less than 0.1 points",
         NULL},
    [CT_PREDICT_PROBE_MOMENT] = {"probe_moment", 1, "1", "probe", CT_CONSTANT_CHOSEN,
                                 "the mean; 0.75 and 1.25 were tried (scripts/probe_choices.py)",
                                 NULL},
    [CT_PREDICT_PROBE_DELAY_SHARE] =
        {"probe_delay_share", 0.5, "1", "probe", CT_CONSTANT_CHOSEN,
         "delay and waiting count alike; 0.4 and 0.6 were tried (scripts/probe_choices.py)", NULL},
    [CT_PREDICT_PROBE_OFFSET] =
        {"probe_offset", 0.05, "1", "probe", CT_CONSTANT_CHOSEN,
         "smaller slowdowns are scatter; 0.02 and 0.1 were tried (scripts/probe_choices.py)", NULL},
    [CT_PREDICT_PROBE_SLOPE] = {"probe_slope", 1, "1", "probe", CT_CONSTANT_CHOSEN,
                                "a slowdown in proportion to the reading", NULL},
    [CT_PREDICT_PROBE_SLOPE_DEVIATION] =
        {"probe_slope_deviation", 0.5, "1", "probe", CT_CONSTANT_CHOSEN,
         "leaves room for other powers; 0.25 was tried (scripts/probe_choices.py)", NULL},
    [CT_PREDICT_PROBE_NOISE] = {"probe_noise", 0.2, "1", "probe", CT_CONSTANT_CHOSEN,
                                "mean deviation of configurations from their line, in the "
                                "logarithm; 0.4 was tried (scripts/probe_choices.py)",
                                NULL},
    [CT_PREDICT_PROBE_BEYOND] =
        {"probe_beyond", 0.5, "1", "probe", CT_CONSTANT_CHOSEN,
         "half way, in the logarithm, between the line and the highest slowdown that was measured; "
         "0 was tried (scripts/probe_choices.py). Only nine8 shows the difference",
         NULL},
    [CT_PREDICT_CO_RUN_SHRINKAGE] =
        {"co_run_shrinkage", 0.5, "1", "probe", CT_CONSTANT_CHOSEN,
         "as strong as half a co-run; 2, 4, 8 times and endless ones count, too, by what a "
         "campaign says; 1 to 8 and 1 to 64 in place of 0.5 to 4 were tried on the campaigns in "
         "examples: 0.1 and 0.2 points worse with two co-runs an application",
         NULL},
    [CT_PREDICT_CO_RUNS_EXACT] = {"co_runs_exact", 144, "co-runs", "probe", CT_CONSTANT_CHOSEN,
                                  "with more of them one that is left out changes the effects of "
                                  "others, and how far they are shrunk, little",
                                  NULL},
    [CT_PREDICT_DRIFT_LEAST] = {"drift_least", CT_DRIFT_LEAST_FRAC, "1", "drift of a baseline",
                                CT_CONSTANT_CHOSEN,
                                "runs of one program repeat to about this at best", NULL},
    [CT_PREDICT_GROUPING_EXACT] = {"grouping_exact_jobs", CT_GROUPING_EXACT_MAX, "jobs",
                                   "predict --groups", CT_CONSTANT_CHOSEN,
                                   "the best division of more jobs takes too long", NULL},
    [CT_PREDICT_GROUPING_SEARCHES] =
        {"grouping_searches", 20, "1", "predict --groups", CT_CONSTANT_CHOSEN,
         "local searches from random divisions, for more jobs than that", NULL},
    [CT_PREDICT_GROUPING_PRICED] =
        {"grouping_priced_jobs", 4e7, "jobs", "predict --groups", CT_CONSTANT_CHOSEN,
         "the local searches end when the groups that they priced have as many jobs: some seconds",
         NULL},
    [CT_PREDICT_GROUPING_TRIALS] = {"grouping_random_divisions", 1000, "1", "predict --groups",
                                    CT_CONSTANT_CHOSEN,
                                    "what the gain of an advice is measured against", NULL},
    [CT_PREDICT_NEXT_LOAD_GAP] = {"next_load_gap", 4, "resolutions", "grid: adaptive",
                                  CT_CONSTANT_CHOSEN,
                                  "no wider part of the axis of utilization may be empty", NULL},
    [CT_PREDICT_NEXT_LOAD_WINDOW] =
        {"next_load_window_odds", 2, "1", "grid: adaptive", CT_CONSTANT_CHOSEN,
         "loads count as near an application if their odds differ by less than this factor", NULL},
    [CT_PREDICT_NEXT_LOAD_BEYOND] =
        {"next_load_beyond_odds", 1.25, "1", "grid: adaptive", CT_CONSTANT_CHOSEN,
         "a load beyond the last point is looked for this much further away", NULL},
    [CT_PREDICT_NEXT_LOAD_MEAN_CONSTANT] =
        {"next_load_mean_constant", -1.1, "1", "grid: adaptive", CT_CONSTANT_FITTED,
         "about what loads of an emulated switch show; constant of the log odds of the "
         "utilization, where the fit to the configurations of a campaign begins",
         "was not tried on its own; next_load_deviation_constant leaves room"},
    [CT_PREDICT_NEXT_LOAD_MEAN_PARTNERS] =
        {"next_load_mean_partners", 1.2, "1", "grid: adaptive", CT_CONSTANT_FITTED,
         "about what loads of an emulated switch show; power of the partners P, where the fit to "
         "the configurations of a campaign begins",
         "was not tried on its own; next_load_deviation_partners leaves room"},
    [CT_PREDICT_NEXT_LOAD_MEAN_MESSAGES] =
        {"next_load_mean_messages", 0.8, "1", "grid: adaptive", CT_CONSTANT_FITTED,
         "about what loads of an emulated switch show; power of the messages M, where the fit to "
         "the configurations of a campaign begins",
         "was not tried on its own; next_load_deviation_messages leaves room"},
    [CT_PREDICT_NEXT_LOAD_MEAN_DENSITY] =
        {"next_load_mean_density", 0.5, "1", "grid: adaptive", CT_CONSTANT_FITTED,
         "about what loads of an emulated switch show; power of the time of a message by the "
         "pause, where the fit to the configurations of a campaign begins",
         "was not tried on its own; next_load_deviation_density leaves room"},
    [CT_PREDICT_NEXT_LOAD_MEAN_DUTY] =
        {"next_load_mean_duty", 0.8, "1", "grid: adaptive", CT_CONSTANT_FITTED,
         "about what loads of an emulated switch show; power of the share of time in bursts, where "
         "the fit to the configurations of a campaign begins",
         "was not tried on its own; next_load_deviation_duty leaves room"},
    [CT_PREDICT_NEXT_LOAD_DEVIATION_CONSTANT] =
        {"next_load_deviation_constant", 1.5, "1", "grid: adaptive", CT_CONSTANT_CHOSEN,
         "standard deviation of next_load_mean_constant: leaves room for other networks", NULL},
    [CT_PREDICT_NEXT_LOAD_DEVIATION_PARTNERS] =
        {"next_load_deviation_partners", 0.4, "1", "grid: adaptive", CT_CONSTANT_CHOSEN,
         "standard deviation of next_load_mean_partners: leaves room for other networks", NULL},
    [CT_PREDICT_NEXT_LOAD_DEVIATION_MESSAGES] =
        {"next_load_deviation_messages", 0.4, "1", "grid: adaptive", CT_CONSTANT_CHOSEN,
         "standard deviation of next_load_mean_messages: leaves room for other networks", NULL},
    [CT_PREDICT_NEXT_LOAD_DEVIATION_DENSITY] =
        {"next_load_deviation_density", 0.4, "1", "grid: adaptive", CT_CONSTANT_CHOSEN,
         "standard deviation of next_load_mean_density: leaves room for other networks", NULL},
    [CT_PREDICT_NEXT_LOAD_DEVIATION_DUTY] =
        {"next_load_deviation_duty", 0.4, "1", "grid: adaptive", CT_CONSTANT_CHOSEN,
         "standard deviation of next_load_mean_duty: leaves room for other networks", NULL},
    [CT_PREDICT_NEXT_LOAD_SCATTER_DEVIATION] =
        {"next_load_scatter", 0.35, "1", "grid: adaptive", CT_CONSTANT_CHOSEN,
         "standard deviation of the log odds of a load from what its factors say", NULL},
    [CT_PREDICT_SIMULATOR_ERROR_MIN] =
        {"simulator_error_min", 0.01, "1", "predict --parameters", CT_CONSTANT_CHOSEN,
         "prior of the error of simulated slowdowns, log-uniform, relative as interval_scale says: "
         "less is below the scatter of runs",
         NULL},
    [CT_PREDICT_SIMULATOR_ERROR_MAX] = {"simulator_error_max", 3, "1", "predict --parameters",
                                        CT_CONSTANT_CHOSEN,
                                        "upper end of that prior: more predicts nothing", NULL},
};
