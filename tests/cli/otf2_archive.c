/*
 * otf2_archive SCRIPT DIRECTORY: DIRECTORY/traces.otf2, made of a text by the functions of the OTF2
 * library. It writes what archives of several writers have, also what no program does.
 *
 *     creator TEXT | ranks N | one-group | without-comms | comm ID MEMBER... | region NAME
 *     intercomm ID             between the groups of the two comms before
 *     clock FIRST              first tick of the clock; ticks are nanoseconds
 *     RANK TIME enter NAME | leave NAME | on | off | flush END
 *     RANK TIME send TO TAG BYTES COMM | recv FROM TAG BYTES COMM
 *     RANK TIME isend TO TAG BYTES COMM REQUEST | isend-complete REQUEST
 *     RANK TIME irecv-request REQUEST | irecv FROM TAG BYTES COMM REQUEST
 *     RANK TIME collective NAME COMM ROOT SENT RECEIVED        root -1: none
 */
#include <inttypes.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RANKS_MAX = 16,
    REGIONS_MAX = 32,
    COMMS_MAX = 8,
    WORDS_MAX = 12,
    LINE_MAX = 256,
    NAME_MAX = 64
};

struct comm {
    uint32_t id;
    uint64_t members[RANKS_MAX];
    uint32_t n;
    bool is_inter;
};

struct script {
    OTF2_Archive *archive;
    OTF2_EvtWriter *out[RANKS_MAX];
    uint64_t n_events[RANKS_MAX];
    uint32_t n_ranks;
    char regions[REGIONS_MAX][NAME_MAX];
    uint32_t n_regions;
    struct comm comms[COMMS_MAX];
    uint32_t n_comms;
    bool one_group, without_comms;
    uint64_t first, last;
};

static void check(OTF2_ErrorCode code, const char *what)
{
    if (code == OTF2_SUCCESS)
        return;
    fprintf(stderr, "otf2_archive: %s: %s\n", what, OTF2_Error_GetDescription(code));
    exit(1);
}

static void require(bool fact, const char *what)
{
    if (fact)
        return;
    fprintf(stderr, "otf2_archive: %s\n", what);
    exit(1);
}

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

static uint32_t region_of(struct script *script, const char *name)
{
    uint32_t i = 0;
    while (i < script->n_regions && strcmp(script->regions[i], name) != 0)
        i++;
    if (i == script->n_regions) {
        require(i < REGIONS_MAX, "too many regions");
        snprintf(script->regions[script->n_regions++], NAME_MAX, "%s", name);
    }
    return i;
}

static OTF2_CollectiveOp operation_of(const char *name)
{
    static const struct {
        const char *name;
        OTF2_CollectiveOp op;
    } all[] = {{"barrier", OTF2_COLLECTIVE_OP_BARRIER},
               {"bcast", OTF2_COLLECTIVE_OP_BCAST},
               {"allreduce", OTF2_COLLECTIVE_OP_ALLREDUCE}};
    size_t i = 0;
    while (i < sizeof all / sizeof *all && strcmp(all[i].name, name) != 0)
        i++;
    require(i < sizeof all / sizeof *all, "a collective of a name that is not known");
    return all[i].op;
}

static uint32_t number_in(const char *word)
{
    return word ? (uint32_t)strtoll(word, NULL, 10) : 0;
}

static uint64_t long_number_in(const char *word)
{
    return word ? strtoull(word, NULL, 10) : 0;
}

