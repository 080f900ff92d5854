#include "model/loggp/constants.h"

#include "model/loggp/loggps.h"

const struct ct_constant ct_loggp_constants[CT_LOGGP_N_CONSTANTS] = {
    [CT_LOGGP_OVERLAP] = {"loggps_overlap_max", 0.25, "1", "LogGPS of a run of logpb",
                          CT_CONSTANT_CHOSEN,
                          "overheads that exceed the time of a message by more are left out: a "
                          "rendezvous that was not recognized",
                          NULL},
    [CT_LOGGP_SMALL_BYTES] =
        {"loggps_small_bytes", CT_LOGGPS_SMALL_BYTES, "B", "LogGPS of a run of logpb",
         CT_CONSTANT_CHOSEN,
         "sizes that give L: G matters little there, and eight sizes survive a busy machine", NULL},
    [CT_LOGGP_REPLICATES] =
        {"loggps_replicates", 200, "1", "intervals of L, G, and T with them", CT_CONSTANT_CHOSEN,
         "each end of a 95 % interval rests on 5 replicates; a schedule is computed anew for each",
         NULL},
    [CT_LOGGP_TRIP_ERROR] = {"loggps_trip_error", 0.01, "1", "whether sizes determine G",
                             CT_CONSTANT_CHOSEN,
                             "what all repetitions of a size may have in common: --epsilon of "
                             "logpb, which they are repeated up to",
                             NULL},
    [CT_LOGGP_GAPS_MISFIT] = {"loggps_gaps_misfit", 0.1, "1", "gaps by size in place of one G",
                              CT_CONSTANT_CHOSEN,
                              "part of a message's time that one G may be off: half of it is the "
                              "drift of a lab, and steps of simulators are from 20 % on",
                              NULL},
    [CT_LOGGP_RENDEZVOUS_JUMP] = {"rendezvous_jump", 0.5, "RTT(0)", "S of logpb",
                                  CT_CONSTANT_CHOSEN,
                                  "least jump of o_s: a handshake takes a round trip", NULL},
    [CT_LOGGP_RENDEZVOUS_PENALTY] =
        {"rendezvous_penalty", 1.5, "ln n", "S of logpb", CT_CONSTANT_PUBLISHED,
         "Bayesian information criterion for a place, a height and the noise: half of ln n each",
         NULL},
    [CT_LOGGP_RENDEZVOUS_CONFIDENCE] = {"rendezvous_confidence", 0.5, "1", "S of logpb",
                                        CT_CONSTANT_CHOSEN,
                                        "below it no S is given: no jump is as likely", NULL},
    [CT_LOGGP_EMIT_TOLERANCE] =
        {"emit_section_tolerance", 0.05, "1", "crosstalk export --emit simgrid", CT_CONSTANT_CHOSEN,
         "straight sections of a curve may be off by this, or by half of the interval of a point",
         NULL},
    [CT_LOGGP_EMIT_NETWORK] = {"emit_network_min", 0.1, "1", "crosstalk export --emit simgrid",
                               CT_CONSTANT_CHOSEN,
                               "share of a delay that is the network's in any case: overheads can "
                               "overlap with the transfer",
                               NULL},
};
