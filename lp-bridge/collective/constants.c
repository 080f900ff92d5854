#include "lp-bridge/collective/constants.h"

#include "lp-bridge/collective/algorithms.h"

const struct ct_constant ct_collective_constants[CT_COLLECTIVE_N_CONSTANTS] = {
    [CT_COLLECTIVE_CHUNK] = {"pipeline_chunk_bytes", CT_PIPELINE_CHUNK_BYTES, "B",
                             "bcast: pipelined-ring", CT_CONSTANT_CHOSEN,
                             "of the segments that Open MPI chooses from (8 to 128 KiB) the "
                             "shortest whose transfer outlasts a latency of 5 us at 100 Gbit/s",
                             NULL},
    [CT_COLLECTIVE_AT_ONCE] = {"alltoall_at_once", CT_ALLTOALL_AT_ONCE, "messages",
                               "alltoall: linear", CT_CONSTANT_PUBLISHED,
                               "ALLTOALL_THROTTLE of MPICH 4.0.2", NULL},
    [CT_COLLECTIVE_AT_ONCE_SMPI] = {"alltoall_at_once_smpi", CT_ALLTOALL_AT_ONCE_SMPI, "messages",
                                    "alltoall: fours", CT_CONSTANT_PUBLISHED,
                                    "MV2_ALLTOALL_THROTTLE_FACTOR of SimGrid 3.32", NULL},
};
