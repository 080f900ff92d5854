#include "core/foreign.h"

#include <ctype.h>
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* The beginning of a file. `text` is where what it says begins: after a byte order mark and blanks,
 * and, for formats that have none, after lines that begin with '#'. */
struct head {
    const char *bytes; /* size, and a NUL */
    size_t size;
    const char *text, *statement;
};

/* ---- how a format is known ---- */

static bool begins_with(const char *text, const char *with)
{
    return strncasecmp(text, with, strlen(with)) == 0;
}

/* One of the lines begins so. */
static bool has_line(const struct head *head, const char *beginning)
{
    for (const char *line = head->text; line; line = strchr(line, '\n')) {
        line += strspn(line, "\n\r\t ");
        if (begins_with(line, beginning))
            return true;
    }
    return false;
}

static bool has_text(const struct head *head, const char *text)
{
    return strstr(head->text, text) != NULL;
}

/* Every second byte of ASCII text is 0, the first ones or the second ones. */
static bool is_utf16(const struct head *head)
{
    size_t zeros[2] = {0, 0}, pairs = head->size / 2;
    if (head->size >= 2 &&
        (memcmp(head->bytes, "\xff\xfe", 2) == 0 || memcmp(head->bytes, "\xfe\xff", 2) == 0))
        return true;
    for (size_t i = 0; i < 2 * pairs; i++) {
        unsigned char c = (unsigned char)head->bytes[i];
        if (c >= 0x7f || (c != 0 && c < ' ' && !isspace(c)))
            return false;
        zeros[i % 2] += c == 0;
    }
    return pairs >= 2 && ((zeros[0] == pairs && zeros[1] == 0) || (zeros[1] == pairs && !zeros[0]));
}

static bool is_of_zeros(const struct head *head)
{
    size_t i = 0;
    while (i < head->size && head->bytes[i] == '\0')
        i++;
    return head->size > 0 && i == head->size;
}

static bool is_tar(const struct head *head)
{
    return head->size >= 262 && memcmp(head->bytes + 257, "ustar", 5) == 0;
}

static bool is_pcap(const struct head *head)
{
    static const char *const magics[] = {"\xa1\xb2\xc3\xd4", "\xd4\xc3\xb2\xa1", "\xa1\xb2\x3c\x4d",
                                         "\x4d\x3c\xb2\xa1", "\x0a\x0d\x0d\x0a"};
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if (head->size >= 12 && memcmp(head->bytes, magics[i], 4) == 0)
            return true;
    return false;
}

static bool is_dumpi(const struct head *head)
{
    return head->size >= 8 &&
           (memcmp(head->bytes + 3, "DUMPI", 5) == 0 || memcmp(head->bytes, "DUMPI", 5) == 0);
}

static bool is_dumpi_meta(const struct head *head)
{
    return has_line(head, "numprocs=") &&
           (has_line(head, "fileprefix=") || has_line(head, "hostname="));
}

static bool is_dumpi_text(const struct head *head)
{
    return has_text(head, " entering at walltime ") || has_text(head, " returning at walltime ");
}

/* "0 send 1 0 1e6", as ranks or as names of ranks. */
static bool is_smpi(const struct head *head)
{
    static const char *const actions[] = {
        "init",     "finalize", "comm_size", "comm_split", "comm_dup",  "send",          "isend",
        "recv",     "irecv",    "test",      "wait",       "waitall",   "sendRecv",      "barrier",
        "bcast",    "reduce",   "allreduce", "alltoall",   "alltoallv", "gather",        "scatter",
        "gatherv",  "scatterv", "allgather", "allgatherv", "compute",   "reducescatter", "sleep",
        "location", "migrate",  "scan",      "exscan"};
    const char *line = head->statement;
    size_t who = strcspn(line, " \t\r\n");
    bool is_rank =
        who > 0 && who < 24 && isdigit((unsigned char)line[who - 1]) &&
        (isdigit((unsigned char)line[0]) || begins_with(line, "p") || begins_with(line, "rank"));
    const char *action = line + who + strspn(line + who, " \t");
    size_t n = strcspn(action, " \t\r\n");
    for (size_t i = 0; is_rank && i < sizeof actions / sizeof *actions; i++)
        if (strlen(actions[i]) == n && strncasecmp(action, actions[i], n) == 0)
            return true;
    return false;
}

