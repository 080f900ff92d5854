/* Topologies of files: what they say, what is wrong with them and in which line. */
#include "core/file.h"
#include "core/parts.h"
#include "tests/unit/unit.h"
#include "topology/measure.h"
#include "topology/parts.h"
#include "topology/places.h"
#include "topology/read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct ct_topology parse(const char *text)
{
    struct ct_topology topology;
    struct ct_error err = {.text = ""};
    if (ct_topology_parse(text, strlen(text), "file", &topology, &err) != CT_OK)
        fail_msg("%s", err.text);
    return topology;
}

static void assert_refused(const char *text, const char *message)
{
    struct ct_topology topology;
    struct ct_router *router;
    struct ct_error err = {.text = ""};
    enum ct_status status = ct_topology_parse(text, strlen(text), "file", &topology, &err);
    if (status == CT_OK) {
        status = ct_router_new(&topology, &router, &err);
        if (status == CT_OK)
            fail_msg("accepted: %s", text);
        ct_topology_free(&topology);
    }
    if (!strstr(err.text, message))
        fail_msg("'%s', not '%s'", err.text, message);
}

static uint32_t vertex(const struct ct_topology *topology, const char *name)
{
    uint32_t v;
    if (!ct_topology_find(topology, name, &v))
        fail_msg("%s is not there", name);
    return v;
}

static uint32_t switches_between(const struct ct_topology *topology, const char *from,
                                 const char *to)
{
    struct ct_router *router;
    uint32_t switches;
    assert_int_equal(ct_router_new(topology, &router, NULL), CT_OK);
    assert_int_equal(
        ct_route_switches(router, vertex(topology, from), vertex(topology, to), &switches, NULL),
        CT_OK);
    ct_router_free(router);
    return switches;
}

/* ---- Slurm ---- */

/* The example of topology.conf(5). */
static const char slurm[] = "# Slurm's network topology configuration file\n"
                            "SwitchName=s0 Nodes=dev[0-5]\n"
                            "SwitchName=s1 Nodes=dev[6-11] LinkSpeed=100\n"
                            "\n"
                            "switchname=s2 nodes=dev[12-17] # comment\n"
                            "SwitchName=s3 Switches=s[0-2]\n";

/* What scontrol says of it: lines of other switches list all nodes below, too. */
static const char scontrol[] =
    "SwitchName=s0 Level=0 LinkSpeed=1 Nodes=dev[0-5]\n"
    "SwitchName=s1 Level=0 LinkSpeed=1 Nodes=dev[6-11]\n"
    "SwitchName=s2 Level=0 LinkSpeed=1 Nodes=dev[12-17] Switches=(null)\n"
    "SwitchName=s3 Level=1 LinkSpeed=1 Nodes=dev[0-17] Switches=s[0-2]\n";

static void slurm_says_a_tree(void **state)
{
    (void)state;
    const char *const texts[] = {slurm, scontrol};
    for (size_t i = 0; i < 2; i++) {
        struct ct_topology topology = parse(texts[i]);
        assert_int_equal(topology.n_nodes, 18);
        assert_int_equal(topology.n_switches, 4);
        assert_int_equal(topology.n_links, 18 + 3);
        assert_string_equal(ct_topology_name(&topology, 0), "dev0");
        assert_int_equal(switches_between(&topology, "dev0", "dev5"), 1);
        assert_int_equal(switches_between(&topology, "dev0", "dev17"), 3);
        assert_true(isnan(topology.links[0].rate_bit_per_s));
        ct_topology_free(&topology);
    }
}

static void slurm_lines_that_are_wrong_are_named(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"SwitchName=a Switches=b\nSwitchName=b Switches=c\nSwitchName=c Switches=a\n"
         "SwitchName=d Nodes=n1\n",
         "file: line 1: a loop: switch a is below itself"},
        {"SwitchName=a Switches=a\n", "line 1: a loop: switch a is below itself"},
        {"SwitchName=a Nodes=n1,n1\n", "line 1: node n1 is there twice"},
        {"SwitchName=a Nodes=n1\nSwitchName=b Switches=a,a\n", "line 2: switch a is there twice"},
        {"SwitchName=a Nodes=n1\nSwitchName=a Nodes=n2\n",
         "line 2: switch a is there twice; the other one is in line 1"},
        {"SwitchName=a Switches=b\n", "line 1: switch b is in no line of its own"},
        {"SwitchName=a\nSwitchName=b Switches=a\n", "no node in it"},
        {"SwitchName=a Nodes=\"n1\n", "line 1: Nodes: '\"' without an end"},
        {"SwitchName=a Nodes= LinkSpeed=1\n", "line 1: Nodes: no value in front of 'LinkSpeed=1'"},
        {"SwitchName a Nodes=n1\n", "line 1: 'SwitchName': not of the form KEY=VALUE"},
        {"SwitchName=a Nodes=n1\nhello\n", "line 2: 'hello': not of the form KEY=VALUE"},
        {"SwitchName=a Nodes=n1\nInclude more.conf\n", "line 2: Include: the lines of another"},
        {"SwitchName=a Nodes=n1 Switches=b\n", "line 1: both Switches and Nodes"},
        {"SwitchName=a Nodes=n1 Nodes=n2\n", "line 1: Nodes is there twice"},
        {"SwitchName=a Nodes=n[1\n", "line 1: list of names 'n[1': '[' without ']'"},
        {"SwitchName=a Nodes=n[3-1]\n", "ends below its begin"},
        {"SwitchName=a Nodes=n[]\n", "a number of 1 to 9 digits is missing"},
        {"SwitchName=a Nodes=n[1-1000000000]\n", "1 to 9 digits"},
        {"SwitchName=a Nodes=n[0-999999999]\n", "too long"},
        {"SwitchName=a Nodes=n1,,n2\n", "a name is missing"},
        {"SwitchName=a Nodes=\n", "a name is missing"},
        {"SwitchName=a Nodes=n]\n", "']' without '['"},
        {"SwitchName=a Colour=red\n", "line 1: 'Colour': not one of SwitchName"},
        {"\nSwitchName=a Nodes\n", "line 2: 'Nodes': not of the form KEY=VALUE"},
        {"SwitchName=a Nodes=a\n", "line 1: a is there twice"},
        {"BlockName=b1 Nodes=n[1-4]\nBlockSizes=4\n",
         "file: of Slurm's plugin topology/block, whose blocks tell no switches"},
        {"BlockName=b1 BlockIndex=0 Nodes=n[1-4] BlockSize=4\n", "blocks tell no switches"},
        {"# nothing\n\n", "empty"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_refused(rows[i][0], rows[i][1]);
}

