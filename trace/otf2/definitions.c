#include "trace/otf2/definitions.h"

#include "core/array.h"
#include "core/hash.h"
#include "trace/ranks.h"
#include "trace/unmodelled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum ct_status ct_otf2_fail(OTF2_ErrorCode code, const char *what, struct ct_error *err)
{
    enum ct_status status = code == OTF2_ERROR_MEM_FAULT || code == OTF2_ERROR_MEM_ALLOC_FAILED ||
                                    code == OTF2_ERROR_ENOMEM
                                ? CT_ENOMEM
                            : code == OTF2_ERROR_ENOSPC || code == OTF2_ERROR_EACCES ? CT_EIO
                                                                                     : CT_EFORMAT;
    return ct_fail(err, status, "%s: OTF2: %s", what, OTF2_Error_GetDescription(code));
}

static OTF2_ErrorCode keep_quiet(void *data, const char *file, uint64_t line, const char *function,
                                 OTF2_ErrorCode code, const char *format, va_list values)
{
    (void)data;
    (void)file;
    (void)line;
    (void)function;
    (void)format;
    (void)values;
    return code;
}

void ct_otf2_keep_quiet(void)
{
    OTF2_Error_RegisterCallback(keep_quiet, NULL);
}

/* ---- finding ---- */

const char *ct_otf2_find_string(const struct ct_otf2_definitions *all, OTF2_StringRef ref)
{
    uint32_t found = ct_map_find(&all->strings.of_ref, ref);
    return found ? all->strings.item[found - 1] : NULL;
}

const struct ct_otf2_region *ct_otf2_find_region(const struct ct_otf2_definitions *all,
                                                 OTF2_RegionRef ref)
{
    uint32_t found = ct_map_find(&all->regions.of_ref, ref);
    return found ? &all->regions.item[found - 1] : NULL;
}

const struct ct_otf2_comm *ct_otf2_find_comm(const struct ct_otf2_definitions *all,
                                             OTF2_CommRef ref)
{
    uint32_t found = ct_map_find(&all->comms.of_ref, ref);
    return found ? &all->comms.item[found - 1] : NULL;
}

bool ct_otf2_rank_of(const struct ct_otf2_comm *comm, uint32_t rank, uint32_t member,
                     uint32_t *world_p)
{
    if (comm->is_self) {
        *world_p = rank;
        return member == 0;
    }
    if (comm->group->has_global_ranks) {
        *world_p = member;
        return true;
    }
    if (member >= comm->group->n || comm->group->members[member] > UINT32_MAX)
        return false;
    *world_p = (uint32_t)comm->group->members[member];
    return true;
}

bool ct_otf2_member_of(const struct ct_otf2_comm *comm, uint32_t rank, uint32_t *member_p)
{
    *member_p = 0;
    if (comm->is_self)
        return true;
    const struct ct_otf2_group *group = comm->group;
    if (rank < group->n && group->members[rank] == rank) {
        *member_p = rank;
        return true;
    }
    for (uint32_t i = 0; i < group->n; i++) {
        if (group->members[i] == rank) {
            *member_p = i;
            return true;
        }
    }
    return false;
}

uint32_t ct_otf2_size_of(const struct ct_otf2_comm *comm)
{
    return comm->is_self ? 1 : comm->group->n;
}

/* ---- callbacks: what is defined, as it comes ---- */

/* A new element of a list; macros, for the lists are of several types. */
#define APPEND(all, list, ...)                                                                     \
    (CT_ARRAY_RESERVE((all)->list.item, (all)->list.room, (all)->list.n + 1)                       \
         ? ((all)->list.item[(all)->list.n++] = (__VA_ARGS__), OTF2_CALLBACK_SUCCESS)              \
         : ((all)->failed = true, OTF2_CALLBACK_INTERRUPT))

/* One that is known by its reference. */
#define ADD(all, list, ref, ...)                                                                   \
    ((all)->list.n < UINT32_MAX - 1 &&                                                             \
             ct_map_add(&(all)->list.of_ref, (ref), (uint32_t)(all)->list.n + 1)                   \
         ? APPEND(all, list, __VA_ARGS__)                                                          \
         : ((all)->failed = true, OTF2_CALLBACK_INTERRUPT))

