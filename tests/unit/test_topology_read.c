/* Topologies of files: what they say, what is wrong with them and in which line; pictures. */
#include "core/parts.h"
#include "tests/unit/unit.h"
#include "topology/draw.h"
#include "topology/loads.h"
#include "topology/measure.h"
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
        {"SwitchName=a Switches=a\n", "line 1: a link from a to itself"},
        {"SwitchName=a Nodes=n1\nSwitchName=b Nodes=n2\n", "line 2: no link leads from n1 to n2"},
        {"SwitchName=a Nodes=n1\nSwitchName=b Nodes=n[0-2]\n",
         "line 2: two routes: node n1 is on another switch, too, in line 1"},
        {"SwitchName=a Nodes=n1\nSwitchName=b Switches=a\nSwitchName=c Switches=a\n",
         "line 3: two routes: switch a is below b and c; the other line is 2"},
        {"SwitchName=a Nodes=n1\nSwitchName=a Nodes=n2\n",
         "line 2: switch a is there twice; the other one is in line 1"},
        {"SwitchName=a Switches=b\n", "line 1: switch b is in no line of its own"},
        {"SwitchName=a\n", "line 1: neither Switches nor Nodes"},
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
        {"BlockName=b1 Nodes=n[1-4]\n", "line 1: 'BlockName'"},
        {"# nothing\n\n", "empty"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_refused(rows[i][0], rows[i][1]);
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

/* Adapters that are described alike are told apart by their GUIDs. */
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
        {"Switch\t8 \"S-a1\"\t# \"x\"\n[1]\t\"S-a1\"[1]\t# 4xQDR\n",
         "line 2: a link from x to itself"},
        {"Switch\t8 \"S-a1\"\t# \"x\"\n[1]\t\"S-a2\"[1]\n[1]\t\"S-a2\"[2]\n",
         "line 3: two links of port S-a1[1]; the other one is in line 2"},
        {"Switch\t8 \"S-a1\"\t# \"x\"\nSwitch\t8 \"S-a1\"\t# \"x\"\n",
         "line 2: S-a1 is there twice; the other one is in line 1"},
        {"vendid=0x1\n[1]\t\"S-a1\"[1]\n", "line 2: a port before the first switch"},
        {"Switch\t8 \"S-a1\"\t# \"x\"\n[1]\tnothing\n", "line 2: not of the form [PORT]"},
        {"Switch\t8 S-a1\n", "line 1: a GUID in quotes is missing"},
        {"Switch\t8 \"S-a1\"\t# \"x\"\n", "no node in it"},
        {"Switch\t8 \"S-a1\"\t# \"x\"\n[1]\t\"H-10\"[1](10)\t# 4xEDR\nCa\t1 \"H-10\"\t# \"n1\"\n"
         "[1](10)\t\"S-a1\"[1]\t# 4xEDR\nCa\t1 \"H-11\"\t# \"n2\"\n",
         "line 5: no link leads from n1 to n2"}};
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
        {"switches:\n  - {name: a, nodes: n0}\n  - {name: b, nodes: n1}\n",
         "line 3: no link leads from n0 to n1"},
        {"switches:\n  - {name: a, nodes: \"n[0-1]\"}\nlinks:\n  - {from: a, to: a}\n",
         "line 4: a link from a to itself"},
        {"switches:\n  - {name: a, nodes: \"n[0-1]\"}\n  - {name: b}\n",
         "line 3: no link leads from n0 to switch b"},
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

static void yaml_is_refused_without_its_library(void **state)
{
    (void)state;
    if (!CT_HAVE_YAML)
        assert_refused("switches: []\n", "built without libyaml");
}

/* ---- pictures ---- */

struct drawn {
    char *text;
    size_t size;
};

static struct drawn draw(const struct ct_picture *picture,
                         enum ct_status (*form)(const struct ct_picture *, FILE *,
                                                struct ct_error *))
{
    struct drawn drawn = {0};
    FILE *out = open_memstream(&drawn.text, &drawn.size);
    assert_non_null(out);
    assert_int_equal(form(picture, out, NULL), CT_OK);
    assert_int_equal(fclose(out), 0);
    return drawn;
}

static size_t count(const char *text, const char *part)
{
    size_t n = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        n++;
    return n;
}

static void pictures_have_every_link(void **state)
{
    (void)state;
    static const char *const texts[] = {"switch:3",        "tree:4x4,2",  "fat-tree:8x3",
                                        "dragonfly:4,2,2", "torus:3x3x2", "fat-tree:16x2"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct ct_topology_settings settings = ct_topology_defaults();
        struct ct_topology topology;
        assert_int_equal(ct_topology_make(texts[i], &settings, &topology, NULL), CT_OK);
        const struct ct_picture picture = {&topology, NULL};
        struct drawn svg = draw(&picture, ct_topology_svg), dot = draw(&picture, ct_topology_dot);
        assert_int_equal(count(svg.text, "<path "), topology.n_links);
        assert_int_equal(count(svg.text, "<circle "), topology.n_nodes);
        assert_int_equal(count(svg.text, "<rect "), topology.n_switches + 1);
        assert_int_equal(count(dot.text, " -- "), topology.n_links);
        assert_null(strstr(svg.text, "nan"));
        free(svg.text);
        free(dot.text);
        ct_topology_free(&topology);
    }
}

