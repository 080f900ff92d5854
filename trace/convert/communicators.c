#include "trace/convert/communicators.h"

#include "core/array.h"
#include "core/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void free_comm(struct ct_comm *comm)
{
    if (comm->owns_values)
        free((void *)(uintptr_t)comm->values);
    ct_ranks_free(&comm->group);
}

static void free_instances(struct ct_comm *comm)
{
    for (size_t i = 0; i < comm->n_instances; i++)
        free(comm->instances[i].blocks);
    comm->n_instances = 0;
}

bool ct_comm_is_even(const struct ct_comm *comm)
{
    return comm->n_calls == (uint64_t)comm->n_instances * comm->group.n;
}

void ct_comms_forget_calls(struct ct_comms *comms)
{
    for (size_t c = 0; c < comms->n; c++) {
        struct ct_comm *comm = &comms->comms[c];
        comm->n_forgotten += (uint32_t)comm->n_instances;
        comm->n_calls = 0;
        free_instances(comm);
    }
}

void ct_comms_free(struct ct_comms *comms)
{
    for (size_t c = 0; c < comms->n; c++) {
        struct ct_comm *comm = &comms->comms[c];
        free_instances(comm);
        free(comm->instances);
        free_comm(comm);
    }
    free(comms->comms);
    free(comms->keys);
    ct_map_free(&comms->numbers);
    ct_map_free(&comms->tags);
    *comms = (struct ct_comms){0};
}

/* ---- communicators ---- */

static bool is_same(const struct ct_comm *comm, const struct ct_trace_event *event)
{
    if (comm->ordinal != event->ordinal || comm->n_values != event->n_values)
        return false;
    return (comm->values == event->values && event->list != 0) ||
           memcmp(comm->values, event->values, event->n_values * sizeof *event->values) == 0;
}

/* All ranks in their order; communicators with the same members come later. */
static bool is_world(const struct ct_comms *comms, const struct ct_comm *comm)
{
    const struct ct_ranks *group = &comm->group;
    return comm->ordinal == 0 && group->n == comms->n_ranks && !group->ranks && group->first == 0 &&
           group->stride == 1;
}

static enum ct_status make_comm(const struct ct_comms *comms, const struct ct_trace_event *event,
                                struct ct_comm *comm_p, struct ct_error *err)
{
    struct ct_comm comm = {
        .ordinal = event->ordinal, .values = event->values, .n_values = event->n_values};
    enum ct_status status =
        ct_ranks_make(event->values, event->n_values, comms->n_ranks, &comm.group, err);
    if (status != CT_OK)
        return status;
    comm.is_world = is_world(comms, &comm);
    if (event->list == 0) {
        uint64_t *values = malloc(event->n_values * sizeof *values);
        if (!values) {
            free_comm(&comm);
            return ct_no_memory(err, "traces");
        }
        memcpy(values, event->values, event->n_values * sizeof *values);
        comm.values = values;
        comm.owns_values = true;
    }
    *comm_p = comm;
    return CT_OK;
}

enum ct_status ct_comms_add(struct ct_comms *comms, const struct ct_trace_event *event,
                            uint32_t *comm_p, struct ct_error *err)
{
    uint64_t hash = event->list ? event->list : ct_hash_numbers(event->values, event->n_values);
    const uint64_t both[] = {hash, event->ordinal};
    uint64_t key = ct_hash_numbers(both, sizeof both / sizeof *both);
    struct ct_comm added;
    uint32_t found;
    for (size_t at = 0; (found = (uint32_t)ct_map_next(&comms->numbers, key, &at)) != 0;) {
        if (is_same(&comms->comms[found - 1], event)) {
            *comm_p = found - 1;
            return CT_OK;
        }
    }
    enum ct_status status = make_comm(comms, event, &added, err);
    if (status != CT_OK)
        return status;
    if (!CT_ARRAY_RESERVE(comms->comms, comms->room, comms->n + 1) ||
        !ct_map_add(&comms->numbers, key, comms->n + 1)) {
        free_comm(&added);
        return ct_no_memory(err, "traces");
    }
    *comm_p = (uint32_t)comms->n;
    comms->comms[comms->n++] = added;
    return CT_OK;
}

void ct_comm_describe(const struct ct_comm *comm, char text[CT_COMM_TEXT_MAX])
{
    enum { SHOWN = 4 };
    int at = snprintf(text, CT_COMM_TEXT_MAX, "ranks");
    for (uint32_t i = 0; i < comm->group.n && i < SHOWN; i++)
        at += snprintf(text + at, CT_COMM_TEXT_MAX - (size_t)at, " %u",
                       ct_ranks_rank(&comm->group, i));
    if (comm->group.n > SHOWN)
        snprintf(text + at, CT_COMM_TEXT_MAX - (size_t)at, " ... (%u)", comm->group.n);
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
    const struct ct_comm *comm = &comms->comms[key >> KEY_COMM_SHIFT & (KEY_COMMS_MAX - 1)];
    ct_comm_describe(comm, members);
    if (key >> KEY_USE_SHIFT == CT_TAG_COLLECTIVE)
        snprintf(text, CT_TAG_TEXT_MAX, "collective call %u of the communicator of %s",
                 comm->n_forgotten + number + 1, members);
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
        !ct_ranks_find(&comm->group, event->root, &instance.root))
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
                   ct_ranks_rank(&comm->group, instance->root), comms->position_unit,
                   instance->first_position, comm->n_forgotten + call.instance + 1, members);
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
    if (listed && event->n_values != comm->group.n)
        return ct_fail(err, CT_EFORMAT, "%s with %zu blocks for %u members",
                       ct_trace_kind_text(event->kind), event->n_values, comm->group.n);
    enum ct_status status = is_first ? add_instance(comm, call, event, err) : CT_OK;
    if (status != CT_OK)
        return status;
    struct ct_instance *instance = &comm->instances[call.instance];
    comm->n_calls++;
    same = event->kind == instance->kind;
    if (same && ct_trace_kind_fields(event->kind) & CT_TRACE_ROOT)
        same = ct_ranks_rank(&comm->group, instance->root) == event->root;
    if (same && !has_own_blocks(event->kind))
        same = event->bytes == instance->bytes;
    if (same && has_own_blocks(event->kind))
        status = take_block(instance, comm->group.n, call.member, event->bytes, err);
    if (same && event->kind == CT_TRACE_ALLTOALLV)
        status = take_row(instance, comm->group.n, call.member, event, err);
    if (same && event->kind == CT_TRACE_REDUCE_SCATTER)
        status = take_blocks(instance, comm->group.n, is_first, event, &same, err);
    return same ? status : fail_differing(comms, comm, instance, call, event, err);
}
