/* Pictures of topologies, and the utilization of their links. */
#include "core/file.h"
#include "tests/unit/unit.h"
#include "topology/draw.h"
#include "topology/loads.h"
#include "topology/measure.h"
#include "topology/read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Tables as spreadsheets save them. */
static void utilizations_of_spreadsheets_are_read(void **state)
{
    (void)state;
    static const char *const texts[] = {("\xef\xbb\xbf"
                                         "from,to,utilization\nn0,leaf0,0.5\n"),
                                        "sep=;\r\nfrom;to;utilization\r\nn0;leaf0;0,5\r\n",
                                        "from\tto\tutilization\nn0\tleaf0\t0.5\n",
                                        "from, to, utilization\nn0, leaf0, \"0,5\"\n",
                                        "from;to;x;busy_frac\nn0;leaf0;1,2;0.5\n"};
    struct ct_topology_settings settings = ct_topology_defaults();
    struct ct_topology topology;
    struct ct_error err;
    assert_int_equal(ct_topology_make("tree:2x2", &settings, &topology, NULL), CT_OK);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double *utilization;
        if (ct_topology_loads(&topology, texts[i], "u.csv", &utilization, &err) != CT_OK)
            fail_msg("%s", err.text);
        assert_near(utilization[0], 0.5, 0);
        for (size_t way = 1; way < 2 * (size_t)topology.n_links; way++)
            assert_true(isnan(utilization[way]));
        free(utilization);
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
        cmocka_unit_test(pictures_have_every_link),
        cmocka_unit_test(links_have_the_colour_of_their_utilization),
        cmocka_unit_test(utilizations_that_fit_no_link_are_refused),
        cmocka_unit_test(utilizations_of_spreadsheets_are_read),
        cmocka_unit_test(too_many_links_are_no_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