/* Slurm's Topology Guide: four leaves below each of two spines. */
static void switches_may_be_below_several(void **state)
{
    (void)state;
    struct ct_topology topology = parse("SwitchName=leaf0 Nodes=n[0-3]\n"
                                        "SwitchName=leaf1 Nodes=n[4-7]\n"
                                        "SwitchName=leaf2 Nodes=n[8-11]\n"
                                        "SwitchName=leaf3 Nodes=n[12-15]\n"
                                        "SwitchName=spine0 Switches=leaf[0-3]\n"
                                        "SwitchName=spine1 Switches=leaf[0-3]\n");
    struct ct_router *router;
    struct ct_hop_counts counts;
    assert_int_equal(topology.n_nodes, 16);
    assert_int_equal(topology.n_switches, 6);
    assert_int_equal(topology.n_links, 24);
    assert_int_equal(ct_router_new(&topology, &router, NULL), CT_OK);
    assert_int_equal(ct_topology_count_hops(router, &topology, 1000, &counts, NULL), CT_OK);
    assert_int_equal(counts.n, 4);
    assert_int_equal(counts.pairs[1], 48);
    assert_int_equal(counts.pairs[3], 192);
    assert_int_equal(counts.apart, 0);
    free(counts.pairs);
    ct_router_free(router);
    ct_topology_free(&topology);
}

/* Texts that Slurm's parser takes; all are the same network. */
static void slurm_syntax_is_that_of_slurm(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "SwitchName=a Nodes=n[0-1]\nSwitchName=b Nodes=n[2-3]\nSwitchName=c Switches=a,b\n",
        "\xef\xbb\xbfSwitchName = a Nodes= n[0-1]\r\nSwitchName=b Nodes =\"n[2-3]\"\r\n"
        "SwitchName=\"c\" Switches=a,b\r\n",
        "  SwitchName=a Nodes=n0,n1,\nSwitchName=b Nodes=\"n2,n3,\"#x\nSwitchName=c Switches=a,\\\n"
        "b\n",
        "TopologyPlugin=topology/tree\nSwitchName=a Nodes=n[0-1]\nSwitchName=b Nodes=n[2-3]\n"
        "BlockName=x Nodes=n[0-3]\nSwitchName=c Switches=a,b\n",
        "ERROR: ld.so: object '/opt/x.so' cannot be preloaded: ignored.\n"
        "SwitchName=a Nodes=n[0-1]\nSwitchName=b Nodes=n[2-3]\nSwitchName=c Switches=a,b\n",
        "SwitchName=a Nodes=n[0-1]\nSwitchName=b Nodes=n[2-3]\nSwitchName=d\nSwitchName=e "
        "Nodes=\"\" LinkSpeed=1\nSwitchName=f Switches=d,e\nSwitchName=c Switches=a,b,d,f\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct ct_topology topology = parse(texts[i]);
        assert_int_equal(topology.n_nodes, 4);
        assert_int_equal(topology.n_switches, 3);
        assert_int_equal(topology.n_links, 6);
        assert_int_equal(switches_between(&topology, "n0", "n1"), 1);
        assert_int_equal(switches_between(&topology, "n0", "n3"), 3);
        ct_topology_free(&topology);
    }
}

static void assert_note(const struct ct_topology *topology, const char *note)
{
    if (!topology->notes || !strstr(topology->notes, note))
        fail_msg("'%s', not '%s'", topology->notes ? topology->notes : "", note);
}

