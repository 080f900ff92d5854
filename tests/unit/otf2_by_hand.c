#include "otf2_by_hand.h"

#include "unit.h"

#include <otf2/otf2.h>

enum {
    RESOLUTION = 1000000, /* ticks a second: microseconds */
    OFFSET = 5000,        /* first tick */
    RANKS = OTF2_BY_HAND_RANKS,
    THREAD = 7, /* a location that is no rank */
    THREAD_ATTRIBUTE = 0,
    WORLD = 0,
    HALF = 1, /* of rank 1 alone */
    GROUP_LOCATIONS = 0,
    GROUP_WORLD,
    GROUP_HALF
};

enum region {
    R_MAIN,
    R_INIT,
    R_ISEND,
    R_IRECV,
    R_WAITALL,
    R_ALLREDUCE,
    R_BCAST,
    R_IBARRIER,
    R_PUT,
    R_COMM_RANK,
    R_SSEND,
    R_RECV,
    R_ALLTOALLV,
    R_NEIGHBOR,
    R_FILE,
    R_FINALIZE,
    N_REGIONS
};
static const char *const region_names[N_REGIONS] = {"main",          "MPI_Init",
                                                    "MPI_Isend",     "MPI_Irecv",
                                                    "MPI_Waitall",   "MPI_Allreduce",
                                                    "MPI_Bcast",     "MPI_Ibarrier",
                                                    "MPI_Put",       "MPI_Comm_rank",
                                                    "MPI_Ssend",     "MPI_Recv",
                                                    "MPI_Alltoallv", "MPI_Neighbor_alltoall",
                                                    "MPI_File_open", "MPI_Finalize"};

enum { LATE = 100, LATER = 300, END_US = 1010 };

struct hand {
    OTF2_Archive *archive;
    OTF2_EvtWriter *out;
    uint64_t late, later; /* ticks that the clock of this rank is behind at 0 and END_US */
};

static OTF2_FlushType flush(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller,
                            bool is_last)
{
    (void)data;
    (void)type;
    (void)location;
    (void)caller;
    (void)is_last;
    return OTF2_FLUSH;
}

static void ok(OTF2_ErrorCode code)
{
    assert_int_equal(code, OTF2_SUCCESS);
}

/* Ticks that the clock of a rank is behind, at 0 or END_US. */
static uint64_t late_of(const struct otf2_by_hand *sort, uint32_t rank, bool at_end)
{
    if (rank != 1 || (!sort->with_offset && !sort->with_drift))
        return 0;
    return sort->with_drift && at_end ? LATER : LATE;
}

static uint64_t at(const struct hand *hand, uint64_t us)
{
    return OFFSET + us - hand->late - us * (hand->later - hand->late) / END_US;
}

static void enter(struct hand *hand, uint64_t us, enum region region)
{
    ok(OTF2_EvtWriter_Enter(hand->out, NULL, at(hand, us), region));
}

static void leave(struct hand *hand, uint64_t us, enum region region)
{
    ok(OTF2_EvtWriter_Leave(hand->out, NULL, at(hand, us), region));
}

/* With the attribute that crosstalk adds. */
static void leave_to_thread(struct hand *hand, uint64_t us, enum region region, unsigned thread)
{
    OTF2_AttributeList *attributes = OTF2_AttributeList_New();
    assert_non_null(attributes);
    ok(OTF2_AttributeList_AddUint64(attributes, THREAD_ATTRIBUTE, thread));
    ok(OTF2_EvtWriter_Leave(hand->out, attributes, at(hand, us), region));
    OTF2_AttributeList_Delete(attributes);
}

/* What a collective moved, as records have it. */
struct moved {
    OTF2_CollectiveOp operation;
    uint32_t root;
    uint64_t sent_bytes, received_bytes;
};

static void write_collective(struct hand *hand, uint64_t from_us, uint64_t to_us,
                             enum region region, struct moved moved)
{
    enter(hand, from_us, region);
    ok(OTF2_EvtWriter_MpiCollectiveBegin(hand->out, NULL, at(hand, from_us)));
    ok(OTF2_EvtWriter_MpiCollectiveEnd(hand->out, NULL, at(hand, to_us), moved.operation, WORLD,
                                       moved.root, moved.sent_bytes, moved.received_bytes));
    leave(hand, to_us, region);
}

static void write_gaps(struct hand *hand)
{
    write_collective(
        hand, 955, 960, R_ALLTOALLV,
        (struct moved){OTF2_COLLECTIVE_OP_ALLTOALLV, OTF2_COLLECTIVE_ROOT_NONE, 30, 30});
    enter(hand, 965, R_NEIGHBOR);
    leave(hand, 970, R_NEIGHBOR);
    enter(hand, 975, R_FILE);
    leave(hand, 980, R_FILE);
    enter(hand, 985, R_IRECV);
    ok(OTF2_EvtWriter_MpiIrecvRequest(hand->out, NULL, at(hand, 986), 999));
    leave(hand, 990, R_IRECV);
    enter(hand, 991, R_IRECV);
    ok(OTF2_EvtWriter_MpiIrecvRequest(hand->out, NULL, at(hand, 992), 998));
    leave(hand, 993, R_IRECV);
    enter(hand, 994, R_WAITALL);
    ok(OTF2_EvtWriter_MpiRequestCancelled(hand->out, NULL, at(hand, 995), 998));
    leave(hand, 996, R_WAITALL);
}

