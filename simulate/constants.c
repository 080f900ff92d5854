#include "simulate/constants.h"

const struct ct_constant ct_simulate_constants[CT_SIMULATE_N_CONSTANTS] = {
    [CT_SIMULATE_PACKET_BYTES] =
        {"packet_bytes", 1500, "B", "packets", CT_CONSTANT_PUBLISHED,
         "payload of an Ethernet frame: a port does not interrupt a packet", NULL},
    [CT_SIMULATE_AHEAD_PACKETS_MAX] =
        {"ahead_packets_max", 128, "packets", "packets", CT_CONSTANT_CHOSEN,
         "fits of the window try 1, 2, 4 and so on up to this; TCP had up to 140 "
         "under way in an emulated switch",
         NULL},
    [CT_SIMULATE_WORK_MAX] = {"work_max", 1e9, "events", "packets", CT_CONSTANT_CHOSEN,
                              "one simulation of the many of crosstalk predict takes about ten "
                              "seconds at most; what takes more has no answer",
                              NULL},
    [CT_SIMULATE_WORK_MAX_ALONE] =
        {"work_max_alone", 2e11, "events", "crosstalk simulate", CT_CONSTANT_CHOSEN,
         "the one simulation that was asked for takes about half an hour at most; more is an error",
         NULL},
    [CT_SIMULATE_INJECTION_RATE] =
        {"injection_bandwidth", 13.04e9, "B/s", "RDMA protocols", CT_CONSTANT_PUBLISHED,
         "most likely value in [D], table 1, for Open MPI on Omni-Path; range there 8 to 16 GB/s",
         NULL},
    [CT_SIMULATE_LINK_RATE] =
        {"link_bandwidth", 12.47e9, "B/s", "RDMA protocols", CT_CONSTANT_PUBLISHED,
         "most likely value in [D], table 1, for Open MPI on Omni-Path; range there 10 to 15 GB/s",
         NULL},
    [CT_SIMULATE_MEMORY_RATE] =
        {"memory_bandwidth", 11.20e9, "B/s", "RDMA protocols", CT_CONSTANT_PUBLISHED,
         "most likely value in [D], table 1, for Open MPI on Omni-Path; range there 8 to 15 GB/s",
         NULL},
    [CT_SIMULATE_POST_HEADER] =
        {"post_header", 0.36e-6, "s", "RDMA protocols", CT_CONSTANT_PUBLISHED,
         "most likely value in [D], table 1, for Open MPI on Omni-Path; range there 0.1 to 1.5 us",
         NULL},
    [CT_SIMULATE_POST_RDMA] =
        {"post_rdma", 0.88e-6, "s", "RDMA protocols", CT_CONSTANT_PUBLISHED,
         "most likely value in [D], table 1, for Open MPI on Omni-Path; range there 0.5 to 2 us",
         NULL},
    [CT_SIMULATE_PIN] =
        {"pin", 5.43e-6, "s", "RDMA protocols", CT_CONSTANT_PUBLISHED,
         "most likely value in [D], table 1, for Open MPI on Omni-Path; range there 1 to 7 us",
         NULL},
    [CT_SIMULATE_PIN_PAGE] = {"pin_page", 50.5e-9, "s", "RDMA protocols", CT_CONSTANT_PUBLISHED,
                              "most likely value in [D], table 1, for Open MPI on Omni-Path; range "
                              "there 1 to 100 ns; it has little effect",
                              NULL},
    [CT_SIMULATE_HOP] = {"hop_latency", 100e-9, "s", "RDMA protocols", CT_CONSTANT_PUBLISHED,
                         "nominal value in [D], table 1, of a switch and a link without load",
                         NULL},
    [CT_SIMULATE_PAGE_BYTES] = {"page_bytes", 4096, "B", "RDMA protocols", CT_CONSTANT_CHOSEN,
                                "page of x86-64 and most arm64 systems; [D] does not state it",
                                NULL},
    [CT_SIMULATE_MAILBOX_MAX] = {"mailbox_max", 4096, "B", "RDMA protocols", CT_CONSTANT_CHOSEN,
                                 "[D], section 3.1: largest small messages are often 1 to 4 KB",
                                 NULL},
    [CT_SIMULATE_EAGER_MAX] = {"eager_max", 65536, "B", "RDMA protocols", CT_CONSTANT_CHOSEN,
                               "[D], section 3.1: largest medium messages are 8 to 64 KB", NULL},
    [CT_SIMULATE_EAGER_BYTES] = {"S_default", 262144, "B", "LogGPS", CT_CONSTANT_CHOSEN,
                                 "largest eager message where neither --S nor --logp says one",
                                 NULL},
    [CT_SIMULATE_NETWORK_PACKET] = {"network_packet", 4096, "B", "network packet",
                                    CT_CONSTANT_CHOSEN,
                                    "coarse packets as in [D], section 4.2, which states no size; "
                                    "smaller ones take longer to simulate",
                                    NULL},
    [CT_SIMULATE_NETWORK_BUFFER] = {"network_buffer", 65536, "B", "network packet",
                                    CT_CONSTANT_CHOSEN,
                                    "16 packets: more than a link of 100 Gbit/s has under way in "
                                    "100 ns; [D] does not state it",
                                    NULL},
    [CT_SIMULATE_BOUND_LEAST] =
        {"bound_least", 0.5, "1", "crosstalk simulate", CT_CONSTANT_CHOSEN,
         "bound by a part means that it takes more than all others together", NULL},
    [CT_SIMULATE_STARTS] = {"simulated_starts", 4, "1", "packets", CT_CONSTANT_CHOSEN,
                            "begins of the others, so that no answer hangs on how steps of two "
                            "programs happened to meet; beside configurations, which are many, one",
                            NULL},
    [CT_SIMULATE_PASSES] = {"simulated_passes", 3, "1", "packets", CT_CONSTANT_CHOSEN,
                            "passes of each program that count; alone, where all are alike, and "
                            "beside configurations one",
                            NULL},
    [CT_SIMULATE_ROUNDS] =
        {"simulated_rounds", 2, "rounds", "packets", CT_CONSTANT_CHOSEN,
         "the same beside an application: a simulation takes at least two such schedules, so that "
         "more are a matter of time",
         NULL},
    [CT_SIMULATE_FRAME_HEADER] = {"frame_header", 14, "B", "packets", CT_CONSTANT_PUBLISHED,
                                  "header of an Ethernet frame, in front of packet_bytes", NULL},
    [CT_SIMULATE_PACKET_HEADER] =
        {"packet_header", 66, "B", "packets", CT_CONSTANT_PUBLISHED,
         "headers of a packet on the link: Ethernet 14 B, IPv4 20 B, TCP 32 B "
         "with time stamps",
         NULL},
    [CT_SIMULATE_MESSAGE_HEADER] =
        {"message_header", 20, "B", "packets", CT_CONSTANT_FITTED,
         "the MPI's own bytes of a message: what ports of an emulated switch carried beside the "
         "messages of compressionb and packet_header, for MPICH over TCP",
         "5 B for messages of 100 and 700 B; 27 and 54 B too little for 1300 B"},
    [CT_SIMULATE_ACK] = {"acknowledgement", 33, "B", "packets", CT_CONSTANT_PUBLISHED,
                         "for a full packet: TCP acknowledges at least every second full-sized "
                         "segment (RFC 1122, 4.2.3.2), by a packet of headers, packet_header",
                         NULL},
    [CT_SIMULATE_SIMGRID_BACK] = {"simgrid_back", 0.05, "1", "packets, of runs in SimGrid",
                                  CT_CONSTANT_PUBLISHED,
                                  "network/crosstraffic of SimGrid 3.32: part of what is sent that "
                                  "takes the way back, for acknowledgements",
                                  NULL},
    [CT_SIMULATE_PACKET_BUFFER] =
        {"packet_buffer", 1e6, "B", "packets", CT_CONSTANT_CHOSEN,
         "of a port's input: emulated switches drop nothing and hold nothing "
         "back",
         NULL},
    [CT_SIMULATE_CONFIG_MESSAGES] = {"config_messages_max", 1e6, "messages", "packets",
                                     CT_CONSTANT_CHOSEN,
                                     "a configuration with more in its rounds has no schedule",
                                     NULL},
    [CT_SIMULATE_FIT_CELLS] = {"queue_fit_cells", 32, "1", "packets", CT_CONSTANT_CHOSEN,
                               "applications beside configurations that queues are fitted to, at "
                               "most: time",
                               NULL},
    [CT_SIMULATE_FIT_SLOWDOWN] = {"queue_fit_slowdown", 0.05, "1", "packets", CT_CONSTANT_CHOSEN,
                                  "an application that is slowed by less says nothing about queues",
                                  NULL},
    [CT_SIMULATE_FIT_WORK] =
        {"queue_fit_work", 1e7, "events", "packets", CT_CONSTANT_CHOSEN,
         "one simulation of a fit takes about a tenth of a second at most; what "
         "takes more does not count",
         NULL},
};