static void links_have_the_colour_of_their_utilization(void **state)
{
    (void)state;
    struct ct_topology_settings settings = ct_topology_defaults();
    struct ct_topology topology;
    double *utilization;
    assert_int_equal(ct_topology_make("tree:2x2", &settings, &topology, NULL), CT_OK);
    assert_int_equal(
        ct_topology_loads(&topology,
                          "# crosstalk\nname,x\n\n\"to\",share,utilization,from\n"
                          "spine0,1,1.0,leaf0\n# between\nleaf0,1,0,spine0\nn0,2,,leaf0\n"
                          "\nother,table\n",
                          "u.csv", &utilization, NULL),
        CT_OK);
    uint32_t links = 0;
    for (uint32_t i = 0; i < topology.n_links; i++)
        if (!isnan(utilization[2 * i]) || !isnan(utilization[2 * i + 1])) {
            links++;
            assert_near(utilization[2 * i], 1, 0);
            assert_near(utilization[2 * i + 1], 0, 0);
        }
    assert_int_equal(links, 1);
    const struct ct_picture picture = {&topology, utilization};
    struct drawn svg = draw(&picture, ct_topology_svg), dot = draw(&picture, ct_topology_dot);
    char full[8], idle[8], unknown[8];
    ct_utilization_colour(1, full);
    ct_utilization_colour(0, idle);
    ct_utilization_colour(NAN, unknown);
    assert_string_equal(full, "#c1272d");
    assert_string_equal(idle, "#3b7dd8");
    assert_int_equal(count(svg.text, "stroke=\"#c1272d\""), 1);
    assert_int_equal(count(svg.text, "stroke=\"#3b7dd8\""), 1);
    assert_int_equal(count(svg.text, "there 100.0 %, back 0.0 %"), 1);
    assert_int_equal(count(dot.text, "color=\"#c1272d\""), 1);
    assert_int_equal(count(dot.text, unknown), topology.n_links - 1);
    free(svg.text);
    free(dot.text);
    free(utilization);
    ct_topology_free(&topology);
}

static void utilizations_that_fit_no_link_are_refused(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"a,b\n1,2\n", "no line with the headings from, to and utilization"},
        {"from,to,utilization\nleaf0,leaf1,0.5\n", "u.csv: line 2: leaf0 has no link to leaf1"},
        {"from,to,utilization\nleaf0,x,0.5\n", "u.csv: line 2: 'x' is not in tree:2x2"},
        {"from,to,utilization\nleaf0,spine0,50%\n", "line 2: utilization '50%': no fraction"},
        {"from,to,utilization\nleaf0,spine0,-1\n", "line 2: utilization '-1': no fraction"}};
    struct ct_topology_settings settings = ct_topology_defaults();
    struct ct_topology topology;
    struct ct_error err;
    double *utilization;
    assert_int_equal(ct_topology_make("tree:2x2", &settings, &topology, NULL), CT_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(ct_topology_loads(&topology, rows[i][0], "u.csv", &utilization, &err),
                         CT_EFORMAT);
        if (!strstr(err.text, rows[i][1]))
            fail_msg("%s", err.text);
    }
    ct_topology_free(&topology);
}

static void too_many_links_are_no_picture(void **state)
{
    (void)state;
    struct ct_topology_settings settings = ct_topology_defaults();
    struct ct_topology topology;
    struct ct_error err;
    assert_int_equal(ct_topology_make("switch:20001", &settings, &topology, NULL), CT_OK);
    const struct ct_picture picture = {&topology, NULL};
    assert_int_equal(ct_topology_svg(&picture, stdout, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "20001 links; a picture shows at most 20000"));
    assert_int_equal(ct_topology_dot(&picture, stdout, &err), CT_EINVAL);
    ct_topology_free(&topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slurm_says_a_tree),
        cmocka_unit_test(slurm_lines_that_are_wrong_are_named),
        cmocka_unit_test(lists_of_names_are_those_of_slurm),
        cmocka_unit_test(ibnetdiscover_says_links_with_rates),
        cmocka_unit_test(adapters_without_names_have_their_guids),
        cmocka_unit_test(ibnetdiscover_lines_that_are_wrong_are_named),
        cmocka_unit_test(yaml_says_switches_links_and_routes),
        cmocka_unit_test(yaml_lines_that_are_wrong_are_named),
        cmocka_unit_test(yaml_is_refused_without_its_library),
        cmocka_unit_test(pictures_have_every_link),
        cmocka_unit_test(links_have_the_colour_of_their_utilization),
        cmocka_unit_test(utilizations_that_fit_no_link_are_refused),
        cmocka_unit_test(too_many_links_are_no_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
