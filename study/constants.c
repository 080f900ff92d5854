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
    [CT_STUDY_STARTS] = {"simulated_starts", 4, "1", "packets", CT_CONSTANT_CHOSEN,
                         "begins of the others, so that no answer hangs on how steps of two "
                         "programs happened to meet; beside configurations, which are many, one",
                         NULL},
    [CT_STUDY_PASSES] = {"simulated_passes", 3, "1", "packets", CT_CONSTANT_CHOSEN,
                         "passes of each program that count; alone, where all are alike, and "
                         "beside configurations one",
                         NULL},
    [CT_STUDY_CONFIG_ROUNDS] =
        {"config_rounds", 8, "rounds", "calibrate --loads", CT_CONSTANT_CHOSEN,
         "of a configuration as a schedule: its end joins all ranks, so it should be rare", NULL},
    [CT_STUDY_SIMULATED_ROUNDS] =
        {"simulated_rounds", 2, "rounds", "packets", CT_CONSTANT_CHOSEN,
         "the same beside an application: a simulation takes at least two such schedules, so that "
         "more are a matter of time",
         NULL},
    [CT_STUDY_FRAME_HEADER] = {"frame_header", 14, "B", "packets", CT_CONSTANT_PUBLISHED,
                               "header of an Ethernet frame, in front of packet_bytes", NULL},
    [CT_STUDY_PACKET_HEADER] =
        {"packet_header", 66, "B", "packets", CT_CONSTANT_PUBLISHED,
         "headers of a packet on the link: Ethernet 14 B, IPv4 20 B, TCP 32 B "
         "with time stamps",
         NULL},
    [CT_STUDY_MESSAGE_HEADER] =
        {"message_header", 20, "B", "packets", CT_CONSTANT_FITTED,
         "the MPI's own bytes of a message: what ports of an emulated switch carried beside the "
         "messages of compressionb and packet_header, for MPICH over TCP",
         "5 B for messages of 100 and 700 B; 27 and 54 B too little for 1300 B"},
    [CT_STUDY_ACK] = {"acknowledgement", 33, "B", "packets", CT_CONSTANT_PUBLISHED,
                      "for a full packet: TCP acknowledges at least every second full-sized "
                      "segment (RFC 1122, 4.2.3.2), by a packet of headers, packet_header",
                      NULL},
    [CT_STUDY_PACKET_BUFFER] =
        {"packet_buffer", 1e6, "B", "packets", CT_CONSTANT_CHOSEN,
         "of a port's input: emulated switches drop nothing and hold nothing "
         "back",
         NULL},
    [CT_STUDY_CONFIG_MESSAGES] = {"config_messages_max", 1e6, "messages", "packets",
                                  CT_CONSTANT_CHOSEN,
                                  "a configuration with more in its rounds has no schedule", NULL},
    [CT_STUDY_FIT_CELLS] = {"queue_fit_cells", 32, "1", "packets", CT_CONSTANT_CHOSEN,
                            "applications beside configurations that queues are fitted to, at "
                            "most: time",
                            NULL},
    [CT_STUDY_FIT_SLOWDOWN] = {"queue_fit_slowdown", 0.05, "1", "packets", CT_CONSTANT_CHOSEN,
                               "an application that is slowed by less says nothing about queues",
                               NULL},
    [CT_STUDY_FIT_WORK] = {"queue_fit_work", 1e7, "events", "packets", CT_CONSTANT_CHOSEN,
                           "one simulation of a fit takes about a tenth of a second at most; what "
                           "takes more does not count",
                           NULL},
    [CT_STUDY_MESSAGE_BYTES] =
        {"config_message_bytes", CT_CONFIG_MESSAGE_BYTES, "B", "configurations",
         CT_CONSTANT_PUBLISHED,
         "message of CompressionB: Casas and Bronevetsky, IPDPS 2014, section III-B", NULL},
    [CT_STUDY_EPSILON] = {"logp_epsilon", 0.01, "1", "LogGPS", CT_CONSTANT_PUBLISHED,
                          "of a run that does not say its own: the default of logpb, and of "
                          "Kielmann et al., IPDPS 2000 workshops",
                          NULL},
    [CT_STUDY_POSTERIOR_DRAWS] = {"posterior_draws", 200, "1", "--parameters with a posterior",
                                  CT_CONSTANT_CHOSEN,
                                  "of T and tolerances; as many as loggps_replicates", NULL},
    [CT_STUDY_CALIBRATION_LOADS] = {"calibration_loads", 12, "1", "calibrate --loads",
                                    CT_CONSTANT_CHOSEN,
                                    "configurations that are simulated at every point, at most: "
                                    "time",
                                    NULL},
    [CT_STUDY_CALIBRATION_PROBES] = {"calibration_probes", 50, "1", "calibrate --loads",
                                     CT_CONSTANT_CHOSEN,
                                     "simulated probes beside a configuration: time", NULL},
    [CT_STUDY_CALIBRATION_PARTS] = {"calibration_parts", 8, "1", "calibrate --loads",
                                    CT_CONSTANT_CHOSEN,
                                    "of a probe run, each a repetition: long enough that waits of "
                                    "two are not alike",
                                    NULL},
    [CT_STUDY_CALIBRATION_WAIT_ERROR] =
        {"calibration_wait_error", 5, "1", "calibrate --loads", CT_CONSTANT_CHOSEN,
         "the simulator's own error of a latency beside a load, in those of a result of logpb: how "
         "long messages wait hangs on when others leave, which the schedule of a load says roughly",
         NULL},
    [CT_STUDY_SIMULATOR_ERROR_MIN] =
        {"simulator_error_min", 0.01, "1", "predict --parameters", CT_CONSTANT_CHOSEN,
         "prior of the error of simulated slowdowns, log-uniform, relative as interval_scale says: "
         "less is below the scatter of runs",
         NULL},
    [CT_STUDY_SIMULATOR_ERROR_MAX] = {"simulator_error_max", 3, "1", "predict --parameters",
                                      CT_CONSTANT_CHOSEN,
                                      "upper end of that prior: more predicts nothing", NULL},
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
};