/* What no link joins: each part by itself. */
static void parts_have_their_own_numbers(void **state)
{
    (void)state;
    struct ct_topology topology = parse("SwitchName=a Nodes=n[0-3]\nSwitchName=b Nodes=n[4-5]\n"
                                        "SwitchName=c Nodes=n[6-7]\nSwitchName=d Switches=b,c\n");
    struct ct_topology_parts parts;
    struct ct_router *router;
    struct ct_error err;
    uint32_t switches;
    assert_int_equal(ct_topology_split(&topology, &parts, NULL), CT_OK);
    assert_int_equal(parts.n, 2);
    assert_int_equal(parts.part[0].n_nodes, 4);
    assert_int_equal(parts.part[0].n_switches, 1);
    assert_int_equal(parts.part[1].n_nodes, 4);
    assert_int_equal(parts.part[1].n_switches, 3);
    assert_int_equal(parts.part[1].n_links, 6);
    assert_int_equal(switches_between(&parts.part[1], "n4", "n7"), 3);
    assert_int_equal(ct_router_new(&topology, &router, NULL), CT_OK);
    assert_int_equal(ct_route_switches(router, 0, 5, &switches, &err), CT_ENODATA);
    assert_non_null(strstr(err.text, "file: no links lead from n0 to n5: give nodes of one part"));
    ct_router_free(router);
    ct_topology_parts_free(&parts);
    ct_topology_free(&topology);
    topology = parse(slurm);
    assert_int_equal(ct_topology_split(&topology, &parts, NULL), CT_OK);
    assert_int_equal(parts.n, 0);
    ct_topology_free(&topology);
}

/* Two rails: a host on both has a route to each node, one rail does not reach the other. */
static void nodes_may_be_on_several_switches(void **state)
{
    (void)state;
    struct ct_topology topology = parse("SwitchName=a Nodes=n1,n2\nSwitchName=b Nodes=n2,n3\n");
    struct ct_router *router;
    struct ct_hop_counts counts;
    assert_int_equal(topology.n_nodes, 3);
    assert_int_equal(topology.n_links, 4);
    assert_note(&topology, "Nodes on several switches");
    assert_int_equal(ct_router_new(&topology, &router, NULL), CT_OK);
    assert_int_equal(ct_topology_count_hops(router, &topology, 1000, &counts, NULL), CT_OK);
    assert_int_equal(counts.pairs[1], 4);
    assert_int_equal(counts.apart, 2);
    free(counts.pairs);
    ct_router_free(router);
    ct_topology_free(&topology);
}

/* A leaf may have more nodes than one can walk over for each pair. */
static void slow_large_leaves_are_walked_over_once(void **state)
{
    (void)state;
    struct ct_topology topology = parse("SwitchName=a Nodes=n[0-99999]\n"
                                        "SwitchName=b Nodes=n[100000-199999]\n"
                                        "SwitchName=c Switches=a,b\n");
    struct ct_router *router;
    struct ct_hop_counts counts;
    assert_int_equal(ct_router_new(&topology, &router, NULL), CT_OK);
    assert_int_equal(ct_topology_count_hops(router, &topology, 800000, &counts, NULL), CT_OK);
    assert_int_equal(counts.targets, 4);
    assert_int_equal(counts.pairs[1], 4 * 99999);
    assert_int_equal(counts.pairs[3], 4 * 100000);
    free(counts.pairs);
    ct_router_free(router);
    ct_topology_free(&topology);
}

static void hosts_have_names_with_and_without_domain(void **state)
{
    (void)state;
    static const char *const rows[][2] = {{"na", "na"},       {"na.cluster.example", "na"},
                                          {"nb.x", "nb.x"},   {"nb", "nb.x"},
                                          {"nc.x", "nc.x"},   {"nc", NULL},
                                          {"nb.y", NULL},     {"s", NULL},
                                          {"10.0.0.1", NULL}, {".", NULL},
                                          {"na-ib.x", NULL},  {"", NULL}};
    struct ct_topology topology = parse("SwitchName=s Nodes=na,nb.x,nc.x,nc.y,10\n");
    static const char *const same[] = {"na.x", "na.y"};
    struct ct_error err;
    uint32_t node, vertex[2];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool found = ct_topology_find_host(&topology, rows[i][0], &node);
        assert_int_equal(found, rows[i][1] != NULL);
        if (found)
            assert_string_equal(ct_topology_name(&topology, node), rows[i][1]);
    }
    assert_int_equal(ct_topology_place(&topology, same, 2, CT_PLACES_IN_ORDER, vertex, &err),
                     CT_EINVAL);
    assert_non_null(strstr(err.text, "na.x and na.y, hosts of this run, are one node, na"));
    ct_topology_free(&topology);
}

static void write_text(const char *path, const char *text)
{
    assert_int_equal(ct_file_save(path, text, strlen(text), NULL), CT_OK);
}