/* The list of a trace's files. */
static bool is_smpi_list(const struct head *head)
{
    const char *line = head->statement;
    size_t n = strcspn(line, "\r\n");
    return n > 4 && memchr(line, ' ', n) == NULL && memchr(line, ',', n) == NULL &&
           strncmp(line + n - 4, ".txt", 4) == 0;
}

/* Length, then a field 1 with the length of a text: the version of the schema, "0.0.4". */
static bool is_chakra(const struct head *head)
{
    const unsigned char *bytes = (const unsigned char *)head->bytes;
    return head->size > 8 && bytes[0] >= 4 && bytes[0] < 128 && bytes[1] == 0x0a && bytes[2] >= 3 &&
           bytes[2] < 16 && isdigit(bytes[3]) && bytes[4] == '.' && isdigit(bytes[5]);
}

static bool is_json(const struct head *head)
{
    const char *text = head->text + 1;
    if (*head->text != '{' && *head->text != '[')
        return false;
    text += strspn(text, " \t\r\n[{");
    return *text == '"' || *text == '}' || *text == ']' || *text == '-' ||
           isdigit((unsigned char)*text);
}

static bool is_chakra_json(const struct head *head)
{
    return is_json(head) && (has_text(head, "\"ctrl_deps\"") || has_text(head, "\"data_deps\"") ||
                             has_text(head, "\"global_metadata\"") || has_text(head, "chakra"));
}

static bool is_chrome(const struct head *head)
{
    return is_json(head) && (has_text(head, "\"traceEvents\"") || has_text(head, "\"ph\""));
}

static bool is_vite(const struct head *head)
{
    return has_line(head, "%EventDef");
}

static bool is_liballprof2(const struct head *head)
{
    return has_line(head, "MPI_") &&
           (has_text(head, "# backtrace [") || has_line(head, "# Curren timestamp"));
}

static bool is_liballprof(const struct head *head)
{
    return has_line(head, "MPI_Init:") || has_line(head, "MPI_Init_thread:");
}

static bool is_slog2(const struct head *head)
{
    return head->size > 8 && memmem(head->bytes, head->size < 32 ? head->size : 32, "SLOG 2", 6);
}

/* "1:1,2", streams and their processes, in hexadecimal. */
static bool is_otf1(const struct head *head)
{
    const char *line = head->statement;
    for (int n = 0; n < 2; n++) {
        size_t stream = strspn(line, "0123456789abcdef");
        if (stream == 0 || line[stream] != ':')
            return n == 1 && *line == '\0';
        size_t processes = strspn(line + stream + 1, "0123456789abcdef,");
        line += stream + 1 + processes;
        if (processes == 0 || (*line != '\n' && *line != '\r' && *line != '\0'))
            return false;
        line += strspn(line, "\r\n");
    }
    return true;
}

static bool is_iblinkinfo(const struct head *head)
{
    return has_text(head, "==(") && has_text(head, ")==>");
}

/* "CA   134  1 0x00000000000000a1 4x EDR - SW ..." */
static bool is_ports_report(const struct head *head)
{
    const char *line = head->statement;
    bool is_kind = begins_with(line, "CA ") || begins_with(line, "SW ") || begins_with(line, "RT ");
    const char *lid = line + 2 + strspn(line + (is_kind ? 2 : 0), " \t");
    return is_kind && isdigit((unsigned char)*lid) && has_text(head, " 0x");
}

/* "Ca\t: 0x... ports 1 devid ..." */
static bool is_ib_list(const struct head *head)
{
    const char *line = head->statement;
    if (!begins_with(line, "ca") && !begins_with(line, "switch") && !begins_with(line, "rt"))
        return false;
    line += strcspn(line, " \t:\n");
    line += strspn(line, " \t");
    return *line == ':' && begins_with(line + 1 + strspn(line + 1, " \t"), "0x") &&
           has_text(head, "ports");
}

static bool is_subnet_list(const struct head *head)
{
    return *head->statement == '{' && has_text(head, "Ports:") && has_text(head, "GUID:");
}

