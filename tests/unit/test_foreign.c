/* core/foreign: formats of other programs, known by their first bytes. */
#include "core/foreign.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Beginnings as the programs write them, and a word of the name that they get. */
#define BYTES(text) (text), sizeof(text) - 1
static const struct {
    const char *bytes;
    size_t size;
    const char *word;
} files[] = {
    {BYTES("\x1f\x8b\x08\x00\x00"), "gzip"},
    {BYTES("PK\x03\x04\x14\x00"), "zip archive"},
    {BYTES("BZh91AY&SY"), "bzip2"},
    {BYTES("version https://git-lfs.github.com/spec/v1\noid sha256:4d\n"), "Git LFS"},
    {BYTES("\n<!DOCTYPE html>\n<html lang=\"en\">\n"), "HTML"},
    {BYTES("<HTML><head>"), "HTML"},
    {BYTES("\0\0\0\0\0\0\0\0"), "zero bytes"},
    {BYTES("\xff\xfes\0w\0i\0t\0"), "UTF-16"},
    {BYTES("S\0w\0i\0t\0c\0h\0"), "UTF-16"},
    {BYTES("\0S\0w\0i\0t\0c\0h"), "UTF-16"},
    {BYTES("CTTRACE\0\2\0\0\0"), "crosstalk trace"},
    {BYTES("\x7f\x10\0\0\0\0\0\0\2\0\0\0"), "LogGOPSim's binary"},
    {BYTES("// made\nnum_ranks 2\n"), "GOAL"},
    {BYTES("\x89HDF\r\n\x1a\n\0"), "HDF5"},
    {BYTES("\x03\x42OTF2\0\3\2"), "anchor"},
    {BYTES("\x03\x42\1\0\0\0\0\0"), "part of an OTF2"},
    {BYTES("\xa3\xe8\x01"
           "DUMPI\0\0"),
     "DUMPI"},
    {BYTES("hostname=node001\nnumprocs=2\nusername=user\nfileprefix=dumpi\nversion=1\n"), "DUMPI"},
    {BYTES(
         "version=1.0.0\nMPI_Init entering at walltime 12.5, cputime 0.007 seconds in thread 0.\n"),
     "DUMPI"},
    {BYTES("MPI_Init:0.00:1:0x7ffe:0.00  # backtrace []\n"), "liballprof2"},
    {BYTES("# htor's MPI-1 tracer\nMPI_Init:-:140736:140737:1\n"), "liballprof"},
    {BYTES("#Paraver (01/01/2020 at 10:00):1000_ns:1(4):1:4(1:1)\n"), "Paraver"},
    {BYTES("\x0d\x0a\x05"
           "0.0.4\x12\x04"),
     "Chakra"},
    {BYTES("{\"schema\": \"1.0.2-chakra.0.0.4\", \"pid\": 1, \"nodes\": ["), "Chakra"},
    {BYTES("{\n \"traceEvents\": [\n  {\"ph\": \"X\", \"ts\": 1}]}"), "Chrome"},
    {BYTES("0 init\n0 compute 1e9\n0 send 1 0 1e6\n"), "SMPI"},
    {BYTES("p0 init\np0 bcast 5e8\n"), "SMPI"},
    {BYTES("rank-3 irecv 0 12 1000\n"), "SMPI"},
    {BYTES("ti_trace0.txt_files/0_rank-0.txt\nti_trace0.txt_files/1_rank-1.txt\n"), "SMPI"},
    {BYTES("1:1\n2:2,3\n"), "OTF"},
    {BYTES("%EventDef PajeDefineContainerType 0\n"), "Paje"},
    {BYTES("CLOG-02.44\0\0\1"), "CLOG-2"},
    {BYTES("\0\x0aSLOG 2.0.6\0"), "SLOG-2"},
    {BYTES("SQLite format 3\0\x10\0"), "SQLite"},
    {BYTES("\xd4\xc3\xb2\xa1\2\0\4\0\0\0\0\0\0\0\0\0"), "tcpdump"},
    {BYTES("Switch: 0x0000000000000101 leaf1:\n  1719   10[  ] ==( 4X  25.78125 Gbps Active/  "
           "LinkUp)==>  134    1[  ] \"node1 HCA-1\" ( )\n"),
     "iblinkinfo"},
    {BYTES(
         "CA   134  1 0x00000000000000a1 4x EDR - SW  1719 10 0x0000000000000101 ( 'a' - 'b' )\n"),
     "ibnetdiscover -p"},
    {BYTES("Ca\t: 0x0002c9030000 ports 2 \"node1 HCA-1\"\n"), "ibhosts"},
    {BYTES("{ CA Ports:01 SystemGUID:0002c9 NodeGUID:0002c9 VenID:000002C9 } { SW Ports:24 } "),
     "ibdiagnet"},
    {BYTES("<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
           "<platform version=\"4.1\">\n"),
     "SimGrid"},
    {BYTES("<?xml version=\"1.0\" encoding=\"utf-8\" ?>\n<Report date=\"Mon\" unixtime=\"1\">\n"),
     "opareport"},
    {BYTES("<?xml version=\"1.0\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology "
           "version=\"2.0\">"),
     "hwloc"},
    {BYTES("<?xml version=\"1.0\"?>\n<graphml xmlns=\"http://\">"), "GraphML"},
    {BYTES("<svg xmlns=\"http://www.w3.org/2000/svg\">"), "SVG"},
    {BYTES("<note>"), "XML"},
    {BYTES("# fat tree\nNodes 16\nTiers 3\nPodsize 4\n"), "htsim"},
    {BYTES("router 0 node 0 node 1 router 1 15\n"), "anynet"},
    {BYTES("// a\ntopology = mesh;\nk = 8;\n"), "BookSim"},
    {BYTES("digraph G {\n a -> b;\n}\n"), "Graphviz"},
    {BYTES("graph [\n  node [\n"), "GML"},
    {BYTES("BlockName=b1 Nodes=n[01-04]\n"), "topology/block"},
    {BYTES("\x7f"
           "ELF\2\1\1\0"),
     "ELF"},
    {BYTES("#!/bin/sh\necho\n"), "script"},
    {BYTES("{\"a\": 1}"), "JSON"},
    {BYTES("a,b,c\n1,2,3\n"), "CSV"},
    {BYTES("\xef\xbb\xbf"
           "from;to\nn0;n1\n"),
     "CSV"},
    {BYTES("ab\0cd\1\2"), "binary"},
    {BYTES(""), "an empty file"},
    {BYTES("hello, w\xc3\xb6rld\n"), "a text"},
};