/* One record; words: its name and what follows, NULL where there is none. */
static void write_record(struct script *script, uint32_t rank, uint64_t at, char **words)
{
    OTF2_EvtWriter *out = script->out[rank];
    const char *name = words[0];
    const char *word = words[1] ? words[1] : "?";
    uint32_t a = number_in(words[1]), b = number_in(words[2]), d = number_in(words[4]);
    uint64_t bytes = long_number_in(words[3]);
    script->n_events[rank]++;
    script->last = at > script->last ? at : script->last;
    if (strcmp(name, "enter") == 0)
        check(OTF2_EvtWriter_Enter(out, NULL, at, region_of(script, word)), name);
    else if (strcmp(name, "leave") == 0)
        check(OTF2_EvtWriter_Leave(out, NULL, at, region_of(script, word)), name);
    else if (strcmp(name, "on") == 0)
        check(OTF2_EvtWriter_MeasurementOnOff(out, NULL, at, OTF2_MEASUREMENT_ON), name);
    else if (strcmp(name, "off") == 0)
        check(OTF2_EvtWriter_MeasurementOnOff(out, NULL, at, OTF2_MEASUREMENT_OFF), name);
    else if (strcmp(name, "flush") == 0)
        check(OTF2_EvtWriter_BufferFlush(out, NULL, at, script->first + long_number_in(words[1])),
              name);
    else if (strcmp(name, "send") == 0)
        check(OTF2_EvtWriter_MpiSend(out, NULL, at, a, d, b, bytes), name);
    else if (strcmp(name, "recv") == 0)
        check(OTF2_EvtWriter_MpiRecv(out, NULL, at, a, d, b, bytes), name);
    else if (strcmp(name, "isend") == 0)
        check(OTF2_EvtWriter_MpiIsend(out, NULL, at, a, d, b, bytes, long_number_in(words[5])),
              name);
    else if (strcmp(name, "isend-complete") == 0)
        check(OTF2_EvtWriter_MpiIsendComplete(out, NULL, at, long_number_in(words[1])), name);
    else if (strcmp(name, "irecv-request") == 0)
        check(OTF2_EvtWriter_MpiIrecvRequest(out, NULL, at, long_number_in(words[1])), name);
    else if (strcmp(name, "irecv") == 0)
        check(OTF2_EvtWriter_MpiIrecv(out, NULL, at, a, d, b, bytes, long_number_in(words[5])),
              name);
    else if (strcmp(name, "collective") == 0)
        check(OTF2_EvtWriter_MpiCollectiveEnd(out, NULL, at, operation_of(word), b,
                                              number_in(words[3]), d, long_number_in(words[5])),
              name);
    else
        require(false, name);
}

static void add_comm(struct script *script, char **words, size_t n)
{
    require(script->n_comms < COMMS_MAX && n >= 2 && n - 2 <= RANKS_MAX, "too many communicators");
    struct comm *comm = &script->comms[script->n_comms++];
    comm->id = number_in(words[1]);
    comm->is_inter = strcmp(words[0], "intercomm") == 0;
    for (size_t i = 2; i < n; i++)
        comm->members[comm->n++] = long_number_in(words[i]);
}

static void begin_ranks(struct script *script, uint32_t n)
{
    require(n > 0 && n <= RANKS_MAX, "a wrong number of ranks");
    script->n_ranks = n;
    for (uint32_t rank = 0; rank < n; rank++)
        script->out[rank] = OTF2_Archive_GetEvtWriter(script->archive, rank);
}

static void take_line(struct script *script, char **words, size_t n)
{
    const char *name = words[0];
    if (strcmp(name, "creator") == 0)
        check(OTF2_Archive_SetCreator(script->archive, words[1]), name);
    else if (strcmp(name, "ranks") == 0)
        begin_ranks(script, number_in(words[1]));
    else if (strcmp(name, "one-group") == 0)
        script->one_group = true;
    else if (strcmp(name, "without-comms") == 0)
        script->without_comms = true;
    else if (strcmp(name, "comm") == 0 || strcmp(name, "intercomm") == 0)
        add_comm(script, words, n);
    else if (strcmp(name, "region") == 0)
        region_of(script, words[1] ? words[1] : "?");
    else if (strcmp(name, "clock") == 0)
        script->first = long_number_in(words[1]);
    else {
        uint32_t rank = number_in(name);
        require(n >= 3 && rank < script->n_ranks, "a line that is not known");
        write_record(script, rank, script->first + long_number_in(words[1]), words + 2);
    }
}

static void read_script(struct script *script, FILE *in)
{
    char line[LINE_MAX];
    while (fgets(line, sizeof line, in)) {
        char *words[WORDS_MAX + 1] = {NULL}, *rest = line;
        size_t n = 0;
        while (n < WORDS_MAX && (words[n] = strtok_r(n == 0 ? line : NULL, " \n", &rest)))
            n++;
        if (n > 0)
            take_line(script, words, n);
    }
}

/* ---- definitions ---- */

static uint32_t next_string(OTF2_GlobalDefWriter *to, uint32_t *n, const char *text)
{
    check(OTF2_GlobalDefWriter_WriteString(to, *n, text), "string");
    return (*n)++;
}

enum { GROUP_LOCATIONS, GROUP_WORLD, GROUP_FIRST };

static void define_group(OTF2_GlobalDefWriter *to, uint32_t id, uint32_t name, OTF2_GroupType type,
                         const uint64_t *members, uint32_t n)
{
    check(OTF2_GlobalDefWriter_WriteGroup(to, id, name, type, OTF2_PARADIGM_MPI,
                                          OTF2_GROUP_FLAG_NONE, n, members),
          "group");
}

