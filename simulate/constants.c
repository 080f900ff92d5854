#include "simulate/constants.h"

const struct ct_constant ct_simulate_constants[CT_SIMULATE_N_CONSTANTS] = {
    [CT_SIMULATE_PACKET_BYTES] =
        {"packet_bytes", 1500, "B", "simulated", CT_CONSTANT_PUBLISHED,
         "payload of an Ethernet frame: a port does not interrupt a packet", NULL},
    [CT_SIMULATE_AHEAD_PACKETS_MAX] =
        {"ahead_packets_max", 128, "packets", "simulated", CT_CONSTANT_CHOSEN,
         "fits of what is ahead of a message try 1, 2, 4 and so on up to this; TCP had up to 140 "
         "under way in an emulated switch",
         NULL},
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