static bool is_htsim(const struct head *head)
{
    return begins_with(head->statement, "nodes ") &&
           (has_line(head, "tiers ") || has_line(head, "connections "));
}

static bool is_booksim_net(const struct head *head)
{
    return begins_with(head->statement, "router ") &&
           (has_text(head, " node ") || has_text(head, " router "));
}

static bool is_booksim(const struct head *head)
{
    return has_line(head, "topology = ") || has_line(head, "topology=");
}

static bool is_dot(const struct head *head)
{
    bool is_graph = begins_with(head->statement, "graph") ||
                    begins_with(head->statement, "digraph") ||
                    begins_with(head->statement, "strict ");
    return is_graph && memchr(head->statement, '{', strcspn(head->statement, "\n"));
}

static bool is_gml(const struct head *head)
{
    return begins_with(head->statement, "graph") &&
           *(head->statement + 5 + strspn(head->statement + 5, " \t\r\n")) == '[';
}

static bool is_nvidia_matrix(const struct head *head)
{
    return has_line(head, "GPU0\tGPU1") || has_line(head, "GPU0 ");
}

static bool is_blocks(const struct head *head)
{
    return has_line(head, "blockname=");
}

static bool is_xml(const struct head *head)
{
    return begins_with(head->text, "<?xml") || begins_with(head->text, "<!DOCTYPE ") ||
           (*head->text == '<' && isalpha((unsigned char)head->text[1]));
}

static bool is_simgrid(const struct head *head)
{
    return is_xml(head) && (has_text(head, "<platform") || has_text(head, "simgrid.dtd"));
}

static bool is_opa_report(const struct head *head)
{
    return is_xml(head) && (has_text(head, "<Report") || has_text(head, "oparep"));
}

static bool is_hwloc(const struct head *head)
{
    return is_xml(head) && has_text(head, "<topology");
}

static bool is_graphml(const struct head *head)
{
    return is_xml(head) && has_text(head, "<graphml");
}

static bool is_nccl(const struct head *head)
{
    return is_xml(head) && has_text(head, "<system") && has_text(head, "<cpu");
}

static bool is_html(const struct head *head)
{
    return begins_with(head->text, "<!doctype html") || begins_with(head->text, "<html") ||
           (is_xml(head) && has_text(head, "<html"));
}

static bool is_svg(const struct head *head)
{
    return is_xml(head) && has_text(head, "<svg");
}

static bool is_git_annex(const struct head *head)
{
    return begins_with(head->text, "/annex/objects/") ||
           (has_text(head, "/annex/objects/") && head->size < 512);
}

static bool is_goal(const struct head *head)
{
    const char *line = head->text;
    while (begins_with(line, "//") || begins_with(line, "#")) {
        line += strcspn(line, "\n");
        line += strspn(line, "\r\n\t ");
    }
    return begins_with(line, "num_ranks ") || has_line(head, "num_ranks ");
}

static bool is_campaign(const struct head *head)
{
    return has_line(head, "campaign:") &&
           (has_line(head, "launcher:") || has_line(head, "applications:"));
}

static size_t count_in_line(const char *line, char what)
{
    size_t n = 0;
    for (; *line && *line != '\n'; line++)
        n += *line == what;
    return n;
}

/* Two lines of as many cells, by one of these separators. */
static bool is_table(const struct head *head)
{
    const char *second = strchr(head->statement, '\n');
    for (const char *separator = ",;\t"; second && *separator; separator++) {
        size_t n = count_in_line(head->statement, *separator);
        if (n > 0 && second[1] && count_in_line(second + 1, *separator) == n &&
            strcspn(head->statement, "=:[{") >= (size_t)(second - head->statement))
            return true;
    }
    return false;
}

static bool is_empty(const struct head *head)
{
    return head->size == 0;
}

static bool is_text(const struct head *head)
{
    for (size_t i = 0; i < head->size; i++)
        if (iscntrl((unsigned char)head->bytes[i]) && !isspace((unsigned char)head->bytes[i]))
            return false;
    return true;
}