/* Rank 0 and 1 exchange messages, and call collectives; the order of their calls is that of a
 * program. */
static void write_rank(struct hand *hand, uint32_t rank, const struct otf2_by_hand *sort)
{
    uint32_t other = 1 - rank;
    enter(hand, 0, R_MAIN);
    enter(hand, 10, R_INIT);
    if (sort->next_thread > 0)
        leave_to_thread(hand, 100, R_INIT, sort->next_thread);
    else
        leave(hand, 100, R_INIT);
    enter(hand, 110, R_COMM_RANK);
    leave(hand, 120, R_COMM_RANK);
    enter(hand, 150, R_IRECV);
    ok(OTF2_EvtWriter_MpiIrecvRequest(hand->out, NULL, at(hand, 151), 900));
    leave(hand, 160, R_IRECV);
    enter(hand, 200, R_ISEND);
    ok(OTF2_EvtWriter_MpiIsend(hand->out, NULL, at(hand, 201), other,
                               sort->with_foreign_comm ? 99 : WORLD, 5, 64, 901));
    leave(hand, 210, R_ISEND);
    enter(hand, 400, R_WAITALL);
    ok(OTF2_EvtWriter_MpiIrecv(hand->out, NULL, at(hand, 480), other, WORLD, 5, 64, 900));
    ok(OTF2_EvtWriter_MpiIsendComplete(hand->out, NULL, at(hand, 490), 901));
    leave(hand, 500, R_WAITALL);
    write_collective(
        hand, 600, 700, R_ALLREDUCE,
        (struct moved){OTF2_COLLECTIVE_OP_ALLREDUCE, OTF2_COLLECTIVE_ROOT_NONE, 16, 16});
    enter(hand, 710, R_IBARRIER);
    ok(OTF2_EvtWriter_NonBlockingCollectiveRequest(hand->out, NULL, at(hand, 710), 902));
    leave(hand, 715, R_IBARRIER);
    enter(hand, 800, R_WAITALL);
    ok(OTF2_EvtWriter_NonBlockingCollectiveComplete(hand->out, NULL, at(hand, 850),
                                                    OTF2_COLLECTIVE_OP_BARRIER, WORLD,
                                                    OTF2_COLLECTIVE_ROOT_NONE, 0, 0, 902));
    leave(hand, 850, R_WAITALL);
    write_collective(hand, 860, 870, R_BCAST,
                     (struct moved){OTF2_COLLECTIVE_OP_BCAST, 1, rank == 1 ? 200 : 0, 100});
    enter(hand, 880, R_PUT);
    ok(OTF2_EvtWriter_RmaPut(hand->out, NULL, at(hand, 881), 0, other, 8, 1));
    leave(hand, 890, R_PUT);
    enter(hand, 900, rank == 0 ? R_SSEND : R_RECV);
    if (rank == 0)
        ok(OTF2_EvtWriter_MpiSend(hand->out, NULL, at(hand, 901), 1, WORLD, 6, 8));
    else
        ok(OTF2_EvtWriter_MpiRecv(hand->out, NULL, at(hand, 940), 0, WORLD, 6, 8));
    leave(hand, 950, rank == 0 ? R_SSEND : R_RECV);
    if (sort->with_gaps) {
        write_gaps(hand);
    } else {
        enter(hand, 960, R_FINALIZE);
        leave(hand, 1000, R_FINALIZE);
    }
    leave(hand, END_US, R_MAIN);
}

static uint32_t next_string(OTF2_GlobalDefWriter *to, uint32_t *n, const char *text)
{
    ok(OTF2_GlobalDefWriter_WriteString(to, *n, text));
    return (*n)++;
}