static OTF2_CallbackCode on_clock(void *data, uint64_t resolution, uint64_t offset, uint64_t length,
                                  uint64_t realtime)
{
    struct ct_otf2_definitions *all = data;
    (void)length;
    all->resolution = resolution;
    all->offset = offset;
    all->realtime_ns = realtime;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_string(void *data, OTF2_StringRef self, const char *string)
{
    struct ct_otf2_definitions *all = data;
    char *copy = strdup(string ? string : "");
    if (!copy) {
        all->failed = true;
        return OTF2_CALLBACK_INTERRUPT;
    }
    OTF2_CallbackCode code = ADD(all, strings, self, copy);
    if (code != OTF2_CALLBACK_SUCCESS)
        free(copy);
    return code;
}

static OTF2_CallbackCode on_attribute(void *data, OTF2_AttributeRef self, OTF2_StringRef name,
                                      OTF2_StringRef description, OTF2_Type type)
{
    struct ct_otf2_definitions *all = data;
    (void)description;
    (void)type;
    return APPEND(all, named_attributes, (struct ct_otf2_named_attribute){self, name});
}

static OTF2_CallbackCode on_region(void *data, OTF2_RegionRef self, OTF2_StringRef name,
                                   OTF2_StringRef canonical_name, OTF2_StringRef description,
                                   OTF2_RegionRole role, OTF2_Paradigm paradigm,
                                   OTF2_RegionFlag flags, OTF2_StringRef source_file,
                                   uint32_t begin_line, uint32_t end_line)
{
    struct ct_otf2_definitions *all = data;
    (void)canonical_name;
    (void)role;
    (void)flags;
    (void)source_file;
    (void)begin_line;
    (void)end_line;
    return ADD(all, regions, self,
               (struct ct_otf2_region){.name_ref = name,
                                       .description_ref = description,
                                       .is_mpi = paradigm == OTF2_PARADIGM_MPI});
}

static OTF2_CallbackCode on_location(void *data, OTF2_LocationRef self, OTF2_StringRef name,
                                     OTF2_LocationType type, uint64_t n_events,
                                     OTF2_LocationGroupRef group)
{
    struct ct_otf2_definitions *all = data;
    (void)name;
    (void)type;
    return APPEND(all, locations, (struct ct_otf2_location){self, group, n_events});
}

static OTF2_CallbackCode on_group(void *data, OTF2_GroupRef self, OTF2_StringRef name,
                                  OTF2_GroupType type, OTF2_Paradigm paradigm, OTF2_GroupFlag flags,
                                  uint32_t n, const uint64_t *members)
{
    struct ct_otf2_definitions *all = data;
    (void)name;
    struct ct_otf2_group group = {.type = type,
                                  .paradigm = paradigm,
                                  .has_global_ranks = flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS,
                                  .members = malloc(((size_t)n + 1) * sizeof *members),
                                  .n = n};
    uint64_t *runs = malloc(CT_RANKS_VALUES_MAX((size_t)n + 1) * sizeof *runs);
    if (!group.members || !runs) {
        free(group.members);
        free(runs);
        all->failed = true;
        return OTF2_CALLBACK_INTERRUPT;
    }
    if (n > 0)
        memcpy(group.members, members, n * sizeof *members);
    group.runs = runs;
    group.n_runs = ct_ranks_put(group.members, n, runs);
    group.hash = ct_hash_numbers(runs, group.n_runs);
    OTF2_CallbackCode code = ADD(all, groups, self, group);
    if (code != OTF2_CALLBACK_SUCCESS) {
        free(group.members);
        free(group.runs);
    }
    return code;
}

static OTF2_CallbackCode on_comm(void *data, OTF2_CommRef self, OTF2_StringRef name,
                                 OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
{
    struct ct_otf2_definitions *all = data;
    (void)name;
    (void)parent;
    (void)flags;
    return ADD(all, comms, self, (struct ct_otf2_comm){.group_ref = group});
}

static OTF2_CallbackCode on_intercomm(void *data, OTF2_CommRef self, OTF2_StringRef name,
                                      OTF2_GroupRef group_a, OTF2_GroupRef group_b,
                                      OTF2_CommRef common, OTF2_CommFlag flags)
{
    struct ct_otf2_definitions *all = data;
    (void)name;
    (void)group_a;
    (void)group_b;
    (void)common;
    (void)flags;
    return ADD(all, comms, self, (struct ct_otf2_comm){.is_inter = true});
}

/* ---- afterwards ---- */

static enum ct_otf2_call call_of(const char *name)
{
    static const struct {
        const char *prefix;
        enum ct_otf2_call call;
    } calls[] = {
        {"MPI_Init", CT_OTF2_INIT},
        {"MPI_Finalize", CT_OTF2_FINALIZE},
        {"MPI_Wait", CT_OTF2_WAIT},
        {"MPI_Test", CT_OTF2_TEST},
        {"MPI_Probe", CT_OTF2_PROBE},
        {"MPI_Mprobe", CT_OTF2_PROBE},
        {"MPI_Iprobe", CT_OTF2_PROBE},
        {"MPI_Improbe", CT_OTF2_PROBE},
        {"MPI_Cancel", CT_OTF2_CANCEL},
        {"MPI_Request_free", CT_OTF2_FREE},
        {"MPI_Send_init", CT_OTF2_SEND_INIT},
        {"MPI_Ssend_init", CT_OTF2_SEND_INIT},
        {"MPI_Bsend_init", CT_OTF2_SEND_INIT},
        {"MPI_Rsend_init", CT_OTF2_SEND_INIT},
        {"MPI_Recv_init", CT_OTF2_RECEIVE_INIT},
        {"MPI_Neighbor_", CT_OTF2_NEIGHBOR},
        {"MPI_Ineighbor_", CT_OTF2_NEIGHBOR},
        {"MPI_Comm_create", CT_OTF2_COMM},
        {"MPI_Comm_dup", CT_OTF2_COMM},
        {"MPI_Comm_split", CT_OTF2_COMM},
        {"MPI_Cart_create", CT_OTF2_COMM},
        {"MPI_Cart_sub", CT_OTF2_COMM},
        {"MPI_Graph_create", CT_OTF2_COMM},
        {"MPI_Dist_graph_create", CT_OTF2_COMM},
        {"MPI_Intercomm_", CT_OTF2_COMM},
        {"MPI_Win_", CT_OTF2_WITHOUT_MODEL},
        {"MPI_File_", CT_OTF2_WITHOUT_MODEL},
        {"MPI_Comm_spawn", CT_OTF2_WITHOUT_MODEL},
        {"MPI_Comm_accept", CT_OTF2_WITHOUT_MODEL},
        {"MPI_Comm_connect", CT_OTF2_WITHOUT_MODEL},
        {"MPI_Comm_join", CT_OTF2_WITHOUT_MODEL},
        {"MPI_Put", CT_OTF2_WITHOUT_MODEL},
        {"MPI_Rput", CT_OTF2_WITHOUT_MODEL},
        {"MPI_Rget", CT_OTF2_WITHOUT_MODEL},
        {"MPI_Accumulate", CT_OTF2_WITHOUT_MODEL},
        {"MPI_Raccumulate", CT_OTF2_WITHOUT_MODEL},
        {"MPI_Get_accumulate", CT_OTF2_WITHOUT_MODEL},
        {"MPI_Fetch_and_op", CT_OTF2_WITHOUT_MODEL},
        {"MPI_Compare_and_swap", CT_OTF2_WITHOUT_MODEL},
        {"MPI_Test_cancelled", CT_OTF2_MPI},
        {"MPI_Initialized", CT_OTF2_MPI},
        {"MPI_Finalized", CT_OTF2_MPI},
    };
    enum ct_otf2_call found = strncasecmp(name, "MPI_", 4) == 0 ? CT_OTF2_MPI : CT_OTF2_NO_MPI;
    /* The last that fits: later rows are exceptions from earlier ones. */
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strncasecmp(name, calls[i].prefix, strlen(calls[i].prefix)) == 0)
            found = calls[i].call;
    return found;
}

static enum ct_trace_mode mode_of(const char *name)
{
    const char *rest = strncasecmp(name, "MPI_", 4) == 0 ? name + 4 : name;
    rest += *rest == 'I' || *rest == 'i';
    if (strncasecmp(rest, "ssend", 5) == 0)
        return CT_TRACE_SYNCHRONOUS;
    if (strncasecmp(rest, "bsend", 5) == 0)
        return CT_TRACE_BUFFERED;
    return strncasecmp(rest, "rsend", 5) == 0 ? CT_TRACE_READY : CT_TRACE_STANDARD;
}

static void name_regions(struct ct_otf2_definitions *all)
{
    for (size_t i = 0; i < all->regions.n; i++) {
        struct ct_otf2_region *region = &all->regions.item[i];
        const char *name = ct_otf2_find_string(all, region->name_ref);
        const char *description = ct_otf2_find_string(all, region->description_ref);
        region->name = name ? name : "?";
        region->call = call_of(region->name);
        region->mode = mode_of(region->name);
        region->communicates = *ct_trace_lost_with(region->name) != '\0';
        if (region->call == CT_OTF2_NO_MPI && region->is_mpi)
            region->call = CT_OTF2_MPI;
        if (description && strcmp(description, CT_OTF2_UNMODELLED) == 0)
            region->call = CT_OTF2_WITHOUT_MODEL;
        all->has_finalize = all->has_finalize || region->call == CT_OTF2_FINALIZE;
    }
}

static void name_attributes(struct ct_otf2_definitions *all)
{
    static const char *const names[CT_OTF2_N_ATTRIBUTES] = {
#define CT_OTF2_ATTRIBUTE_NAME(name, text) [CT_OTF2_ATTRIBUTE_##name] = (text),
        CT_OTF2_ATTRIBUTE_MAP(CT_OTF2_ATTRIBUTE_NAME)
#undef CT_OTF2_ATTRIBUTE_NAME
    };
    for (size_t i = 0; i < all->named_attributes.n; i++) {
        const char *name = ct_otf2_find_string(all, all->named_attributes.item[i].name_ref);
        for (int a = 0; a < CT_OTF2_N_ATTRIBUTES; a++) {
            if (!name || strcmp(name, names[a]) != 0)
                continue;
            all->attributes[a] = all->named_attributes.item[i].self;
            all->has_attribute[a] = true;
        }
    }
}

static enum ct_status find_ranks(struct ct_otf2_definitions *all, struct ct_error *err)
{
    for (size_t i = 0; i < all->groups.n && !all->ranks; i++)
        if (all->groups.item[i].type == OTF2_GROUP_TYPE_COMM_LOCATIONS &&
            all->groups.item[i].paradigm == OTF2_PARADIGM_MPI)
            all->ranks = &all->groups.item[i];
    if (!all->ranks || all->ranks->n == 0)
        return ct_fail(err, CT_ENODATA,
                       "not of a program with MPI: no group of MPI's ranks is defined");
    enum { RANKS_MAX = 1 << 20 };
    if (all->ranks->n > RANKS_MAX)
        return ct_fail(err, CT_EFORMAT, "%u ranks; at most %d are read", all->ranks->n, RANKS_MAX);
    return CT_OK;
}

/* Whose events a location has: the rank's number plus 1, and is_first where it is the rank's own;
 * 0: no rank's. */
struct owner {
    uint32_t rank;
    bool is_first;
};

/* The location of each rank, and others of its group of locations if their order is known. */
static enum ct_status find_owners(const struct ct_otf2_definitions *all, struct owner *owners,
                                  struct ct_error *err)
{
    struct ct_map by_location = {0}, by_group = {0};
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < all->locations.n && status == CT_OK; i++)
        if (!ct_map_add(&by_location, all->locations.item[i].self, (uint32_t)i + 1))
            status = ct_no_memory(err, "definitions");
    for (uint32_t rank = 0; rank < all->ranks->n && status == CT_OK; rank++) {
        uint32_t found = ct_map_find(&by_location, all->ranks->members[rank]);
        if (found == 0)
            status = ct_fail(err, CT_EFORMAT, "location %llu of rank %u is not defined",
                             (unsigned long long)all->ranks->members[rank], rank);
        else if (owners[found - 1].rank != 0)
            status = ct_fail(err, CT_EFORMAT, "location %llu is of ranks %u and %u",
                             (unsigned long long)all->ranks->members[rank],
                             owners[found - 1].rank - 1, rank);
        else if (!ct_map_add(&by_group, all->locations.item[found - 1].group, rank + 1))
            status = ct_no_memory(err, "definitions");
        else
            owners[found - 1] = (struct owner){rank + 1, true};
    }
    for (size_t i = 0; i < all->locations.n && status == CT_OK; i++)
        if (owners[i].rank == 0 && all->has_attribute[CT_OTF2_ATTRIBUTE_THREAD])
            owners[i].rank = ct_map_find(&by_group, all->locations.item[i].group);
    ct_map_free(&by_location);
    ct_map_free(&by_group);
    return status;
}