static void define_comms(const struct script *script, OTF2_GlobalDefWriter *to, uint32_t none)
{
    uint64_t all[RANKS_MAX];
    for (uint32_t rank = 0; rank < script->n_ranks; rank++)
        all[rank] = rank;
    define_group(to, GROUP_LOCATIONS, none, OTF2_GROUP_TYPE_COMM_LOCATIONS, all, script->n_ranks);
    if (script->without_comms)
        return;
    define_group(to, GROUP_WORLD, none, OTF2_GROUP_TYPE_COMM_GROUP, all, script->n_ranks);
    check(OTF2_GlobalDefWriter_WriteComm(to, 0, none, GROUP_WORLD, OTF2_UNDEFINED_COMM,
                                         OTF2_COMM_FLAG_NONE),
          "communicator");
    for (uint32_t i = 0; i < script->n_comms; i++) {
        const struct comm *comm = &script->comms[i];
        uint32_t group = GROUP_FIRST + i;
        define_group(to, group, none, OTF2_GROUP_TYPE_COMM_GROUP, comm->members, comm->n);
        check(comm->is_inter ? OTF2_GlobalDefWriter_WriteInterComm(
                                   to, comm->id, none, group - 2, group - 1, 0, OTF2_COMM_FLAG_NONE)
                             : OTF2_GlobalDefWriter_WriteComm(to, comm->id, none, group, 0,
                                                              OTF2_COMM_FLAG_NONE),
              "communicator");
    }
}

static void define_all(const struct script *script)
{
    OTF2_GlobalDefWriter *to = OTF2_Archive_GetGlobalDefWriter(script->archive);
    uint32_t n = 0, none;
    check(OTF2_GlobalDefWriter_WriteClockProperties(to, 1000000000, script->first,
                                                    script->last - script->first + 1,
                                                    OTF2_UNDEFINED_TIMESTAMP),
          "clock");
    none = next_string(to, &n, "");
    for (uint32_t i = 0; i < script->n_regions; i++) {
        bool is_mpi = strncmp(script->regions[i], "MPI_", 4) == 0;
        check(OTF2_GlobalDefWriter_WriteRegion(to, i, next_string(to, &n, script->regions[i]), none,
                                               none, OTF2_REGION_ROLE_FUNCTION,
                                               is_mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER,
                                               OTF2_REGION_FLAG_NONE, none, 0, 0),
              "region");
    }
    check(OTF2_GlobalDefWriter_WriteSystemTreeNode(to, 0, none, none,
                                                   OTF2_UNDEFINED_SYSTEM_TREE_NODE),
          "node");
    for (uint32_t rank = 0; rank < script->n_ranks; rank++) {
        uint32_t group = script->one_group ? 0 : rank;
        if (group == rank)
            check(OTF2_GlobalDefWriter_WriteLocationGroup(to, group, none,
                                                          OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                          OTF2_UNDEFINED_LOCATION_GROUP),
                  "group of locations");
        check(OTF2_GlobalDefWriter_WriteLocation(to, rank, none, OTF2_LOCATION_TYPE_CPU_THREAD,
                                                 script->n_events[rank], group),
              "location");
    }
    define_comms(script, to, none);
}

int main(int argc, char **argv)
{
    static const OTF2_FlushCallbacks callbacks = {.otf2_pre_flush = flush};
    static struct script script;
    FILE *in = argc == 3 ? fopen(argv[1], "r") : NULL;
    require(in, "usage: otf2_archive SCRIPT DIRECTORY");
    script.archive = OTF2_Archive_Open(argv[2], "traces", OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
                                       OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    require(script.archive, "the archive cannot be opened");
    check(OTF2_Archive_SetFlushCallbacks(script.archive, &callbacks, NULL), "callbacks");
    check(OTF2_Archive_SetSerialCollectiveCallbacks(script.archive), "callbacks");
    check(OTF2_Archive_OpenEvtFiles(script.archive), "events");
    read_script(&script, in);
    fclose(in);
    for (uint32_t rank = 0; rank < script.n_ranks; rank++)
        check(OTF2_Archive_CloseEvtWriter(script.archive, script.out[rank]), "events");
    check(OTF2_Archive_CloseEvtFiles(script.archive), "events");
    check(OTF2_Archive_OpenDefFiles(script.archive), "local definitions");
    for (uint32_t rank = 0; rank < script.n_ranks; rank++)
        check(OTF2_Archive_CloseDefWriter(script.archive,
                                          OTF2_Archive_GetDefWriter(script.archive, rank)),
              "local definitions");
    check(OTF2_Archive_CloseDefFiles(script.archive), "local definitions");
    define_all(&script);
    check(OTF2_Archive_Close(script.archive), "archive");
    return 0;
}