static bool is_binary(const struct head *head)
{
    return memchr(head->bytes, '\0', head->size) != NULL;
}

/* ---- the table ---- */

#define READS(what) (1U << CT_READS_##what)
#define ALL_READERS ((1U << CT_READS_N) - 1)
#define TEXT_READERS (ALL_READERS & ~READS(DATA))
#define GRAPHS READS(TOPOLOGY)
#define PROGRAMS (READS(TRACES) | READS(SCHEDULE))
#define PRINTED_FABRIC                                                                             \
    "the output of 'ibnetdiscover' without options is read: it has all links once"
#define UNPACK "unpack the file first"

/* Rows are tried in this order. */
static const struct {
    const char *name;
    const char *magic; /* the first n_magic bytes; NULL: */
    size_t n_magic;
    bool (*test)(const struct head *head);
    unsigned readers; /* for which `how` is the remedy; others say what they read */
    unsigned taken;   /* by these readers, judged by the first bytes: their own message stays */
    const char *how;
    bool is_trace; /* by which a folder is known that has such files */
} formats[] = {
#define MAGIC(text) .magic = (text), .n_magic = sizeof(text) - 1
#define TEST(function) .test = (function)
    /* Packed, or not the file itself. */
    {"a file packed by gzip", MAGIC("\x1f\x8b"), .readers = ALL_READERS, .how = UNPACK ": gunzip"},
    {"a file packed by zstd", MAGIC("\x28\xb5\x2f\xfd"), .readers = ALL_READERS,
     .how = UNPACK ": unzstd"},
    {"a file packed by xz",
     MAGIC("\xfd"
           "7zXZ"),
     .readers = ALL_READERS, .how = UNPACK ": unxz"},
    {"a file packed by bzip2", MAGIC("BZh"), .readers = ALL_READERS, .how = UNPACK ": bunzip2"},
    {"a file packed by lz4", MAGIC("\x04\x22\x4d\x18"), .readers = ALL_READERS,
     .how = UNPACK ": unlz4"},
    {"an archive of 7-Zip", MAGIC("7z\xbc\xaf\x27\x1c"), .readers = ALL_READERS, .how = UNPACK},
    {"a zip archive, as spreadsheets (.xlsx, .ods) are, too", MAGIC("PK\x03\x04"),
     .readers = ALL_READERS, .how = UNPACK ", or save the spreadsheet as CSV"},
    {"a spreadsheet or document of an old Microsoft Office",
     MAGIC("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), .readers = ALL_READERS,
     .how = "save the spreadsheet as CSV"},
    {"a tar archive", TEST(is_tar), .readers = ALL_READERS, .how = UNPACK ": tar -xf"},
    {"a pointer of Git LFS in place of the file", MAGIC("version https://git-lfs"),
     .readers = ALL_READERS, .how = "'git lfs pull' gets the file itself"},
    {"a pointer of git-annex in place of the file", TEST(is_git_annex), .readers = ALL_READERS,
     .how = "'git annex get' gets the file itself"},
    {"a page of HTML, as browsers save in place of a file", TEST(is_html), .readers = ALL_READERS,
     .how = "download the file itself ('raw')"},
    {"a file of zero bytes only, as a copy that failed leaves", TEST(is_of_zeros),
     .readers = ALL_READERS, .how = "copy the file again"},
    {"text of 16 bits a character (UTF-16)", TEST(is_utf16), .taken = READS(YAML),
     .readers = ALL_READERS, .how = "convert it: iconv -f UTF-16 -t UTF-8"},

    /* Our own, given to another reader. */
    {"the trace of one rank by 'crosstalk trace'", MAGIC("CTTRACE"), .readers = PROGRAMS,
     .how = "give the folder that has those of all ranks"},
    {"a schedule in LogGOPSim's binary form", MAGIC("\x7f\x10\0\0\0\0\0\0"),
     .taken = READS(SCHEDULE)},
    {"a GOAL schedule", TEST(is_goal), .taken = READS(SCHEDULE), .readers = READS(TRACES),
     .how = "for this command give traces; 'crosstalk tolerance' and others read schedules"},
    {"an HDF5 file, as runs and packed campaigns are", MAGIC("\x89HDF\r\n\x1a\n"),
     .taken = READS(DATA) | READS(STACK), .readers = PROGRAMS,
     .how = "'crosstalk show' says what it has; for this command give traces (a folder of "
            "'crosstalk trace -o FOLDER -- PROGRAM') or a GOAL schedule"},
    {"a campaign file", TEST(is_campaign), .taken = READS(YAML) | READS(STACK),
     .readers = READS(DATA),
     .how = "give the folder that 'crosstalk campaign run FILE -o FOLDER' makes of it"},

    /* Traces. */
    {"the anchor of an OTF2 archive", MAGIC("\x03\x42OTF2"), .taken = READS(TRACES),
     .readers = PROGRAMS,
     .how = "its name must end in .otf2, and the archive's other files must be beside it"},
    {"a part of an OTF2 archive", MAGIC("\x03\x42"), .readers = PROGRAMS,
     .how = "give the archive's anchor file, whose name ends in .otf2", .is_trace = true},
    {"a part of an OTF2 archive", MAGIC("\x03\x4c"), .readers = PROGRAMS,
     .how = "give the archive's anchor file, whose name ends in .otf2", .is_trace = true},
    {"a trace of DUMPI (sst-dumpi)", TEST(is_dumpi), .is_trace = true},
    {"the metafile of a trace of DUMPI (sst-dumpi)", TEST(is_dumpi_meta), .is_trace = true},
    {"a trace of DUMPI (sst-dumpi) as text", TEST(is_dumpi_text), .is_trace = true},
    {"a trace of liballprof2", TEST(is_liballprof2), .readers = PROGRAMS,
     .how = "it has no sizes of types; trace the program by liballprof or by 'crosstalk trace -o "
            "FOLDER "
            "-- PROGRAM'",
     .is_trace = true},
    {"the trace of one rank by liballprof", TEST(is_liballprof), .readers = PROGRAMS,
     .how = "give the folder that has those of all ranks; their names end in the rank and .txt"},
    {"a trace of SMPI (SimGrid)", TEST(is_smpi), .is_trace = true},
    {"the list of a trace of SMPI (SimGrid)", TEST(is_smpi_list), .is_trace = true},
    {"a trace of OTF, the first Open Trace Format (VampirTrace)", TEST(is_otf1), .is_trace = true},
    {"a trace of Paraver (Extrae)", MAGIC("#Paraver"), .is_trace = true},
    {"a trace of Dimemas", MAGIC("#DIMEMAS"), .is_trace = true},
    {"a trace of Chakra", TEST(is_chakra), .is_trace = true},
    {"a trace of Chakra or PyTorch (JSON)", TEST(is_chakra_json), .is_trace = true},
    {"a trace of Chrome's form, as Perfetto and PyTorch's profiler write (JSON)", TEST(is_chrome),
     .is_trace = true},
    {"a trace of SimGrid (Paje)", TEST(is_vite), .is_trace = true},
    {"a trace of MPE (CLOG-2)", MAGIC("CLOG-0"), .is_trace = true},
    {"a trace of Jumpshot (SLOG-2)", TEST(is_slog2), .is_trace = true},
    {"an SQLite database, as Nsight Systems exports", MAGIC("SQLite format 3"), .is_trace = true},
    {"a report of Nsight Compute", MAGIC("NVR\0"), .is_trace = true},
    {"a recording of Linux perf", MAGIC("PERFILE"), .is_trace = true},
    {"a trace of LTTng (CTF)", MAGIC("/* CTF"), .is_trace = true},
    {"a trace of LTTng (CTF)", MAGIC("\xc1\x1f\xfc\xc1"), .is_trace = true},
    {"a profile of HPCToolkit", MAGIC("HPCRUN"), .is_trace = true},
    {"a profile of HPCToolkit", MAGIC("HPCPROF"), .is_trace = true},
    {"packets recorded by tcpdump or Wireshark", TEST(is_pcap), .is_trace = true},

    /* Networks. */
    {"the output of iblinkinfo", TEST(is_iblinkinfo), .readers = GRAPHS, .how = PRINTED_FABRIC},
    {"the output of 'ibnetdiscover -p', a list of ports", TEST(is_ports_report), .readers = GRAPHS,
     .how = PRINTED_FABRIC},
    {"a list of InfiniBand nodes ('ibnetdiscover -l', ibhosts, ibswitches)", TEST(is_ib_list),
     .readers = GRAPHS, .how = "it has no links; " PRINTED_FABRIC},
    {"a subnet list of ibdiagnet or OpenSM (.lst)", TEST(is_subnet_list), .readers = GRAPHS,
     .how = PRINTED_FABRIC},
    {"a report of opareport (Omni-Path, XML)", TEST(is_opa_report)},
    {"a platform of SimGrid (XML)", TEST(is_simgrid)},
    {"a topology of one machine by hwloc (lstopo, XML)", TEST(is_hwloc), .readers = GRAPHS,
     .how = "it has no network; give the network between machines"},
    {"a topology of one machine by NCCL (XML)", TEST(is_nccl), .readers = GRAPHS,
     .how = "it has no network between machines"},
    {"the matrix of 'nvidia-smi topo -m'", TEST(is_nvidia_matrix), .readers = GRAPHS,
     .how = "it has no network between machines"},
    {"a graph in GraphML", TEST(is_graphml)},
    {"a graph in the language of Graphviz (DOT)", TEST(is_dot)},
    {"a graph in GML", TEST(is_gml)},
    {"a topology or traffic of htsim", TEST(is_htsim)},
    {"a network of BookSim (anynet)", TEST(is_booksim_net)},
    {"a configuration of BookSim", TEST(is_booksim)},
    {"Slurm's blocks (topology/block)", TEST(is_blocks), .readers = GRAPHS,
     .how = "blocks say nothing of switches; give the topology.conf of topology/tree, "
            "or " PRINTED_FABRIC},

    /* Anything else that has a name. */
    {"an archive of HDF4 or NetCDF-3", MAGIC("CDF\x01")},
    {"an archive of HDF4 or NetCDF-3", MAGIC("CDF\x02")},
    {"an ELF program or library",
     MAGIC("\x7f"
           "ELF"),
     .readers = PROGRAMS, .how = "'crosstalk trace -o FOLDER -- PROGRAM' records what it does"},
    {"an array of NumPy", MAGIC("\x93NUMPY")},
    {"a table of Parquet", MAGIC("PAR1")},
    {"a table of Arrow", MAGIC("ARROW1")},
    {"a picture (PNG)", MAGIC("\x89PNG")},
    {"a picture (JPEG)", MAGIC("\xff\xd8\xff")},
    {"a picture (SVG)", TEST(is_svg)},
    {"a PDF document", MAGIC("%PDF")},
    {"an XML file", TEST(is_xml)},
    {"a JSON file", TEST(is_json), .taken = READS(YAML) | READS(TOPOLOGY)},
    {"a script", MAGIC("#!")},
    {"a binary file", TEST(is_binary)},
    {"a table (CSV)", TEST(is_table), .taken = READS(TABLE)},
    {"an empty file", TEST(is_empty), .taken = TEXT_READERS},
    {"a text", TEST(is_text), .taken = TEXT_READERS},
#undef MAGIC
#undef TEST
};

/* What each reader takes, and where that comes from. */
#define TRACES_READ                                                                                \
    "a folder of 'crosstalk trace -o FOLDER -- PROGRAM', an OTF2 archive (Score-P's file .otf2), " \
    "a "                                                                                           \
    "folder of liballprof's texts"
static const char *const takes[CT_READS_N] = {
    [CT_READS_TRACES] = "traces are: " TRACES_READ,
    [CT_READS_SCHEDULE] =
        "read are GOAL schedules (text, or LogGOPSim's binary form) and traces: " TRACES_READ,
    [CT_READS_TOPOLOGY] = "read are Slurm's topology.conf ('scontrol show topology') and "
                          "topology.yaml, the output of "
                          "'ibnetdiscover', and YAML with the lists switches, links and routes",
    [CT_READS_TABLE] = "read are tables of text with commas (CSV)",
    [CT_READS_YAML] = "a text in YAML is read",
    [CT_READS_DATA] =
        ("read are run files of impactb, compressionb, logpb and workload (HDF5), and "
         "folders of 'crosstalk campaign run'"),
    [CT_READS_HOSTS] = "a text with the name of a host on each line is read",
    [CT_READS_STACK] =
        "lines 'key: value' are read, and the output of 'crosstalk calibrate' (HDF5)",
};

/* ---- looking ---- */

enum { NONE = sizeof formats / sizeof *formats };

static size_t find_format(const char *bytes, size_t size)
{
    char copy[CT_FOREIGN_BYTES + 1];
    size_t n = size < CT_FOREIGN_BYTES ? size : CT_FOREIGN_BYTES;
    if (n > 0)
        memcpy(copy, bytes, n);
    copy[n] = '\0';
    struct head head = {.bytes = copy, .size = n, .text = copy};
    if (memcmp(copy, "\xef\xbb\xbf", n < 3 ? 1 : 3) == 0 && n >= 3)
        head.text += 3;
    head.text += strspn(head.text, " \t\r\n");
    for (head.statement = head.text;
         *head.statement == '#' || isspace((unsigned char)*head.statement);)
        head.statement += *head.statement == '#' ? strcspn(head.statement, "\n") : 1;
    size_t i = 0;
    while (i < NONE &&
           !(formats[i].magic ? n >= formats[i].n_magic &&
                                    memcmp(copy, formats[i].magic, formats[i].n_magic) == 0
                              : formats[i].test(&head)))
        i++;
    return i;
}

/* What a text of 16 bits a character says, to a reader that takes such texts. */
static size_t find_format_for(const char *bytes, size_t size, enum ct_reads reads)
{
    char narrow[CT_FOREIGN_BYTES / 2];
    size_t i = find_format(bytes, size), n = 0;
    if (i == NONE || formats[i].test != is_utf16 || !(formats[i].taken & 1U << reads))
        return i;
    size_t first = memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0 ? 2 : 0;
    size_t low = first + (size > first &&
                          bytes[first] == '\0'); /* of the first character, which is ASCII's */
    for (size_t at = low; at < size && n < sizeof narrow; at += 2)
        narrow[n++] = bytes[at];
    return find_format(narrow, n);
}

const char *ct_reads_text(enum ct_reads reads)
{
    return takes[reads];
}

const char *ct_foreign_name(const char *bytes, size_t size)
{
    size_t i = find_format(bytes, size);
    return i == NONE ? NULL : formats[i].name;
}

static bool explain_format(const char *path, size_t i, enum ct_reads reads, struct ct_error *err)
{
    if (i == NONE || formats[i].taken & 1U << reads)
        return false;
    bool has_remedy = formats[i].readers & 1U << reads && formats[i].how;
    ct_fail(err, CT_EFORMAT, "%s: %s, which is not read; %s", path, formats[i].name,
            has_remedy ? formats[i].how : takes[reads]);
    return true;
}

bool ct_foreign_explain(const char *path, const char *bytes, size_t size, enum ct_reads reads,
                        struct ct_error *err)
{
    return explain_format(path, find_format_for(bytes, size, reads), reads, err);
}

static bool explain_file(const char *path, bool only_traces, enum ct_reads reads,
                         struct ct_error *err)
{
    char bytes[CT_FOREIGN_BYTES];
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return false;
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    size_t n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    size_t i = find_format_for(bytes, n, reads);
    return (!only_traces || (i != NONE && formats[i].is_trace)) &&
           explain_format(path, i, reads, err);
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

bool ct_foreign_explain_path(const char *path, enum ct_reads reads, struct ct_error *err)
{
    enum { FILES_MAX = 256 };
    struct stat about;
    struct dirent **entries;
    if (stat(path, &about) != 0 || !S_ISDIR(about.st_mode))
        return explain_file(path, false, reads, err);
    int n = scandir(path, &entries, is_visible, alphasort);
    bool known = false;
    for (int i = 0; i < n; i++) {
        char *name = NULL;
        if (!known && i < FILES_MAX && asprintf(&name, "%s/%s", path, entries[i]->d_name) >= 0)
            known = explain_file(name, true, reads, err);
        free(name);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return known;
}