static void list_threads(struct ct_otf2_definitions *all, const struct owner *owners)
{
    uint32_t *first = all->first_threads;
    for (size_t i = 0; i < all->locations.n; i++)
        if (owners[i].rank != 0)
            first[owners[i].rank]++;
        else
            all->n_other_locations += all->locations.item[i].n_events > 0;
    for (uint32_t rank = 0; rank < all->ranks->n; rank++)
        first[rank + 1] += first[rank];
    uint32_t n = first[all->ranks->n];
    /* The rank's own location is its first thread, others follow in the order of their
     * definitions: from the back, each takes the last place that is left. */
    for (size_t i = 0; i < all->locations.n; i++)
        if (owners[i].is_first)
            all->threads[first[owners[i].rank - 1]] = all->locations.item[i];
    for (size_t i = all->locations.n; i-- > 0;)
        if (owners[i].rank != 0 && !owners[i].is_first)
            all->threads[--first[owners[i].rank]] = all->locations.item[i];
    for (uint32_t rank = 0; rank < all->ranks->n; rank++)
        first[rank] = first[rank + 1] - 1;
    first[all->ranks->n] = n;
}

static enum ct_status find_threads(struct ct_otf2_definitions *all, struct ct_error *err)
{
    struct owner *owners = calloc(all->locations.n + 1, sizeof *owners);
    all->threads = calloc(all->locations.n + 1, sizeof *all->threads);
    all->first_threads = calloc((size_t)all->ranks->n + 1, sizeof *all->first_threads);
    enum ct_status status = owners && all->threads && all->first_threads
                                ? find_owners(all, owners, err)
                                : ct_no_memory(err, "definitions");
    if (status == CT_OK)
        list_threads(all, owners);
    free(owners);
    return status;
}

