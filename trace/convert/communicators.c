#include "trace/convert/communicators.h"

#include "core/array.h"
#include "core/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ct_comms_free(struct ct_comms *comms)
{
    for (size_t c = 0; c < comms->n; c++) {
        struct ct_comm *comm = &comms->comms[c];
        for (size_t i = 0; i < comm->n_instances; i++)
            free(comm->instances[i].blocks);
        free(comm->instances);
        free(comm->members);
    }
    free(comms->comms);
    free(comms->keys);
    ct_map_free(&comms->tags);
    *comms = (struct ct_comms){0};
}

/* ---- communicators ---- */

static bool is_same(const struct ct_comm *comm, uint64_t hash, const uint64_t *values, size_t n)
{
    if (comm->hash != hash || comm->n != n - 1 || comm->ordinal != values[0])
        return false;
    for (size_t i = 0; i + 1 < n; i++)
        if (comm->members[i] != values[i + 1])
            return false;
    return true;
}

/* Ranks that there are, each once. */
static enum ct_status check_members(const struct ct_comms *comms, const uint64_t *members, size_t n,
                                    struct ct_error *err)
{
    enum ct_status status = CT_OK;
    if (n < 1 || n > comms->n_ranks)
        return ct_fail(err, CT_EFORMAT, "a communicator of %zu ranks, of %u", n, comms->n_ranks);
    bool *seen = calloc(comms->n_ranks, sizeof *seen);
    if (!seen)
        return ct_no_memory(err, "traces");
    for (size_t i = 0; i < n && status == CT_OK; i++) {
        if (members[i] >= comms->n_ranks || seen[members[i]])
            status = ct_fail(err, CT_EFORMAT,
                             "rank %" PRIu64 " in a communicator, %s; there are ranks 0 to %u",
                             members[i], members[i] >= comms->n_ranks ? "which is none" : "twice",
                             comms->n_ranks - 1);
        else
            seen[members[i]] = true;
    }
    free(seen);
    return status;
}

/* All ranks in their order; communicators with the same members come later. */
static bool is_world(const struct ct_comms *comms, const struct ct_comm *comm)
{
    if (comm->ordinal != 0 || comm->n != comms->n_ranks)
        return false;
    for (uint32_t i = 0; i < comm->n; i++)
        if (comm->members[i] != i)
            return false;
    return true;
}

enum ct_status ct_comms_add(struct ct_comms *comms, const uint64_t *values, size_t n_values,
                            uint32_t *comm_p, struct ct_error *err)
{
    if (n_values < 2)
        return ct_fail(err, CT_EFORMAT, "a communicator without members");
    uint64_t hash = ct_hash_numbers(values, n_values);
    for (size_t c = 0; c < comms->n; c++) {
        if (is_same(&comms->comms[c], hash, values, n_values)) {
            *comm_p = (uint32_t)c;
            return CT_OK;
        }
    }
    enum ct_status status = check_members(comms, values + 1, n_values - 1, err);
    if (status != CT_OK)
        return status;
    if (!CT_ARRAY_RESERVE(comms->comms, comms->room, comms->n + 1))
        return ct_no_memory(err, "traces");
    struct ct_comm comm = {.ordinal = values[0], .n = (uint32_t)(n_values - 1), .hash = hash};
    comm.members = malloc(comm.n * sizeof *comm.members);
    if (!comm.members)
        return ct_no_memory(err, "traces");
    for (uint32_t i = 0; i < comm.n; i++)
        comm.members[i] = (uint32_t)values[i + 1];
    comm.is_world = is_world(comms, &comm);
    *comm_p = (uint32_t)comms->n;
    comms->comms[comms->n++] = comm;
    return CT_OK;
}

bool ct_comm_member(const struct ct_comm *comm, uint32_t rank, uint32_t *member_p)
{
    /* Members mostly follow one another: of the world, a rank is the member of that number. */
    uint32_t guess = rank - comm->members[0];
    if (guess < comm->n && comm->members[guess] == rank) {
        *member_p = guess;
        return true;
    }
    for (uint32_t i = 0; i < comm->n; i++) {
        if (comm->members[i] == rank) {
            *member_p = i;
            return true;
        }
    }
    return false;
}

