#include "trace/otf2/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP_RANKS, GROUP_SELF, GROUP_FIRST_COMM };

static OTF2_StringRef define_text(struct ct_otf2_writer *writer, OTF2_GlobalDefWriter *to,
                                  const char *content)
{
    OTF2_StringRef ref = OTF2_UNDEFINED_STRING;
    size_t before = writer->names.n_texts;
    if (ct_otf2_write_text(writer, content, &ref) != CT_OK)
        ct_otf2_keep(writer, OTF2_ERROR_MEM_ALLOC_FAILED);
    else if (ref >= before)
        ct_otf2_keep(writer, OTF2_GlobalDefWriter_WriteString(to, ref, content));
    return ref;
}

static void define_attributes(struct ct_otf2_writer *writer, OTF2_GlobalDefWriter *to)
{
    static const char *const names[CT_OTF2_N_ATTRIBUTES] = {
#define CT_OTF2_ATTRIBUTE_NAME(name, content) [CT_OTF2_ATTRIBUTE_##name] = (content),
        CT_OTF2_ATTRIBUTE_MAP(CT_OTF2_ATTRIBUTE_NAME)
#undef CT_OTF2_ATTRIBUTE_NAME
    };
    for (int a = 0; a < CT_OTF2_N_ATTRIBUTES; a++)
        ct_otf2_keep(writer,
                     OTF2_GlobalDefWriter_WriteAttribute(
                         to, (OTF2_AttributeRef)a, define_text(writer, to, names[a]),
                         define_text(writer, to, ""),
                         a == CT_OTF2_ATTRIBUTE_VALUES ? OTF2_TYPE_STRING : OTF2_TYPE_UINT64));
}

static void define_regions(struct ct_otf2_writer *writer, OTF2_GlobalDefWriter *to)
{
    OTF2_StringRef none = define_text(writer, to, ""),
                   unmodelled = define_text(writer, to, CT_OTF2_UNMODELLED);
    for (size_t i = 0; i < writer->names.n_regions; i++) {
        const struct ct_otf2_written_region *region = &writer->names.regions[i];
        bool is_mpi =
            !region->is_unmodelled || strncmp(writer->names.texts[region->name], "MPI_", 4) == 0;
        ct_otf2_keep(writer, OTF2_GlobalDefWriter_WriteRegion(
                                 to, (OTF2_RegionRef)i, region->name, region->name,
                                 region->is_unmodelled ? unmodelled : none, region->role,
                                 is_mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_MEASUREMENT_SYSTEM,
                                 OTF2_REGION_FLAG_NONE, none, 0, 0));
    }
}

static void define_location(struct ct_otf2_writer *writer, OTF2_GlobalDefWriter *to, uint32_t rank,
                            uint32_t thread)
{
    uint32_t location = ct_otf2_written_location(writer, rank, thread);
    char name[32] = "Master thread";
    if (thread > 0)
        snprintf(name, sizeof name, "Thread %u", thread);
    ct_otf2_keep(writer, OTF2_GlobalDefWriter_WriteLocation(
                             to, location, define_text(writer, to, name),
                             OTF2_LOCATION_TYPE_CPU_THREAD, writer->n_events[location], rank));
}