static bool is_world(const struct ct_otf2_definitions *all, const struct ct_otf2_group *group)
{
    if (group->n != all->ranks->n)
        return false;
    for (uint32_t i = 0; i < group->n; i++)
        if (group->members[i] != i)
            return false;
    return true;
}

static bool same_members(const struct ct_otf2_comm *a, const struct ct_otf2_comm *b)
{
    if (a->is_self || b->is_self)
        return a->is_self && b->is_self;
    return a->group->n == b->group->n &&
           memcmp(a->group->members, b->group->members, a->group->n * sizeof(uint64_t)) == 0;
}

/* Numbers as events have them: 0 the world, 1 the rank itself, others behind. */
static void number_comms(struct ct_otf2_definitions *all)
{
    enum { WORLD, SELF, FIRST_OTHER };
    bool has_world = false, has_self = false;
    uint32_t next = FIRST_OTHER;
    for (size_t i = 0; i < all->comms.n; i++) {
        struct ct_otf2_comm *comm = &all->comms.item[i];
        uint32_t found = comm->is_inter ? 0 : ct_map_find(&all->groups.of_ref, comm->group_ref);
        comm->group = found ? &all->groups.item[found - 1] : NULL;
        if (comm->group && comm->group->paradigm != OTF2_PARADIGM_MPI)
            comm->group = NULL;
        if (comm->group && comm->group->type == OTF2_GROUP_TYPE_COMM_SELF)
            comm->is_self = true;
        else if (comm->group && comm->group->type != OTF2_GROUP_TYPE_COMM_GROUP)
            comm->group = NULL;
        if (!comm->group)
            continue;
        for (size_t j = 0; j < i; j++)
            comm->ordinal += all->comms.item[j].group && same_members(&all->comms.item[j], comm);
        if (comm->is_self && !has_self) {
            comm->number = SELF;
            has_self = true;
        } else if (!comm->is_self && !has_world && is_world(all, comm->group)) {
            comm->number = WORLD;
            has_world = true;
        } else {
            comm->number = next++;
        }
    }
}