/* Options give links what the file does not have. */
static void files_are_filled_and_included(void **state)
{
    (void)state;
    struct ct_topology_settings settings = ct_topology_defaults();
    struct ct_topology topology;
    struct ct_error err = {.text = ""};
    settings.rate_bit_per_s = 50e6;
    settings.uplink_bit_per_s = 400e6;
    settings.wire_s = 500e-9;
    write_text("leaves.conf", "SwitchName=leaf0 Nodes=n[0-7]\nSwitchName=leaf1 Nodes=n[8-15]\n");
    write_text("whole.conf", "Include leaves.conf # two\nSwitchName=core Switches=leaf[0-1]\n");
    assert_int_equal(ct_topology_open("./whole.conf", &settings, &topology, &err), CT_OK);
    assert_int_equal(topology.n_links, 18);
    for (uint32_t i = 0; i < 18; i++) {
        assert_near(topology.links[i].rate_bit_per_s, i < 16 ? 50e6 : 400e6, 0);
        assert_near(topology.links[i].latency_s, 500e-9, 0);
    }
    assert_null(topology.notes);
    ct_topology_free(&topology);
    write_text("whole.conf", "Include whole.conf\nInclude whole.conf\n");
    assert_int_equal(ct_topology_read("whole.conf", &topology, &err), CT_EFORMAT);
    assert_non_null(strstr(err.text, "more than 100 lines Include"));
    write_text("whole.conf", "SwitchName=a Nodes=n1\nInclude nowhere.conf\n");
    assert_int_equal(ct_topology_read("whole.conf", &topology, &err), CT_ENOENT);
    assert_non_null(strstr(err.text, "whole.conf: line 2: nowhere.conf: "));
    remove("whole.conf");
    remove("leaves.conf");
}

static void lists_of_names_are_those_of_slurm(void **state)
{
    (void)state;
    struct ct_topology topology =
        parse("SwitchName=s Nodes=a[08-10,12],b,r[1-2]n[0-1] \\\n  LinkSpeed=1\n");
    static const char *const names[] = {"a08",  "a09",  "a10",  "a12", "b",
                                        "r1n0", "r1n1", "r2n0", "r2n1"};
    assert_int_equal(topology.n_nodes, 9);
    for (uint32_t i = 0; i < 9; i++)
        assert_string_equal(ct_topology_name(&topology, i), names[i]);
    ct_topology_free(&topology);
}

/* ---- ibnetdiscover ---- */

#define NODE(guid_, name_, switch_, port_)                                                         \
    "\nvendid=0x2c9\ndevid=0x673c\ncaguid=0x" guid_ "\nCa\t2 \"H-" guid_ "\"\t\t# \"" name_        \
    "\"\n[1](" guid_ ") \t\"S-" switch_ "\"[" port_ "]\t\t# lid 4 lmc 1 \"ISR\" lid 6 4xEDR\n"
#define TO_NODE(port_, guid_)                                                                      \
    "[" port_ "]\t\"H-" guid_ "\"[1](" guid_ ") \t\t# \"node\" lid 4 4xEDR\n"

/* Two leaves with two nodes each, two spines, one of them with two links to the first leaf. */
static const char ibnet[] =
    "#\n# Topology file: generated on Mon Dec 18 12:34:08 2023\n#\n"
    "vendid=0x2c9\ndevid=0xcb20\nswitchguid=0xa1(a1)\n"
    "Switch\t36 \"S-a1\"\t\t# \"leaf one\" enhanced port 0 lid 48 lmc 0\n" TO_NODE("1", "10")
        TO_NODE(
            "2",
            "02") "[33]\t\"S-b1\"[1]\t\t# \"spine\" lid 1 4xHDR\n"
                  "[34]\t\"S-b1\"[2]\t\t# \"spine\" lid 1 4xHDR\n"
                  "[35]\t\"S-b2\"[1]\t\t# \"spine\" lid 2 4xHDR\n"
                  "\nswitchguid=0xa2(a2)\n"
                  "Switch\t36 \"S-a2\"\t\t# \"leaf two\" base port 0 lid 49 lmc 0\n" TO_NODE("1",
                                                                                             "03")
                      TO_NODE(
                          "2",
                          "04") "[33]\t\"S-b1\"[3]\t\t# \"spine\" lid 1 4xHDR\n"
                                "[35]\t\"S-b2\"[3]\t\t# \"spine\" lid 2 4xHDR\n"
                                "\nswitchguid=0xb1(b1)\n"
                                "Switch\t36 \"S-b1\"\t\t# \"spine\" base port 0 lid 1 lmc 0\n"
                                "[1]\t\"S-a1\"[33]\t\t# \"leaf one\" lid 48 4xHDR\n"
                                "[2]\t\"S-a1\"[34]\t\t# \"leaf one\" lid 48 4xHDR\n"
                                "[3]\t\"S-a2\"[33]\t\t# \"leaf two\" lid 49 4xHDR\n"
                                "\nswitchguid=0xb2(b2)\n"
                                "Switch\t36 \"S-b2\"\t\t# \"spine\" base port 0 lid 2 lmc 0\n"
                                "[1]\t\"S-a1\"[35]\t\t# \"leaf one\" lid 48 4xHDR\n"
                                "[3]\t\"S-a2\"[35]\t\t# \"leaf two\" lid 49 4xHDR\n"
                                "[41]\t\"H-ff\"[1](ff) \t\t# \"Mellanox Technologies Aggregation "
                                "Node\" lid 9 4xHDR\n" NODE("10", "node10 HCA-1", "a1", "1")
                                    NODE("02", "node2 HCA-1", "a1", "2")
                                        NODE("03", "node3 HCA-1", "a2", "1")
                                            NODE("04", "node4 HCA-1", "a2", "2")
                                                NODE("ff", "Mellanox Technologies Aggregation Node",
                                                     "b2", "41");

