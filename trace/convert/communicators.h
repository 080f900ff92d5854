/*
 * Communicators, tags, and the collective calls on each communicator; the calls of its members are
 * checked against each other as they are read.
 */
#pragma once

#include "core/map.h"
#include "trace/format.h"
#include "trace/ranks.h"

/* The k-th collective call on a communicator, as its members made it. */
struct ct_instance {
    enum ct_trace_kind kind;
    uint32_t root;           /* member */
    uint32_t first_rank;     /* whose call came first, for messages */
    uint64_t first_position; /* of it */
    uint64_t bytes;          /* see CT_TRACE_KIND_MAP; of the first call */
    /* Unequal blocks, by member; NULL: `bytes` each. alltoallv: [from * n + to]. */
    uint64_t *blocks;
};

struct ct_comm {
    uint64_t ordinal; /* among those with the same members */
    struct ct_ranks group;
    bool is_world;          /* MPI_COMM_WORLD */
    const uint64_t *values; /* [n_values] of its event */
    size_t n_values;
    bool owns_values;
    struct ct_instance *instances; /* [n_instances] */
    size_t n_instances, room_instances;
    uint64_t n_calls;     /* of all members together, of these instances */
    uint32_t n_forgotten; /* instances before these */
};

struct ct_comms {
    uint32_t n_ranks;
    const char *position_unit; /* of the source, borrowed */
    struct ct_comm *comms;
    size_t n, room;
    struct ct_map numbers; /* hash of the group and the ordinal -> index in comms + 1 */
    struct ct_map tags;    /* key of a tag -> its index in keys + 1 */
    uint64_t *keys;
    size_t n_keys, room_keys;
};

void ct_comms_free(struct ct_comms *comms);

/*
 * Find or add the communicator of a "comm" event, whose ranks are checked.
 * CT_OK; CT_EFORMAT (as of ct_ranks_make()); CT_ENOMEM
 */
enum ct_status ct_comms_add(struct ct_comms *comms, const struct ct_trace_event *event,
                            uint32_t *comm_p, struct ct_error *err);

/* Whether all members have made all calls of a communicator that any of them has. */
bool ct_comm_is_even(const struct ct_comm *comm);

/* The calls of all communicators so far are needed no more: the next one is instance 0 again. */
void ct_comms_forget_calls(struct ct_comms *comms);

/* Members, for messages: "ranks 0 2 4 ... (8)". */
enum { CT_COMM_TEXT_MAX = 80 };
void ct_comm_describe(const struct ct_comm *comm, char text[CT_COMM_TEXT_MAX]);

/* What a tag of the schedule is for. */
enum ct_tag_use { CT_TAG_MESSAGE, CT_TAG_COLLECTIVE, CT_TAG_ACKNOWLEDGE, CT_TAG_ACCESS };

/*
 * A tag of the schedule. Tags of messages in MPI_COMM_WORLD do not change; all others get numbers
 * from 2^30 on. number: MESSAGE: the tag, >= 0; COLLECTIVE: the instance; ACKNOWLEDGE: tag of the
 * schedule of the message (comm is 0); ACCESS: 0 there, 1 back. CT_OK; CT_EUNSUPPORTED (more than
 * 2^30 of them); CT_ENOMEM
 */
enum ct_status ct_comms_tag(struct ct_comms *comms, enum ct_tag_use use, uint32_t comm,
                            uint32_t number, int32_t *tag_p, struct ct_error *err);

/* For messages: "tag 5", "tag 5 of the communicator of ranks 0 2 4 6 (4)". */
enum { CT_TAG_TEXT_MAX = 160 };
void ct_comms_describe_tag(const struct ct_comms *comms, int32_t tag, char text[CT_TAG_TEXT_MAX]);

/* A rank's call: which one of the communicator's it is, counted by the caller. */
struct ct_comm_call {
    uint32_t comm, instance;
    uint32_t rank, member;
    uint64_t position;
};

/*
 * Compare a call with those of the other members. CT_OK; CT_EFORMAT (not what the others called,
 * naming both; a root that is no member, a list of the wrong length); CT_ENOMEM
 */
enum ct_status ct_comms_call(struct ct_comms *comms, struct ct_comm_call call,
                             const struct ct_trace_event *event, struct ct_error *err);