static enum ct_status read_records(OTF2_Reader *reader, struct ct_otf2_definitions *all,
                                   struct ct_error *err)
{
    OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
    uint64_t n = 0;
    if (!definitions || !callbacks) {
        OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
        return ct_fail(err, CT_EFORMAT, "its global definitions (the file .def) cannot be read");
    }
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, on_clock);
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
    OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(callbacks, on_attribute);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_group);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, on_comm);
    OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks, on_intercomm);
    OTF2_ErrorCode code =
        OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, all);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    if (code == OTF2_SUCCESS)
        code = OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &n);
    if (all->failed)
        return ct_no_memory(err, "definitions");
    if (code != OTF2_SUCCESS)
        return ct_otf2_fail(code, "its global definitions (the file .def) are damaged or cut", err);
    OTF2_Reader_CloseGlobalDefReader(reader, definitions);
    return CT_OK;
}

static void find_writer(OTF2_Reader *reader, struct ct_otf2_definitions *all)
{
    static const char score_p[] = "Score-P", own[] = "crosstalk";
    char *creator = NULL;
    if (OTF2_Reader_GetCreator(reader, &creator) != OTF2_SUCCESS || !creator)
        return;
    all->by_crosstalk = strncmp(creator, own, sizeof own - 1) == 0;
    all->sizes_are_known = all->by_crosstalk || strncmp(creator, score_p, sizeof score_p - 1) == 0;
    free(creator);
}