static void files_of_others_are_known(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *name = ct_foreign_name(files[i].bytes, files[i].size);
        if (!name || !strstr(name, files[i].word))
            fail_msg("'%s' is %s, not %s", files[i].bytes, name ? name : "not known",
                     files[i].word);
    }
}

/* Every beginning of a file, in memory that ends with it. */
static void beginnings_are_read_within_their_size(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        for (size_t size = 0; size <= files[i].size; size++) {
            char *bytes = malloc(size + 1);
            assert_non_null(bytes);
            memcpy(bytes, files[i].bytes, size);
            bytes = realloc(bytes, size > 0 ? size : 1);
            ct_foreign_name(bytes, size);
            free(bytes);
        }
}

static void what_readers_take_is_not_foreign_to_them(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "\n",
        "hello\n",
        "SwitchName=s0 Nodes=n[0-3]\nSwitchName=s1 Nodes=n[4-7]\n",
        "vendid=0x2c9\ndevid=0xcb20\nswitchguid=0x101(101)\nSwitch\t36 \"S-0101\"\n",
        "Ca\t2 \"H-00a1\"\t\t# \"node1 HCA-1\"\n",
        "switches: [a, b]\nlinks: [c, d]\n",
        "kind: mpiexec\nhosts: [a, b]\n",
        "name: x\n- a\n",
    };
    struct ct_error err = {.text = "as it was"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (ct_foreign_explain("x", texts[i], strlen(texts[i]), CT_READS_YAML, &err))
            fail_msg("%s", err.text);
    assert_false(ct_foreign_explain("x", "num_ranks 2\n", 12, CT_READS_SCHEDULE, &err));
    assert_false(ct_foreign_explain("x", "{\"a\": 1,", 8, CT_READS_TOPOLOGY, &err));
    assert_false(ct_foreign_explain("x", "a,b\n1,2\n", 8, CT_READS_TABLE, &err));
    /* The same of 16 bits a character, which YAML may have. */
    assert_false(ct_foreign_explain("x", BYTES("\xff\xfek\0:\0 \0v\0\n\0"), CT_READS_YAML, &err));
    assert_string_equal(err.text, "as it was");
    static const char table[] = "a\0,\0b\0\n\0"
                                "1\0,\0"
                                "2\0\n";
    assert_true(ct_foreign_explain("x", table, sizeof table, CT_READS_YAML, &err));
    assert_string_equal(err.text, "x: a table (CSV), which is not read; a text in YAML is read");
    assert_true(ct_foreign_explain("x", BYTES("\xfe\xff\0d\0i\0g\0r\0a\0p\0h\0 \0G\0 \0{\0\n"),
                                   CT_READS_YAML, &err));
    assert_non_null(strstr(err.text, "Graphviz"));
}