void ct_comm_describe(const struct ct_comm *comm, char text[CT_COMM_TEXT_MAX])
{
    enum { SHOWN = 4 };
    int at = snprintf(text, CT_COMM_TEXT_MAX, "ranks");
    for (uint32_t i = 0; i < comm->n && i < SHOWN; i++)
        at += snprintf(text + at, CT_COMM_TEXT_MAX - (size_t)at, " %u", comm->members[i]);
    if (comm->n > SHOWN)
        snprintf(text + at, CT_COMM_TEXT_MAX - (size_t)at, " ... (%u)", comm->n);
}

/* ---- tags ---- */

enum { NUMBERED_TAGS = 1 << 30 };

enum { KEY_USE_SHIFT = 62, KEY_COMM_SHIFT = 32, KEY_COMMS_MAX = 1 << 30 };

enum ct_status ct_comms_tag(struct ct_comms *comms, enum ct_tag_use use, uint32_t comm,
                            uint32_t number, int32_t *tag_p, struct ct_error *err)
{
    if (use == CT_TAG_MESSAGE && number < NUMBERED_TAGS && comms->comms[comm].is_world) {
        *tag_p = (int32_t)number;
        return CT_OK;
    }
    uint64_t key = (uint64_t)use << KEY_USE_SHIFT | (uint64_t)comm << KEY_COMM_SHIFT | number;
    uint32_t found = ct_map_find(&comms->tags, key);
    if (found == 0) {
        if (comms->n_keys == NUMBERED_TAGS - 1 || comm >= KEY_COMMS_MAX)
            return ct_fail(err, CT_EUNSUPPORTED, "more than 2^30 tags and collective calls");
        if (!CT_ARRAY_RESERVE(comms->keys, comms->room_keys, comms->n_keys + 1))
            return ct_no_memory(err, "traces");
        comms->keys[comms->n_keys++] = key;
        found = (uint32_t)comms->n_keys;
        if (!ct_map_add(&comms->tags, key, found))
            return ct_no_memory(err, "traces");
    }
    *tag_p = NUMBERED_TAGS + (int32_t)(found - 1);
    return CT_OK;
}

void ct_comms_describe_tag(const struct ct_comms *comms, int32_t tag, char text[CT_TAG_TEXT_MAX])
{
    char members[CT_COMM_TEXT_MAX];
    if (tag < NUMBERED_TAGS) {
        snprintf(text, CT_TAG_TEXT_MAX, "tag %d", tag);
        return;
    }
    uint64_t key = comms->keys[tag - NUMBERED_TAGS];
    uint32_t number = (uint32_t)key;
    ct_comm_describe(&comms->comms[key >> KEY_COMM_SHIFT & (KEY_COMMS_MAX - 1)], members);
    if (key >> KEY_USE_SHIFT == CT_TAG_COLLECTIVE)
        snprintf(text, CT_TAG_TEXT_MAX, "collective call %u of the communicator of %s", number + 1,
                 members);
    else
        snprintf(text, CT_TAG_TEXT_MAX, "tag %u of the communicator of %s", number, members);
}

/* ---- collective calls ---- */

static enum ct_status add_instance(struct ct_comm *comm, struct ct_comm_call call,
                                   const struct ct_trace_event *event, struct ct_error *err)
{
    struct ct_instance instance = {.kind = event->kind,
                                   .first_rank = call.rank,
                                   .first_position = call.position,
                                   .bytes = event->bytes};
    if (ct_trace_kind_fields(event->kind) & CT_TRACE_ROOT &&
        !ct_comm_member(comm, event->root, &instance.root))
        return ct_fail(err, CT_EFORMAT, "root %u of a %s is no member of its communicator",
                       event->root, ct_trace_kind_text(event->kind));
    if (!CT_ARRAY_RESERVE(comm->instances, comm->room_instances, comm->n_instances + 1))
        return ct_no_memory(err, "traces");
    comm->instances[comm->n_instances++] = instance;
    return CT_OK;
}

static enum ct_status fail_differing(const struct ct_comms *comms, const struct ct_comm *comm,
                                     const struct ct_instance *instance, struct ct_comm_call call,
                                     const struct ct_trace_event *event, struct ct_error *err)
{
    char members[CT_COMM_TEXT_MAX];
    ct_comm_describe(comm, members);
    return ct_fail(err, CT_EFORMAT,
                   "%s of %" PRIu64 " B and root %u, where rank %u calls %s of %" PRIu64
                   " B and root %u in its %s %" PRIu64 "; collective call %u of the communicator "
                   "of %s",
                   ct_trace_kind_text(event->kind), event->bytes, event->root, instance->first_rank,
                   ct_trace_kind_text(instance->kind), instance->bytes,
                   comm->members[instance->root], comms->position_unit, instance->first_position,
                   call.instance + 1, members);
}