static void ibnetdiscover_says_links_with_rates(void **state)
{
    (void)state;
    struct ct_topology topology = parse(ibnet);
    assert_int_equal(topology.n_nodes, 4);
    assert_int_equal(topology.n_switches, 4);
    assert_int_equal(topology.n_links, 4 + 5);
    static const char *const names[] = {"node2", "node3", "node4",    "node10",
                                        "S-b1",  "S-b2",  "leaf-one", "leaf-two"};
    uint32_t found = 0;
    for (uint32_t v = 0; v < 4; v++)
        assert_string_equal(ct_topology_name(&topology, v), names[v]);
    for (uint32_t v = 4; v < 8; v++)
        for (size_t i = 4; i < 8; i++)
            found += !strcmp(ct_topology_name(&topology, v), names[i]);
    assert_int_equal(found, 4);
    assert_int_equal(switches_between(&topology, "node2", "node10"), 1);
    assert_int_equal(switches_between(&topology, "node2", "node4"), 3);
    for (uint32_t i = 0; i < topology.n_links; i++)
        assert_near(topology.links[i].rate_bit_per_s,
                    topology.links[i].end[0] < 4 || topology.links[i].end[1] < 4 ? 100e9 : 200e9,
                    0);
    ct_topology_free(&topology);
}

/* Adapters that are described alike are distinguished by their GUIDs. */
static void adapters_without_names_have_their_guids(void **state)
{
    (void)state;
    struct ct_topology topology =
        parse("Switch\t8 \"S-a1\"\t# \"x\" lid 3\n" TO_NODE("1", "10") TO_NODE("2", "02") NODE(
            "10", "MT23108 InfiniHost", "a1", "1") NODE("02", "MT23108 InfiniHost", "a1", "2"));
    assert_string_equal(ct_topology_name(&topology, 0), "H-02");
    assert_string_equal(ct_topology_name(&topology, 1), "H-10");
    ct_topology_free(&topology);
}

/* A switch with some adapters, of these descriptions. */
static struct ct_topology parse_adapters(const char *const *descriptions, size_t n)
{
    char text[4096];
    int length = snprintf(text, sizeof text, "Switch\t8 \"S-a1\"\t# \"x\"\n");
    for (size_t i = 0; i < n; i++)
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "[%zu]\t\"H-%zu\"[1](%zu)\t# \"%s\" 4xEDR\n", i + 1, i + 10, i + 10,
                           descriptions[i]);
    for (size_t i = 0; i < n; i++)
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "Ca\t1 \"H-%zu\"\t# \"%s\"\n[1](%zu)\t\"S-a1\"[%zu]\t# 4xEDR\n", i + 10,
                           descriptions[i], i + 10, i + 1);
    assert_true((size_t)length < sizeof text);
    return parse(text);
}