static void messages_say_what_is_read_and_how_to_get_it(void **state)
{
    (void)state;
    struct ct_error err;
    assert_true(ct_foreign_explain("a.prv", BYTES("#Paraver (01"), CT_READS_TRACES, &err));
    assert_int_equal(err.status, CT_EFORMAT);
    assert_string_equal(err.text,
                        "a.prv: a trace of Paraver (Extrae), which is not read; traces are: "
                        "a folder of 'crosstalk trace -o FOLDER -- PROGRAM', an OTF2 "
                        "archive (Score-P's file .otf2), a folder of liballprof's texts");
    assert_true(ct_foreign_explain("a.gz", BYTES("\x1f\x8b\x08"), CT_READS_TOPOLOGY, &err));
    assert_string_equal(err.text, "a.gz: a file packed by gzip, which is not read; unpack the file "
                                  "first: gunzip");
    for (int reads = 0; reads < CT_READS_N; reads++)
        assert_true(strlen(ct_reads_text((enum ct_reads)reads)) > 10);
}

static void write_file(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

/* Of a folder only traces count: other files may lie in any. */
static void folders_are_known_by_their_traces(void **state)
{
    (void)state;
    char folder[] = "/tmp/foreign.XXXXXX", script[64], trace[64];
    struct ct_error err;
    assert_non_null(mkdtemp(folder));
    snprintf(script, sizeof script, "%s/a.sh", folder);
    snprintf(trace, sizeof trace, "%s/trace-0000.txt", folder);
    write_file(script, "#!/bin/sh\n");
    assert_false(ct_foreign_explain_path(folder, CT_READS_TRACES, &err));
    assert_true(ct_foreign_explain_path(script, CT_READS_TRACES, &err));
    write_file(trace, "0 init\n0 send 1 0 1e6\n");
    assert_true(ct_foreign_explain_path(folder, CT_READS_TRACES, &err));
    assert_non_null(
        strstr(err.text, "/trace-0000.txt: a trace of SMPI (SimGrid), which is not read"));
    assert_false(ct_foreign_explain_path("/dev/zero", CT_READS_TRACES, &err));
    assert_false(ct_foreign_explain_path("/nowhere", CT_READS_TRACES, &err));
    unlink(script);
    unlink(trace);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_others_are_known),
        cmocka_unit_test(beginnings_are_read_within_their_size),
        cmocka_unit_test(what_readers_take_is_not_foreign_to_them),
        cmocka_unit_test(messages_say_what_is_read_and_how_to_get_it),
        cmocka_unit_test(folders_are_known_by_their_traces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
