#include "study/constants.h"

#include "results/config.h"

const struct ct_constant ct_study_constants[CT_STUDY_N_CONSTANTS] = {
    [CT_STUDY_REPLICATES] =
        {"replicates", 1000, "1", "intervals of utilization, tolerance, envelope",
         CT_CONSTANT_CHOSEN,
         "each end of a 90 % interval rests on 50 replicates: good to a tenth of its length", NULL},
    [CT_STUDY_NOISY_IDLE] =
        {"noisy_idle_ratio", 2, "1", "note on pk", CT_CONSTANT_FITTED,
         "mean latency of the idle network by its median: 1.4 and 1.5 in campaigns on a quiet "
         "emulated switch, 5.8 in one with a stall of 56 ms",
         "no campaign between 1.5 and 5.8 was seen; no prediction depends on it"},
    [CT_STUDY_SAME_NETWORK] =
        {"same_network_ratio", 1.5, "1", "note on a calibration", CT_CONSTANT_CHOSEN,
         "medians of one idle network differ by less from run to run; no prediction depends on it",
         NULL},
    [CT_STUDY_DRIFT_LEVEL] =
        {"drift_level", 0.95, "1", "drift of a baseline", CT_CONSTANT_CHOSEN,
         "without a drift, none is reported for an application in so many campaigns", NULL},
    [CT_STUDY_MESSAGE_BYTES] =
        {"config_message_bytes", CT_CONFIG_MESSAGE_BYTES, "B", "configurations",
         CT_CONSTANT_PUBLISHED,
         "message of CompressionB: Casas and Bronevetsky, IPDPS 2014, section III-B", NULL},
    [CT_STUDY_EPSILON] = {"logp_epsilon", 0.01, "1", "LogGPS", CT_CONSTANT_PUBLISHED,
                          "of a run that does not say its own: the default of logpb, and of "
                          "Kielmann et al., IPDPS 2000 workshops",
                          NULL},
    [CT_STUDY_POSTERIOR_DRAWS] = {"posterior_draws", 200, "1",
                                  "--parameters with a posterior, noise of computing",
                                  CT_CONSTANT_CHOSEN,
                                  "of T and tolerances; as many as loggps_replicates", NULL},
    [CT_STUDY_INTERVAL_EDGES] =
        {"interval_edges", 1e8, "dependencies", "intervals of tolerance, envelope",
         CT_CONSTANT_CHOSEN,
         "of all replicates: about five seconds; a larger schedule has fewer, and none below 20",
         NULL},
    [CT_STUDY_BUSY_QUANTILE] = {"busy_quantile", 0.9, "1",
                                "utilization over time, crosstalk report", CT_CONSTANT_CHOSEN,
                                "a probe above this quantile of the idle network has waited", NULL},
    [CT_STUDY_LATE_NOTED] = {"late_probes_noted", 0.1, "1", "note on late probes",
                             CT_CONSTANT_CHOSEN,
                             "a larger share of late probes is noted; no prediction depends on it",
                             NULL},
    [CT_STUDY_VALIDATION_LEVEL] = {"validation_level", 0.95, "1", "crosstalk validate",
                                   CT_CONSTANT_CHOSEN,
                                   "level of the intervals of run times and of the slope", NULL},
    [CT_STUDY_VALIDATION_LONGER] = {"validation_slope_longer", 0.25, "1", "crosstalk validate",
                                    CT_CONSTANT_CHOSEN,
                                    "slopes are compared up to run times that are longer by this",
                                    NULL},
    [CT_STUDY_PROCESSORS_NOTED] = {"processors_noted", 0.02, "1", "co-runs slowed by processors",
                                   CT_CONSTANT_CHOSEN,
                                   "of a pass alone: where waiting for processors explains more, "
                                   "errors are given without the "
                                   "co-run, too; no prediction depends on it",
                                   NULL},
    [CT_STUDY_IDLE_WAIT_NOTED] =
        {"idle_wait_noted", 0.1, "1", "answers about a campaign or a scan", CT_CONSTANT_CHOSEN,
         "of the time of the probe's ranks on the idle network, or of a scan's: where they wait "
         "longer for processors, other programs ran on the machine, and the answer says so; 0.3 to "
         "5 % on quiet machines, 20 to 60 % beside compilers",
         NULL},
    [CT_STUDY_DRAWN_OPERATIONS] =
        {"drawn_operations", 1e8, "operations", "intervals of crosstalk simulate",
         CT_CONSTANT_CHOSEN,
         "simulated for all draws of uncertain parameters: about ten seconds; larger programs have "
         "fewer draws, and no interval from fewer than 20",
         NULL},
    [CT_STUDY_TIMES_WORK] = {"times_work", 5e6, "events x busy pairs of nodes", "crosstalk report",
                             CT_CONSTANT_CHOSEN,
                             "of a simulation that tells where the time of an application goes: a "
                             "second at most; larger ones are left out of the page",
                             NULL},
    [CT_STUDY_FAULT_DRAWS] = {"fault_draws", 8, "1", "prices of crosstalk watch",
                              CT_CONSTANT_CHOSEN,
                              "of which packets are lost: the price is their mean, and its "
                              "interval has all of them",
                              NULL},
    [CT_STUDY_SCAN_LEVEL] = {"scan_level", 0.95, "1", "crosstalk scan", CT_CONSTANT_CHOSEN,
                             "level of the intervals of factors and of the score", NULL},
    [CT_STUDY_SCAN_OUTLIER] = {"scan_outlier", 1.5, "1", "crosstalk scan", CT_CONSTANT_CHOSEN,
                               "median of an idle pair by that of its class, above which the sheet "
                               "names it; no factor depends on it",
                               NULL},
    [CT_STUDY_SCAN_QUIET] = {"scan_quiet", 0.9, "1", "crosstalk scan --against", CT_CONSTANT_CHOSEN,
                             "how often two scans of the same fabric differ in no row at all",
                             NULL},
    [CT_STUDY_SCAN_SEALED] = {"scan_sealed", 0.9, "1", "crosstalk scan --kit", CT_CONSTANT_CHOSEN,
                              "level of sealed intervals, that of crosstalk predict: conformal "
                              "ones of 95 % need 19 known loads, and a kit has twelve",
                              NULL},
};