static void write_definitions(struct hand *hand, const uint64_t *n_events,
                              const struct otf2_by_hand *sort)
{
    static const uint64_t ranks[] = {0, 1}, half[] = {1};
    OTF2_Paradigm paradigm = sort->without_mpi ? OTF2_PARADIGM_PTHREAD : OTF2_PARADIGM_MPI;
    OTF2_GlobalDefWriter *to = OTF2_Archive_GetGlobalDefWriter(hand->archive);
    uint32_t n = 0, none;
    ok(OTF2_GlobalDefWriter_WriteClockProperties(to, RESOLUTION, OFFSET, 1010,
                                                 OTF2_UNDEFINED_TIMESTAMP));
    none = next_string(to, &n, "");
    uint32_t n_regions = sort->with_gaps ? R_FINALIZE : N_REGIONS;
    for (uint32_t r = 0; r < n_regions; r++)
        ok(OTF2_GlobalDefWriter_WriteRegion(
            to, r, next_string(to, &n, region_names[r]), none, none, OTF2_REGION_ROLE_FUNCTION,
            r == R_MAIN ? OTF2_PARADIGM_COMPILER : paradigm, OTF2_REGION_FLAG_NONE, none, 0, 0));
    if (sort->next_thread > 0)
        ok(OTF2_GlobalDefWriter_WriteAttribute(to, THREAD_ATTRIBUTE,
                                               next_string(to, &n, "crosstalk::thread"), none,
                                               OTF2_TYPE_UINT64));
    ok(OTF2_GlobalDefWriter_WriteSystemTreeNode(to, 0, none, none,
                                                OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        ok(OTF2_GlobalDefWriter_WriteLocationGroup(to, rank, none, OTF2_LOCATION_GROUP_TYPE_PROCESS,
                                                   0, OTF2_UNDEFINED_LOCATION_GROUP));
        ok(OTF2_GlobalDefWriter_WriteLocation(to, rank, none, OTF2_LOCATION_TYPE_CPU_THREAD,
                                              n_events[rank], rank));
    }
    if (sort->with_thread)
        ok(OTF2_GlobalDefWriter_WriteLocation(to, THREAD, none, OTF2_LOCATION_TYPE_CPU_THREAD, 1,
                                              0));
    ok(OTF2_GlobalDefWriter_WriteGroup(to, GROUP_LOCATIONS, none, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                       paradigm, OTF2_GROUP_FLAG_NONE, RANKS, ranks));
    ok(OTF2_GlobalDefWriter_WriteGroup(to, GROUP_WORLD, none, OTF2_GROUP_TYPE_COMM_GROUP, paradigm,
                                       OTF2_GROUP_FLAG_NONE, RANKS, ranks));
    ok(OTF2_GlobalDefWriter_WriteGroup(to, GROUP_HALF, none, OTF2_GROUP_TYPE_COMM_GROUP, paradigm,
                                       OTF2_GROUP_FLAG_NONE, 1, half));
    ok(OTF2_GlobalDefWriter_WriteComm(to, WORLD, none, GROUP_WORLD, OTF2_UNDEFINED_COMM,
                                      OTF2_COMM_FLAG_NONE));
    ok(OTF2_GlobalDefWriter_WriteComm(to, HALF, none, GROUP_HALF, WORLD, OTF2_COMM_FLAG_NONE));
    ok(OTF2_Archive_CloseGlobalDefWriter(hand->archive, to));
}

static void write_local_definitions(struct hand *hand, const struct otf2_by_hand *sort)
{
    ok(OTF2_Archive_OpenDefFiles(hand->archive));
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        OTF2_DefWriter *local = OTF2_Archive_GetDefWriter(hand->archive, rank);
        uint64_t first = late_of(sort, rank, false), last = late_of(sort, rank, true);
        int64_t more = sort->with_clock_back && rank == 1 ? 2000 : 0;
        /* Times are those of the location's own clock. */
        ok(OTF2_DefWriter_WriteClockOffset(local, OFFSET - first, (int64_t)first + more, 0));
        ok(OTF2_DefWriter_WriteClockOffset(local, OFFSET + END_US - last, (int64_t)last, 0));
        ok(OTF2_Archive_CloseDefWriter(hand->archive, local));
    }
    ok(OTF2_Archive_CloseDefFiles(hand->archive));
}

void otf2_write_by_hand(const char *directory, const struct otf2_by_hand *sort)
{
    static const OTF2_FlushCallbacks callbacks = {.otf2_pre_flush = flush};
    struct hand hand = {.archive = OTF2_Archive_Open(directory, "traces", OTF2_FILEMODE_WRITE,
                                                     1 << 20, 4 << 20, OTF2_SUBSTRATE_POSIX,
                                                     OTF2_COMPRESSION_NONE)};
    uint64_t n_events[RANKS];
    assert_non_null(hand.archive);
    ok(OTF2_Archive_SetFlushCallbacks(hand.archive, &callbacks, NULL));
    ok(OTF2_Archive_SetSerialCollectiveCallbacks(hand.archive));
    ok(OTF2_Archive_SetCreator(hand.archive, "Score-P 8.4"));
    ok(OTF2_Archive_OpenEvtFiles(hand.archive));
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        hand.out = OTF2_Archive_GetEvtWriter(hand.archive, rank);
        hand.late = late_of(sort, rank, false);
        hand.later = late_of(sort, rank, true);
        write_rank(&hand, rank, sort);
        ok(OTF2_EvtWriter_GetNumberOfEvents(hand.out, &n_events[rank]));
        ok(OTF2_Archive_CloseEvtWriter(hand.archive, hand.out));
    }
    ok(OTF2_Archive_CloseEvtFiles(hand.archive));
    write_local_definitions(&hand, sort);
    write_definitions(&hand, n_events, sort);
    ok(OTF2_Archive_Close(hand.archive));
}
