#include "simulate/constants.h"

const struct ct_constant ct_simulate_constants[CT_SIMULATE_N_CONSTANTS] = {
    [CT_SIMULATE_PACKET_BYTES] =
        {"packet_bytes", 1500, "B", "simulated", CT_CONSTANT_PUBLISHED,
         "payload of an Ethernet frame: a port does not interrupt a packet", NULL},
    [CT_SIMULATE_AHEAD_PACKETS] = {"ahead_packets", 20, "packets", "simulated", CT_CONSTANT_FITTED,
                                   "108 slowdowns beside the 18 steady configurations of "
                                   "examples/lab8 without the shortest pause",
                                   "ln(measured / predicted time): 0.17 rms there, 0.27 with the "
                                   "shortest pause; 36 co-runs: 1.8 points, 12 at most"},
    [CT_SIMULATE_WORK_MAX] = {"work_max", 1e9, "events x busy pairs of nodes", "simulated",
                              CT_CONSTANT_CHOSEN,
                              "one simulation of the many of crosstalk predict takes about ten "
                              "seconds at most; what takes more has no answer",
                              NULL},
    [CT_SIMULATE_WORK_MAX_ALONE] =
        {"work_max_alone", 2e11, "events x busy pairs of nodes", "crosstalk simulate",
         CT_CONSTANT_CHOSEN,
         "the one simulation that was asked for takes about half an hour at most; more is an error",
         NULL},
};