/* All blocks as they are so far, to be distinguished from now on. */
static enum ct_status split_blocks(struct ct_instance *instance, uint32_t n, struct ct_error *err)
{
    instance->blocks = malloc(n * sizeof *instance->blocks);
    if (!instance->blocks)
        return ct_no_memory(err, "traces");
    for (uint32_t i = 0; i < n; i++)
        instance->blocks[i] = instance->bytes;
    return CT_OK;
}

/* gather, scatter, allgather: each member knows its own block. */
static enum ct_status take_block(struct ct_instance *instance, uint32_t n, uint32_t member,
                                 uint64_t bytes, struct ct_error *err)
{
    if (!instance->blocks && bytes != instance->bytes && split_blocks(instance, n, err) != CT_OK)
        return CT_ENOMEM;
    if (instance->blocks)
        instance->blocks[member] = bytes;
    return CT_OK;
}

/* alltoallv: each member knows what it sends. */
static enum ct_status take_row(struct ct_instance *instance, uint32_t n, uint32_t member,
                               const struct ct_trace_event *event, struct ct_error *err)
{
    if (!instance->blocks)
        instance->blocks = calloc((size_t)n * n, sizeof *instance->blocks);
    if (!instance->blocks)
        return ct_no_memory(err, "traces");
    memcpy(instance->blocks + (size_t)member * n, event->values, n * sizeof *instance->blocks);
    return CT_OK;
}

/* reduce_scatter: all members know all blocks. Sets *same_p. */
static enum ct_status take_blocks(struct ct_instance *instance, uint32_t n, bool is_first,
                                  const struct ct_trace_event *event, bool *same_p,
                                  struct ct_error *err)
{
    bool equal = true;
    if (!is_first) {
        for (uint32_t i = 0; i < n && *same_p; i++)
            *same_p =
                event->values[i] == (instance->blocks ? instance->blocks[i] : instance->bytes / n);
        return CT_OK;
    }
    for (uint32_t i = 0; i < n; i++)
        equal = equal && event->values[i] == event->bytes / n;
    if (equal && event->bytes % n == 0)
        return CT_OK;
    instance->blocks = malloc(n * sizeof *instance->blocks);
    if (!instance->blocks)
        return ct_no_memory(err, "traces");
    memcpy(instance->blocks, event->values, n * sizeof *instance->blocks);
    return CT_OK;
}

static bool has_own_blocks(enum ct_trace_kind kind)
{
    return kind == CT_TRACE_GATHER || kind == CT_TRACE_SCATTER || kind == CT_TRACE_ALLGATHER;
}

enum ct_status ct_comms_call(struct ct_comms *comms, struct ct_comm_call call,
                             const struct ct_trace_event *event, struct ct_error *err)
{
    struct ct_comm *comm = &comms->comms[call.comm];
    bool listed = event->kind == CT_TRACE_ALLTOALLV || event->kind == CT_TRACE_REDUCE_SCATTER;
    bool is_first = call.instance == comm->n_instances, same = true;
    if (listed && event->n_values != comm->n)
        return ct_fail(err, CT_EFORMAT, "%s with %zu blocks for %u members",
                       ct_trace_kind_text(event->kind), event->n_values, comm->n);
    enum ct_status status = is_first ? add_instance(comm, call, event, err) : CT_OK;
    if (status != CT_OK)
        return status;
    struct ct_instance *instance = &comm->instances[call.instance];
    same = event->kind == instance->kind;
    if (same && ct_trace_kind_fields(event->kind) & CT_TRACE_ROOT)
        same = comm->members[instance->root] == event->root;
    if (same && !has_own_blocks(event->kind))
        same = event->bytes == instance->bytes;
    if (same && has_own_blocks(event->kind))
        status = take_block(instance, comm->n, call.member, event->bytes, err);
    if (same && event->kind == CT_TRACE_ALLTOALLV)
        status = take_row(instance, comm->n, call.member, event, err);
    if (same && event->kind == CT_TRACE_REDUCE_SCATTER)
        status = take_blocks(instance, comm->n, is_first, event, &same, err);
    return same ? status : fail_differing(comms, comm, instance, call, event, err);
}