/* A host is one node, whatever number of adapters it has. */
static void adapters_of_a_host_are_one_node(void **state)
{
    (void)state;
    enum { N = 4 };
    static const struct {
        const char *descriptions[N], *names[N];
    } rows[] = {
        {{"node1 mlx5_0", "node2 mlx5_0", "node1 mlx5_1", "node2 mlx5_1"}, {"node1", "node2"}},
        {{"node1 HCA-1", "node1 HCA-2", "node2 HCA-1", "node10 HCA-1"},
         {"node1", "node2", "node10"}},
        {{"'node1 hfi1_0'", "'node1 hfi1_1'", "node2", "node3 ibp65s0"},
         {"node1", "node2", "node3"}},
        {{"node1-mlx5_0", "node1-mlx5_bond_1", "node2_hca0", "node2_hca1"}, {"node1", "node2"}},
        /* No adapter's name: other machines. */
        {{"rack 1", "rack 2", "login", "oss A"}, {"login", "oss", "rack-1", "rack-2"}},
        /* The same adapter twice: machines without names. */
        {{"localhost mlx5_0", "localhost mlx5_0", "n1 mlx5_0", "n2 mlx5_0"},
         {"H-10", "H-11", "n1", "n2"}},
        {{"mlx5_0", "mlx5_0", "mlx5_1", "n1"}, {"H-10", "H-11", "mlx5_1", "n1"}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ct_topology topology = parse_adapters(rows[i].descriptions, N);
        uint32_t n = 0;
        while (n < N && rows[i].names[n])
            n++;
        assert_int_equal(topology.n_links, N);
        assert_int_equal(topology.n_nodes, n);
        for (uint32_t v = 0; v < n; v++)
            assert_string_equal(ct_topology_name(&topology, v), rows[i].names[v]);
        ct_topology_free(&topology);
    }
}

/* Two rails of three hosts: one switch between all, destinations on rails in turn. */
static void routes_of_several_adapters_take_the_shorter_rail(void **state)
{
    (void)state;
#define HOST(port_, guid_, name_)                                                                  \
    "[" port_ "]\t\"H-" guid_ "\"[1](" guid_ ")\t# \"" name_ "\" lid 1 4xNDR\n"
#define ADAPTER(guid_, name_, switch_, port_)                                                      \
    "Ca\t1 \"H-" guid_ "\"\t# \"" name_ "\"\n[1](" guid_ ")\t\"S-" switch_ "\"[" port_             \
    "]\t# lid 2 4xNDR\n"
    struct ct_topology topology =
        parse("Switch\t41 \"S-a\"\t# \"leaf0\"\n" HOST("1", "10", "node1 mlx5_0")
                  HOST("2", "20", "node2 mlx5_0")
                      HOST("3", "30", "node3 mlx5_0") "Switch\t41 \"S-b\"\t# \"leaf1\"\n" HOST(
                          "1", "11", "node1 mlx5_1") HOST("2", "21", "node2 mlx5_1")
                          HOST("3", "31", "node3 mlx5_1") ADAPTER("10", "node1 mlx5_0", "a", "1")
                              ADAPTER("11", "node1 mlx5_1", "b", "1")
                                  ADAPTER("20", "node2 mlx5_0", "a", "2")
                                      ADAPTER("21", "node2 mlx5_1", "b", "2")
                                          ADAPTER("30", "node3 mlx5_0", "a", "3")
                                              ADAPTER("31", "node3 mlx5_1", "b", "3"));
    struct ct_router *router;
    struct ct_route route = {0};
    struct ct_bisection bisection;
    assert_int_equal(topology.n_nodes, 3);
    assert_int_equal(topology.n_links, 6);
    assert_note(&topology, "6 adapters belong to 3 hosts");
    assert_int_equal(ct_router_new(&topology, &router, NULL), CT_OK);
    for (uint32_t from = 0; from < 3; from++)
        for (uint32_t to = 0; to < 3; to++) {
            if (from == to)
                continue;
            assert_int_equal(ct_route_find(router, from, to, &route, NULL), CT_OK);
            assert_int_equal(route.n, 2);
            assert_string_equal(ct_topology_name(&topology, route.hops[0].to),
                                to % 2 ? "leaf1" : "leaf0");
        }
    assert_int_equal(ct_topology_bisect(&topology, &bisection, NULL), CT_OK);
    assert_int_equal(bisection.links, 2);
    free(route.hops);
    ct_router_free(router);
    ct_topology_free(&topology);
}

/* Warnings in front, a cable from a switch to itself, and ends of different widths. */
static void ibnetdiscover_of_real_networks_is_read(void **state)
{
    (void)state;
    struct ct_topology topology =
        parse("src/query_smp.c:195; umad (DR path slid 0; 0,1 Attr 0x11:0) bad status 110\n"
              "ibwarn: [4711] _do_madrpc: recv failed: switch 3 is not there\n#\n"
              "Switch\t8 \"S-a1\"\t# \"x\"\n"
              "[1]\t\"H-10\"[1](10)\t# \"n1\" 4xEDR\n[2]\t\"H-11\"[1](11)\t# \"n2\" 4xEDR\n"
              "[3]\t\"S-a1\"[4]\t# 4xEDR\n[4]\t\"S-a1\"[3]\t# 4xEDR\n"
              "Ca\t1 \"H-10\"\t# \"n1\"\n[1](10)\t\"S-a1\"[1]\t# 1xEDR\n"
              "Ca\t1 \"H-11\"\t# \"n2\"\n[1](11)\t\"S-a1\"[2]\t# 4xEDR\n");
    assert_int_equal(topology.n_nodes, 2);
    assert_int_equal(topology.n_links, 2);
    assert_near(topology.links[0].rate_bit_per_s, 25e9, 0);
    assert_near(topology.links[1].rate_bit_per_s, 100e9, 0);
    assert_note(&topology, "Left out: cables from a device to itself (1)");
    assert_note(&topology, "Ends of a link that differ in rate: the lower one is taken (1 links)");
    ct_topology_free(&topology);
}

static void ibnetdiscover_lines_that_are_wrong_are_named(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"Switch\t8 \"S-a1\"\t# \"x\"\n[1]\t\"H-10\"[1](10)\t# \"n\" 4xQDR\n",
         "line 2: H-10 has no section of its own"},
        {"Switch\t8 \"S-a1\"\t# \"x\"\n[1]\t\"S-a2\"[1]\t# \"y\" 4xQDR\nSwitch\t8 \"S-a2\"\t# "
         "\"y\"\n",
         "line 2: S-a1 is linked to port S-a2[1], which has no line"},
        {"Switch\t8 \"S-a1\"\t# \"x\"\n[1]\t\"S-a2\"[1]\t# 4xQDR\n[2]\t\"S-a2\"[1]\t# 4xQDR\n"
         "Switch\t8 \"S-a2\"\t# \"y\"\n[1]\t\"S-a1\"[1]\t# 4xQDR\n",
         "line 3: two links of port S-a2[1]: S-a1, and another one in line 5"},
        {"Switch\t8 \"S-a1\"\t# \"x\"\n[1]\t\"S-a1\"[1]\t# 4xQDR\n", "no node in it"},
        {"CA   134  1 0x00a1 4x EDR - SW  1719 10 0x0101 ( 'node1 HCA-1' - 'leaf1' )\n",
         "file: the output of 'ibnetdiscover -p', a list of ports, which is not read"},
        {"CA: node1 HCA-1:\n      0x00a1    134    1[  ] ==( 4X 25.78125 Gbps Active/  "
         "LinkUp)==>    1719   10[  ] \"leaf1\" ( )\n",
         "file: the output of iblinkinfo, which is not read"},
        {"<?xml version='1.0'?>\n<platform version=\"4.1\">\n", "file: a platform of SimGrid"},
        {"Switch\t8 \"S-a1\"\t# \"x\"\n[1]\t\"S-a2\"[1]\n[1]\t\"S-a2\"[2]\n",
         "line 3: two links of port S-a1[1]; the other one is in line 2"},
        {"Switch\t8 \"S-a1\"\t# \"x\"\nSwitch\t8 \"S-a1\"\t# \"x\"\n",
         "line 2: S-a1 is there twice; the other one is in line 1"},
        {"vendid=0x1\n[1]\t\"S-a1\"[1]\n", "line 2: a port before the first switch"},
        {"Switch\t8 \"S-a1\"\t# \"x\"\n[1]\tnothing\n", "line 2: not of the form [PORT]"},
        {"Switch\t8 S-a1\n", "line 1: a GUID in quotes is missing"},
        {"Switch\t8 \"S-a1\"\t# \"x\"\n", "no node in it"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_refused(rows[i][0], rows[i][1]);
}

/* ---- YAML ---- */

static const char yaml[] =
    "# two leaves, two spines\n"
    "switches:\n"
    "  - {name: leaf0, nodes: \"n[0-3]\", rate: 50mbit, latency: 1us}\n"
    "  - {name: leaf1, nodes: \"n[4-7]\", rate: 50mbit}\n"
    "  - name: spine[0-1]\n"
    "links:\n"
    "  - {from: \"leaf[0-1]\", to: \"spine[0-1]\", rate: 100mbit, count: 2}\n"
    "  - {from: leaf1, to: login, rate: 10mbit}\n"
    "routes:\n"
    "  - {at: leaf0, to: \"n[4-7]\", via: spine1}\n";

static void yaml_says_switches_links_and_routes(void **state)
{
    (void)state;
    if (!CT_HAVE_YAML)
        return;
    struct ct_topology topology = parse(yaml);
    struct ct_router *router;
    struct ct_route route = {0};
    assert_int_equal(topology.n_nodes, 9);
    assert_int_equal(topology.n_switches, 4);
    assert_int_equal(topology.n_links, 8 + 8 + 1);
    assert_near(topology.links[0].latency_s, 1e-6, 0);
    assert_int_equal(ct_router_new(&topology, &router, NULL), CT_OK);
    bool over[2] = {false, false};
    for (uint32_t to = vertex(&topology, "n4"); to <= vertex(&topology, "n7"); to++) {
        assert_int_equal(ct_route_find(router, 0, to, &route, NULL), CT_OK);
        assert_int_equal(route.n, 4);
        assert_int_equal(route.hops[1].to, vertex(&topology, "spine1"));
        /* Destinations are spread over the two links to a spine. */
        over[route.hops[1].link % 2] = true;
        assert_int_equal(ct_route_find(router, to, to % 4, &route, NULL), CT_OK);
    }
    assert_true(over[0] && over[1]);
    assert_int_equal(switches_between(&topology, "login", "n4"), 1);
    free(route.hops);
    ct_router_free(router);
    ct_topology_free(&topology);
}

static void yaml_lines_that_are_wrong_are_named(void **state)
{
    (void)state;
    if (!CT_HAVE_YAML)
        return;
#define TWO                                                                                        \
    "switches:\n  - {name: a, nodes: n0}\n  - {name: b, nodes: n1}\n  - {name: c}\n"               \
    "links:\n  - {from: a, to: \"b,c\"}\n  - {from: b, to: c}\n"
    static const char *const rows[][2] = {
        {"switches: [", "line 2: no YAML"},
        {"hello", "line 1: neither of Slurm nor of ibnetdiscover, nor YAML"},
        {"switches:\n  - {name: a, nodes: n0}\ncolours: []\n", "line 3: 'colours': not one of"},
        {"switches: {}\n", "line 1: 'switches' is no list"},
        {"switches:\n  - a\n", "line 2: an entry of 'switches' is no mapping"},
        {"switches:\n  - {name: a, size: 4}\n", "line 2: 'size': no key of 'switches'"},
        {"switches:\n  - {name: a, name: b}\n", "line 2: 'name' is there twice"},
        {"switches:\n  - {name: [a]}\n", "line 2: 'name' has no text"},
        {"switches:\n  - {nodes: n0}\n", "line 2: 'name' is missing"},
        {"switches:\n  - {name: a, nodes: n0, rate: 50}\n", "line 2: "},
        {"switches:\n  - {name: a, nodes: n0}\n  - {name: a}\n", "line 3: a is there twice"},
        {"switches:\n  - {name: a, nodes: n0}\n  - {name: b, nodes: n0}\n",
         "line 3: two routes: n0 is a switch, or on another one, too"},
        {"switches:\n  - {name: \"a[0-1]\", nodes: n0}\n", "line 2: two routes: nodes 'n0'"},
        {"switches:\n  - {name: a, nodes: \"n[0-1]\"}\nlinks:\n  - {from: a, to: a}\n",
         "line 4: a link from a to itself"},
        {"switches:\n  - {name: a, nodes: \"n[0-1]\"}\n---\nother: document\n",
         "line 4: a second document"},
        {"- a\n- b\n", "line 1: a list whose entries have no key 'topology'"},
        {"- topology: x\n  block: {block_sizes: [4]}\n",
         "topology.yaml without a 'tree', the only one"},
        {"- topology: x\n  flat: true\n", "topology.yaml without a 'tree', the only one"},
        {"- topology: x\n  tree: {switches: [{switch: s, nodes: n1}]}\n"
         "- topology: y\n  tree: {switches: [{switch: s, nodes: n1}]}\n",
         "2 trees, such as x and y: mark the one to be read with 'cluster_default: true'"},
        {"- topology: x\n  tree: {switches: [{switch: s, nodes: n1, size: 3}]}\n",
         "'size': not one of switch, children, nodes"},
        {"- topology: x\n  tree: {switches: [{switch: s, children: t}]}\n",
         "line 2: switch t is in no line of its own"},
        {"links:\n  - {from: a, to: b, count: 0}\n", "line 2: count '0'"},
        {TWO "routes:\n  - {at: a, to: n1, via: c}\n  - {at: a, to: n1, via: b}\n",
         "line 10: two routes from a to n1; the other one is in line 9"},
        {TWO "routes:\n  - {at: a, to: n1, via: c}\n  - {at: c, to: n1, via: a}\n",
         "line 9: the route from a to n1 goes round in a circle"},
        {TWO "routes:\n  - {at: a, to: n1, via: n0}\n",
         "line 9: the route from a to n1 ends at another node, n0"},
        {TWO "routes:\n  - {at: a, to: n1, via: n1}\n", "line 9: no link from a to n1"},
        {TWO "routes:\n  - {at: a, to: c, via: b}\n", "line 9: a route from a to c, which is no"},
        {TWO "routes:\n  - {at: a, to: nowhere, via: b}\n", "line 9: nowhere has no link"},
        {TWO "routes:\n  - {at: a, to: n1}\n", "line 9: 'via' is missing"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_refused(rows[i][0], rows[i][1]);
}

/* topology.yaml of Slurm: the tree that is the cluster's default. */
static void yaml_of_slurm_has_a_tree(void **state)
{
    (void)state;
    if (!CT_HAVE_YAML)
        return;
#define TREE(name_, default_, nodes_)                                                              \
    "- topology: " name_ "\n  cluster_default: " default_ "\n  tree:\n    switches:\n"             \
    "      - switch: top\n        children: leaf[1-2]\n      - switch: leaf1\n"                    \
    "        nodes: " nodes_ "[1-4]\n      - switch: leaf2\n        nodes: " nodes_ "[5-8]\n"
#define BLOCKS(default_)                                                                           \
    "- topology: racks\n  cluster_default: " default_ "\n  block:\n    block_sizes: [4, 8]\n"      \
    "    blocks:\n      - block: r1\n        nodes: n[1-4]\n"
    static const char *const texts[] = {"---\n" TREE("fabric", "true", "n") BLOCKS("false"),
                                        TREE("other", "false", "m") TREE("fabric", "true", "n"),
                                        BLOCKS("true") TREE("fabric", "false", "n")};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct ct_topology topology = parse(texts[i]);
        assert_int_equal(topology.n_nodes, 8);
        assert_int_equal(topology.n_switches, 3);
        assert_int_equal(topology.n_links, 10);
        assert_int_equal(switches_between(&topology, "n1", "n8"), 3);
        assert_note(&topology, "this is the tree 'fabric'");
        ct_topology_free(&topology);
    }
}

static void yaml_is_refused_without_its_library(void **state)
{
    (void)state;
    if (!CT_HAVE_YAML)
        assert_refused("switches: []\n", "built without libyaml");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slurm_says_a_tree),
        cmocka_unit_test(slurm_lines_that_are_wrong_are_named),
        cmocka_unit_test(switches_may_be_below_several),
        cmocka_unit_test(slurm_syntax_is_that_of_slurm),
        cmocka_unit_test(parts_have_their_own_numbers),
        cmocka_unit_test(nodes_may_be_on_several_switches),
        cmocka_unit_test(slow_large_leaves_are_walked_over_once),
        cmocka_unit_test(hosts_have_names_with_and_without_domain),
        cmocka_unit_test(files_are_filled_and_included),
        cmocka_unit_test(lists_of_names_are_those_of_slurm),
        cmocka_unit_test(ibnetdiscover_says_links_with_rates),
        cmocka_unit_test(adapters_without_names_have_their_guids),
        cmocka_unit_test(adapters_of_a_host_are_one_node),
        cmocka_unit_test(routes_of_several_adapters_take_the_shorter_rail),
        cmocka_unit_test(ibnetdiscover_of_real_networks_is_read),
        cmocka_unit_test(ibnetdiscover_lines_that_are_wrong_are_named),
        cmocka_unit_test(yaml_says_switches_links_and_routes),
        cmocka_unit_test(yaml_lines_that_are_wrong_are_named),
        cmocka_unit_test(yaml_of_slurm_has_a_tree),
        cmocka_unit_test(yaml_is_refused_without_its_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
