/* The definitions of an archive, as far as MPI needs them. */
#pragma once

#include "core/map.h"
#include "trace/format.h"
#include "trace/otf2/attributes.h"

#include <otf2/otf2.h>

/* Kinds of regions. */
enum ct_otf2_call {
    CT_OTF2_NO_MPI,
    CT_OTF2_MPI, /* its records define it */
    CT_OTF2_INIT,
    CT_OTF2_FINALIZE,
    CT_OTF2_WAIT,
    CT_OTF2_TEST,
    CT_OTF2_PROBE,
    CT_OTF2_CANCEL,
    CT_OTF2_FREE,
    CT_OTF2_SEND_INIT,
    CT_OTF2_RECEIVE_INIT,
    CT_OTF2_COMM, /* makes a communicator: time only */
    CT_OTF2_NEIGHBOR,
    CT_OTF2_WITHOUT_MODEL
};

struct ct_otf2_region {
    OTF2_StringRef name_ref, description_ref;
    bool is_mpi;
    const char *name; /* of the strings */
    enum ct_otf2_call call;
    enum ct_trace_mode mode; /* of sends */
    bool communicates;       /* CT_OTF2_MPI: without records something is missing */
};

struct ct_otf2_group {
    OTF2_GroupType type;
    OTF2_Paradigm paradigm;
    bool has_global_ranks;
    uint64_t *members; /* [n], owned */
    uint32_t n;
    uint64_t *runs; /* [n_runs] the same, as trace/ranks.h has it; likewise */
    size_t n_runs;
    uint64_t hash; /* of them */
};

struct ct_otf2_comm {
    OTF2_GroupRef group_ref;
    const struct ct_otf2_group *group; /* NULL: not of one group of MPI */
    bool is_self;
    bool is_inter;    /* between two groups */
    uint32_t number;  /* in events */
    uint64_t ordinal; /* among those with the same members */
};

struct ct_otf2_location {
    OTF2_LocationRef self;
    OTF2_LocationGroupRef group;
    uint64_t n_events;
};

struct ct_otf2_named_attribute {
    OTF2_AttributeRef self;
    OTF2_StringRef name_ref;
};

/* What is defined of a kind; of_ref: reference -> index + 1, of kinds that others refer to. */
#define CT_OTF2_LIST(type)                                                                         \
    struct {                                                                                       \
        type *item;                                                                                \
        size_t n, room;                                                                            \
        struct ct_map of_ref;                                                                      \
    }

/* All that is defined globally. */
struct ct_otf2_definitions {
    CT_OTF2_LIST(char *) strings;
    CT_OTF2_LIST(struct ct_otf2_region) regions;
    CT_OTF2_LIST(struct ct_otf2_group) groups;
    CT_OTF2_LIST(struct ct_otf2_comm) comms;
    CT_OTF2_LIST(struct ct_otf2_location) locations;
    CT_OTF2_LIST(struct ct_otf2_named_attribute) named_attributes;
    OTF2_AttributeRef attributes[CT_OTF2_N_ATTRIBUTES];
    bool has_attribute[CT_OTF2_N_ATTRIBUTES];
    uint64_t resolution, offset; /* ticks a second; 0: no clock; first tick */
    uint64_t realtime_ns;        /* of that tick, since 1970; OTF2_UNDEFINED_TIMESTAMP: not known */
    const struct ct_otf2_group *ranks; /* members: locations */
    /* Locations of the threads of rank 0, then of rank 1, ...; only crosstalk tells the order of
     * their events, so other archives have one thread a rank. */
    struct ct_otf2_location *threads; /* [first_threads[ranks->n]] */
    uint32_t *first_threads;          /* [ranks->n + 1] */
    uint32_t n_other_locations;       /* with events */
    bool by_crosstalk;                /* who wrote it */
    bool sizes_are_known; /* its writer is known to give sizes of collectives as sums (sizes.h) */
    bool has_finalize, failed; /* failed: out of memory */
};

/*
 * Read all global definitions.
 * CT_OK; CT_EFORMAT; CT_ENODATA (no MPI); CT_EUNSUPPORTED; CT_ENOMEM
 */
enum ct_status ct_otf2_read_definitions(OTF2_Reader *reader,
                                        struct ct_otf2_definitions *definitions_p,
                                        struct ct_error *err);
void ct_otf2_free_definitions(struct ct_otf2_definitions *all);

/* Threads of a rank. */
static inline uint32_t ct_otf2_n_threads(const struct ct_otf2_definitions *all, uint32_t rank)
{
    return all->first_threads[rank + 1] - all->first_threads[rank];
}
static inline const struct ct_otf2_location *
ct_otf2_location_of(const struct ct_otf2_definitions *all, uint32_t rank, uint32_t thread)
{
    return &all->threads[all->first_threads[rank] + thread];
}

/* NULL: there is none of that reference */
const struct ct_otf2_region *ct_otf2_find_region(const struct ct_otf2_definitions *all,
                                                 OTF2_RegionRef ref);
const struct ct_otf2_comm *ct_otf2_find_comm(const struct ct_otf2_definitions *all,
                                             OTF2_CommRef ref);
const char *ct_otf2_find_string(const struct ct_otf2_definitions *all, OTF2_StringRef ref);

/* Rank of MPI_COMM_WORLD of a member; false: there is none. */
bool ct_otf2_rank_of(const struct ct_otf2_comm *comm, uint32_t rank, uint32_t member,
                     uint32_t *world_p);
/* Place of a rank among the members; false: it is none. */
bool ct_otf2_member_of(const struct ct_otf2_comm *comm, uint32_t rank, uint32_t *member_p);
uint32_t ct_otf2_size_of(const struct ct_otf2_comm *comm);

/* Keep the library from printing errors; crosstalk prints its own. */
void ct_otf2_keep_quiet(void);

/* A function of the library failed. CT_EFORMAT; CT_EIO; CT_ENOMEM */
enum ct_status ct_otf2_fail(OTF2_ErrorCode code, const char *what, struct ct_error *err);