static void define_ranks(struct ct_otf2_writer *writer, OTF2_GlobalDefWriter *to)
{
    uint32_t n = writer->source->n_ranks;
    char name[32];
    uint64_t *ranks = malloc(n * sizeof *ranks);
    if (!ranks) {
        ct_otf2_keep(writer, OTF2_ERROR_MEM_ALLOC_FAILED);
        return;
    }
    ct_otf2_keep(writer, OTF2_GlobalDefWriter_WriteSystemTreeNode(
                             to, 0, define_text(writer, to, "machine"),
                             define_text(writer, to, "machine"), OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (uint32_t rank = 0; rank < n; rank++) {
        ranks[rank] = rank;
        snprintf(name, sizeof name, "MPI Rank %u", rank);
        ct_otf2_keep(
            writer, OTF2_GlobalDefWriter_WriteLocationGroup(to, rank, define_text(writer, to, name),
                                                            OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                            OTF2_UNDEFINED_LOCATION_GROUP));
        define_location(writer, to, rank, 0);
    }
    for (uint32_t rank = 0; rank < n; rank++)
        for (uint32_t other = writer->first_others[rank]; other < writer->first_others[rank + 1];
             other++)
            define_location(writer, to, rank, 1 + other - writer->first_others[rank]);
    ct_otf2_keep(writer,
                 OTF2_GlobalDefWriter_WriteGroup(to, GROUP_RANKS, define_text(writer, to, "MPI"),
                                                 OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                                 OTF2_GROUP_FLAG_NONE, n, ranks));
    ct_otf2_keep(writer, OTF2_GlobalDefWriter_WriteGroup(
                             to, GROUP_SELF, define_text(writer, to, ""), OTF2_GROUP_TYPE_COMM_SELF,
                             OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 0, NULL));
    free(ranks);
}

static void define_comm(struct ct_otf2_writer *writer, OTF2_GlobalDefWriter *to, size_t index)
{
    const struct ct_comm *comm = &writer->comms.comms[index];
    OTF2_GroupRef group = GROUP_FIRST_COMM + writer->refs[index] - writer->n_self;
    uint64_t *members = malloc(comm->group.n * sizeof *members);
    bool is_world = comm->group.n == writer->source->n_ranks && comm->ordinal == 0;
    if (!members) {
        ct_otf2_keep(writer, OTF2_ERROR_MEM_ALLOC_FAILED);
        return;
    }
    for (uint32_t i = 0; i < comm->group.n; i++) {
        members[i] = ct_ranks_rank(&comm->group, i);
        is_world = is_world && members[i] == i;
    }
    OTF2_StringRef name = define_text(writer, to, is_world ? "MPI_COMM_WORLD" : "");
    ct_otf2_keep(writer, OTF2_GlobalDefWriter_WriteGroup(
                             to, group, name, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                             OTF2_GROUP_FLAG_NONE, comm->group.n, members));
    ct_otf2_keep(writer, OTF2_GlobalDefWriter_WriteComm(to, writer->refs[index], name, group,
                                                        OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    free(members);
}

static void define_comms(struct ct_otf2_writer *writer, OTF2_GlobalDefWriter *to)
{
    const struct ct_comms *comms = &writer->comms;
    for (uint32_t i = 0; i < writer->n_self; i++)
        ct_otf2_keep(writer, OTF2_GlobalDefWriter_WriteComm(
                                 to, i, define_text(writer, to, i == 0 ? "MPI_COMM_SELF" : ""),
                                 GROUP_SELF, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    for (size_t i = ct_otf2_next_comm(comms, comms->n); i < comms->n;
         i = ct_otf2_next_comm(comms, i))
        define_comm(writer, to, i);
}

enum ct_status ct_otf2_write_definitions(struct ct_otf2_writer *writer)
{
    ct_otf2_keep(writer, OTF2_Archive_OpenDefFiles(writer->archive));
    uint32_t n_locations = writer->first_others[writer->source->n_ranks];
    for (uint32_t location = 0; location < n_locations; location++) {
        OTF2_DefWriter *local = OTF2_Archive_GetDefWriter(writer->archive, location);
        ct_otf2_keep(writer, local ? OTF2_Archive_CloseDefWriter(writer->archive, local)
                                   : OTF2_ERROR_INVALID);
    }
    ct_otf2_keep(writer, OTF2_Archive_CloseDefFiles(writer->archive));
    OTF2_GlobalDefWriter *to = OTF2_Archive_GetGlobalDefWriter(writer->archive);
    if (!to)
        return ct_fail(writer->err, CT_EIO, "its definitions cannot be written");
    uint64_t realtime_ns = writer->source->clocks ? writer->origin_ns : OTF2_UNDEFINED_TIMESTAMP;
    ct_otf2_keep(writer, OTF2_GlobalDefWriter_WriteClockProperties(
                             to, CT_OTF2_TICKS_PER_S, 0, writer->last_ns + 1, realtime_ns));
    for (size_t i = 0; i < writer->names.n_texts; i++)
        ct_otf2_keep(writer, OTF2_GlobalDefWriter_WriteString(to, (OTF2_StringRef)i,
                                                              writer->names.texts[i]));
    ct_otf2_keep(writer, OTF2_GlobalDefWriter_WriteParadigm(to, OTF2_PARADIGM_MPI,
                                                            define_text(writer, to, "MPI"),
                                                            OTF2_PARADIGM_CLASS_PROCESS));
    define_attributes(writer, to);
    define_regions(writer, to);
    define_ranks(writer, to);
    define_comms(writer, to);
    ct_otf2_keep(writer, OTF2_Archive_CloseGlobalDefWriter(writer->archive, to));
    return ct_otf2_writer_check(writer);
}
