/* Where a probe finds the topology of its network: option, lab, Slurm. */
#include "bench/impact/impact_network.h"
#include "core/parts.h"
#include "tests/unit/unit.h"
#include "topology/places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NODES = 3 };

/* A folder with slurm.conf and topology.conf, which names n1 to n4. */
struct slurm {
    char folder[64], conf[96], topology[96];
};

static char hosts[NODES][CT_HOST_MAX];

static struct ct_layout layout_of(const char *first, const char *second, const char *third)
{
    const char *const names[NODES] = {first, second, third};
    for (int i = 0; i < NODES; i++)
        snprintf(hosts[i], CT_HOST_MAX, "%s", names[i]);
    return (struct ct_layout){
        .n_ranks = NODES, .n_nodes = NODES, .hosts = hosts[0], .host_bytes = CT_HOST_MAX};
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void enter(struct slurm *slurm)
{
    snprintf(slurm->folder, sizeof slurm->folder, "/tmp/slurm-XXXXXX");
    assert_non_null(mkdtemp(slurm->folder));
    snprintf(slurm->conf, sizeof slurm->conf, "%s/slurm.conf", slurm->folder);
    snprintf(slurm->topology, sizeof slurm->topology, "%s/topology.conf", slurm->folder);
    write_file(slurm->topology, "SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n[3-4]\n"
                                "SwitchName=c Switches=a,b\n");
    assert_int_equal(setenv("SLURM_CONF", slurm->conf, 1), 0);
    assert_int_equal(setenv("SLURM_JOB_ID", "17", 1), 0);
    assert_int_equal(unsetenv(CT_LAB_TOPOLOGY_VARIABLE), 0);
}

static void leave(const struct slurm *slurm)
{
    unsetenv("SLURM_CONF");
    unsetenv("SLURM_JOB_ID");
    unsetenv(CT_LAB_TOPOLOGY_VARIABLE);
    assert_int_equal(unlink(slurm->topology), 0);
    assert_int_equal(rmdir(slurm->folder), 0);
}

/* Switches between the first two hosts; 0: no topology is known. */
static uint32_t switches_with(const char *given, const struct ct_layout *layout)
{
    struct ct_impact_network network;
    struct ct_error err;
    uint32_t switches = 0;
    if (ct_impact_network_find(given, layout, &network, &err) != CT_OK)
        fail_msg("%s", err.text);
    if (network.known)
        assert_int_equal(ct_route_switches(network.router, network.vertex[0], network.vertex[1],
                                           &switches, NULL),
                         CT_OK);
    ct_impact_network_free(&network);
    return switches;
}

static void a_job_of_slurm_has_its_topology(void **state)
{
    (void)state;
    struct slurm slurm;
    enter(&slurm);
    struct ct_layout layout = layout_of("n3", "n4", "n1");
    assert_int_equal(switches_with(NULL, &layout), 1);
    layout = layout_of("n2", "n4", "n1");
    assert_int_equal(switches_with(NULL, &layout), 3);
    /* A host that it lacks: it is that of other nodes. */
    layout = layout_of("n2", "elsewhere", "n1");
    assert_int_equal(switches_with(NULL, &layout), 0);
    assert_int_equal(unsetenv("SLURM_JOB_ID"), 0);
    layout = layout_of("n2", "n4", "n1");
    assert_int_equal(switches_with(NULL, &layout), 0);
    leave(&slurm);
}

/* What a run with these hosts says of its topology; "": nothing. */
static const char *note_of(const struct ct_layout *layout, bool *is_known_p)
{
    static char text[1000];
    struct ct_impact_network network;
    struct ct_error err;
    struct ct_run_info info = {0};
    if (ct_impact_network_find(NULL, layout, &network, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_int_equal(ct_impact_network_describe(&network, layout, &info, &err), CT_OK);
    const char *fact = ct_run_text(&info, CT_RUN_TOPOLOGY_NOTE);
    snprintf(text, sizeof text, "%s", network.note ? network.note : "");
    assert_string_equal(fact ? fact : "", text);
    assert_int_equal(network.known, ct_run_text(&info, CT_RUN_TOPOLOGY) != NULL);
    *is_known_p = network.known;
    ct_run_info_free(&info);
    ct_impact_network_free(&network);
    return text;
}

static void what_slurm_has_and_is_not_used_is_said(void **state)
{
    (void)state;
    struct slurm slurm;
    bool is_known;
    char yaml[96];
    enter(&slurm);
    struct ct_layout layout = layout_of("n3", "n4", "n1");
    assert_string_equal(note_of(&layout, &is_known), "");
    assert_true(is_known);
    layout = layout_of("n2", "elsewhere", "n1");
    const char *note = note_of(&layout, &is_known);
    assert_false(is_known);
    assert_non_null(strstr(note, "no topology is known: that of Slurm is left out: "));
    assert_non_null(strstr(note, "/topology.conf: no node is called elsewhere"));
    layout = layout_of("n3", "n4", "n1");
    write_file(slurm.topology, "SwitchName=a Nodes=n[1-4\n");
    assert_non_null(strstr(note_of(&layout, &is_known), "/topology.conf: line 1"));
    assert_false(is_known);
    /* An older topology.conf beside a topology.yaml says nothing of the network. */
    write_file(slurm.topology, "SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n[3-4]\n"
                               "SwitchName=c Switches=a,b\n");
    snprintf(yaml, sizeof yaml, "%s/topology.yaml", slurm.folder);
    write_file(yaml, "- topology: blocks\n  block:\n    block_sizes: [2]\n");
    note = note_of(&layout, &is_known);
    assert_false(is_known);
    assert_non_null(strstr(note, "/topology.yaml"));
    assert_non_null(strstr(note, "Slurm ignores topology.conf beside topology.yaml"));
    assert_int_equal(unlink(yaml), 0);
    leave(&slurm);
}

static void the_tree_of_slurms_yaml_is_used(void **state)
{
    (void)state;
    struct slurm slurm;
    bool is_known;
    char yaml[96];
    if (!CT_HAVE_YAML)
        return;
    enter(&slurm);
    snprintf(yaml, sizeof yaml, "%s/topology.yaml", slurm.folder);
    write_file(yaml, "- topology: t\n  cluster_default: true\n  tree:\n    switches:\n"
                     "      - {switch: s, nodes: 'n[1-4]'}\n");
    const struct ct_layout layout = layout_of("n2", "n4.cluster.example", "n1");
    assert_int_equal(switches_with(NULL, &layout), 1);
    /* Slurm goes by blocks: that a tree beside them is taken is said. */
    write_file(yaml, "- topology: b\n  cluster_default: true\n  block: {block_sizes: [2]}\n"
                     "- topology: t\n  cluster_default: false\n  tree:\n    switches:\n"
                     "      - {switch: s, nodes: 'n[1-4]'}\n");
    assert_int_equal(switches_with(NULL, &layout), 1);
    assert_non_null(strstr(note_of(&layout, &is_known),
                           "/topology.yaml: Of the 2 topologies of this file this is the tree 't', "
                           "which is not the cluster's default; Slurm ignores topology.conf"));
    assert_true(is_known);
    assert_int_equal(unlink(yaml), 0);
    assert_int_equal(switches_with(NULL, &layout), 3);
    /* Racks that nothing joins have no paths between hosts. */
    write_file(slurm.topology, "SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n[3-4]\n");
    assert_non_null(strstr(note_of(&layout, &is_known), "no links lead from n2 to n4"));
    assert_false(is_known);
    leave(&slurm);
}

static void an_option_is_before_a_lab_and_that_before_slurm(void **state)
{
    (void)state;
    struct slurm slurm;
    struct ct_error err;
    enter(&slurm);
    const struct ct_layout layout = layout_of("h2", "h4", "h1");
    assert_int_equal(setenv(CT_LAB_TOPOLOGY_VARIABLE, "tree:2x2", 1), 0);
    assert_int_equal(switches_with(NULL, &layout), 3);
    assert_int_equal(switches_with("switch:4", &layout), 1);
    /* What is given has to fit. */
    struct ct_impact_network network;
    assert_int_equal(ct_impact_network_find(slurm.topology, &layout, &network, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "no node is called h2"));
    assert_int_equal(ct_impact_network_find("switch:2", &layout, &network, &err), CT_EINVAL);
    /* That of a lab or a simulation has to be read, at least: paths would have no classes. */
    assert_int_equal(setenv(CT_LAB_TOPOLOGY_VARIABLE, "no file", 1), 0);
    assert_int_equal(ct_impact_network_find(NULL, &layout, &network, &err), CT_ENOENT);
    assert_int_equal(setenv(CT_LAB_TOPOLOGY_VARIABLE, "switch:2", 1), 0);
    assert_int_equal(switches_with(NULL, &layout), 0);
    leave(&slurm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_of_slurm_has_its_topology),
        cmocka_unit_test(what_slurm_has_and_is_not_used_is_said),
        cmocka_unit_test(the_tree_of_slurms_yaml_is_used),
        cmocka_unit_test(an_option_is_before_a_lab_and_that_before_slurm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
