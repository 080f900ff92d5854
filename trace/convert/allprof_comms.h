/*
 * Communicators of liballprof's form, and their members. A call that makes a communicator has its
 * parent and the address of the new handle, but not the handle itself: allprof_bind.c finds the
 * communicator of a handle when the handle is used.
 */
#pragma once

#include "core/map.h"
#include "trace/convert/allprof_line.h"

/* A line that makes or frees a communicator, or the first after such a one to use a handle. */
struct ct_allprof_record {
    uint64_t line;
    const char *name; /* without "MPI_" */
    enum ct_allprof_does does;
    uint64_t handle, rank, size; /* size 0: none */
    int64_t color, key;
    uint64_t address;
};

/* The communicator of a handle, from a line on. */
struct ct_allprof_binding {
    uint64_t line, handle;
    uint32_t comm;       /* its index in the table + 1; 0: not known */
    uint32_t made;       /* which of the rank's calls made it + 1; 0: none */
    const char *because; /* of comm 0: what is missing in the call; NULL: no call made it */
    const char *name;    /* of the call, without "MPI_" */
    uint64_t because_line;
};

struct ct_allprof_comm {
    uint32_t *members; /* [n] ranks of the program */
    uint32_t n;
    uint64_t *runs; /* [n_runs] the same, as trace/ranks.h has it */
    size_t n_runs;
    uint64_t hash;     /* of them */
    uint32_t *makings; /* calls on it that make others, in order: indices in the list */
    size_t n_makings, room_makings;
};

/* What a member gave to a split, and got. */
struct ct_allprof_member {
    bool has_called;
    int64_t color, key;
    uint32_t rank; /* in the parent */
    uint32_t comm; /* its index + 1; 0: none */
};

/* A call of all members of a communicator that makes others. */
struct ct_allprof_making {
    const char *name;
    enum ct_allprof_does does;
    uint32_t parent;
    uint32_t first_rank; /* whose call came first, for messages */
    uint64_t first_line;
    struct ct_allprof_member *members; /* of a split: [n of the parent] */
    uint32_t n_called;
    bool is_complete;
    uint32_t comm;      /* of those that make one for all: its index + 1; 0: not known yet */
    uint64_t first_use; /* when one of its communicators was found in use; 0: not yet */
};

struct ct_allprof_comms {
    struct ct_allprof_comm *comms; /* the first is MPI_COMM_WORLD */
    size_t n, room;
    struct ct_allprof_making *makings;
    size_t n_makings, room_makings;
    uint32_t *copies; /* of MPI_COMM_WORLD that no call is known for, as each rank counts them */
    size_t n_copies, room_copies;
    uint64_t n_uses;
};

void ct_allprof_comms_free(struct ct_allprof_comms *comms);

/* members: [n]; NULL: ranks 0 to n - 1. *comm_p: its index + 1. */
enum ct_status ct_allprof_comms_add(struct ct_allprof_comms *comms, const uint32_t *members,
                                    uint32_t n, uint32_t *comm_p, struct ct_error *err);

/*
 * Put the k-th call of a rank on a communicator to those of the other members.
 * rank: of the program
 * CT_OK; CT_EFORMAT (others make another call there); CT_ENOMEM
 */
enum ct_status ct_allprof_comms_make(struct ct_allprof_comms *comms, uint32_t parent, size_t k,
                                     uint32_t rank, const struct ct_allprof_record *record,
                                     uint32_t *making_p, struct ct_error *err);

struct ct_allprof_rank;

/* Bind the handles of all ranks, of which the records are read. CT_OK; CT_EFORMAT; CT_ENOMEM */
enum ct_status ct_allprof_bind(struct ct_allprof_comms *comms, struct ct_allprof_rank *ranks,
                               uint32_t n_ranks, struct ct_error *err);