/* Programs of other kinds may have a group of MPI's ranks, but nothing that they did. */
static enum ct_status check_mpi(const struct ct_otf2_definitions *all, struct ct_error *err)
{
    bool has_calls = all->comms.n > 0;
    for (size_t i = 0; i < all->regions.n && !has_calls; i++)
        has_calls = all->regions.item[i].call != CT_OTF2_NO_MPI;
    return has_calls ? CT_OK
                     : ct_fail(err, CT_ENODATA,
                               "not of a program with MPI: neither a call nor a communicator of "
                               "MPI is defined");
}

enum ct_status ct_otf2_read_definitions(OTF2_Reader *reader,
                                        struct ct_otf2_definitions *definitions_p,
                                        struct ct_error *err)
{
    struct ct_otf2_definitions all = {0};
    enum ct_status status = read_records(reader, &all, err);
    if (status == CT_OK && all.resolution == 0)
        status = ct_fail(err, CT_EFORMAT, "its clock has no resolution");
    if (status == CT_OK)
        status = find_ranks(&all, err);
    name_attributes(&all);
    name_regions(&all);
    if (status == CT_OK)
        status = check_mpi(&all, err);
    if (status == CT_OK)
        status = find_threads(&all, err);
    if (status != CT_OK) {
        ct_otf2_free_definitions(&all);
        return status;
    }
    number_comms(&all);
    find_writer(reader, &all);
    *definitions_p = all;
    return CT_OK;
}

void ct_otf2_free_definitions(struct ct_otf2_definitions *all)
{
    for (size_t i = 0; i < all->strings.n; i++)
        free(all->strings.item[i]);
    for (size_t i = 0; i < all->groups.n; i++) {
        free(all->groups.item[i].members);
        free(all->groups.item[i].runs);
    }
    free(all->strings.item);
    free(all->regions.item);
    free(all->groups.item);
    free(all->comms.item);
    free(all->locations.item);
    free(all->named_attributes.item);
    free(all->threads);
    free(all->first_threads);
    ct_map_free(&all->strings.of_ref);
    ct_map_free(&all->regions.of_ref);
    ct_map_free(&all->groups.of_ref);
    ct_map_free(&all->comms.of_ref);
    *all = (struct ct_otf2_definitions){0};
}
