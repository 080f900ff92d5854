/* campaign/simgrid_load, campaign/network_load: counters of links as the load of the network. */
#include "campaign/simgrid_load.h"
#include "core/file.h"
#include "tests/unit/unit.h"
#include "topology/spec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct ct_topology open_topology(const char *text)
{
    struct ct_topology topology;
    const struct ct_topology_settings settings = ct_topology_defaults();
    assert_int_equal(ct_topology_make(text, &settings, &topology, NULL), CT_OK);
    return topology;
}

static enum ct_status parse(const char *text, struct ct_error *err)
{
    struct ct_topology topology = open_topology("tree:2x1");
    struct ct_simgrid_load load = {0};
    enum ct_status status =
        ct_simgrid_load_parse(text, strlen(text), "counters", &topology, &load, err);
    free(load.flows);
    ct_topology_free(&topology);
    return status;
}

#define ONE_LINK(name, bytes)                                                                      \
    "{\"interval_s\": 1, \"links\": [{\"link\": \"" name "\", \"bytes\": " bytes                   \
    ", \"busy_fraction\": 0}]}"

static void what_is_no_counter_is_refused(void **state)
{
    static const char *const texts[] = {
        "",
        "{",
        "[]",
        "{\"interval_s\": 1}",
        "{\"links\": []}",
        "{\"interval_s\": -1, \"links\": []}",
        "{\"interval_s\": 1, \"links\": [{}]}",
        "{\"interval_s\": 1, \"links\": [{\"link\": \"h1-leaf0-0\"}]}",
        ONE_LINK("h1-leaf0-1", "1"),
        ONE_LINK("h1-leaf0-0", "-1"),
        ONE_LINK("-9", "1")};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct ct_error err;
        assert_int_equal(parse(texts[i], &err), CT_EFORMAT);
        assert_non_null(strstr(err.text, "counters: "));
    }
    assert_int_equal(parse("{\"interval_s\": 0, \"links\": []}", NULL), CT_OK);
}

/* From the first host to the second, by the only spine. */
static const char one_way[] =
    "{\"interval_s\": 2, \"links\": ["
    "{\"link\": \"h1-leaf0-0\", \"bytes\": 1000, \"busy_fraction\": 0.25},"
    "{\"link\": \"leaf0-spine0-2\", \"bytes\": 1000, \"busy_fraction\": 0.5},"
    "{\"link\": \"spine0-leaf1-3\", \"bytes\": 1000, \"busy_fraction\": 0.5},"
    "{\"link\": \"leaf1-h2-1\", \"bytes\": 1000, \"busy_fraction\": 0.25}]}";

static void counters_become_ports_and_links(void **state)
{
    (void)state;
    struct ct_topology topology = open_topology("tree:2x1");
    struct ct_run_info info = {0};
    struct ct_text text;
    char path[] = "/tmp/crosstalk-load-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(ct_file_save(path, one_way, strlen(one_way), NULL), CT_OK);
    assert_int_equal(ct_simgrid_load_convert(path, &topology, 2, "tree:2x1", NULL), CT_OK);
    assert_int_equal(ct_file_read(path, &text, NULL), CT_OK);
    /* One of two hosts sends, the other receives. */
    assert_non_null(strstr(text.text, "\"busy_fraction_mean\":\t0.125"));
    assert_non_null(strstr(text.text, "\"busy_fraction_max\":\t0.25"));
    assert_non_null(strstr(text.text, "\"rx_bytes\":\t1000"));
    assert_null(strstr(text.text, "drops"));
    /* Two of four directions between switches. */
    assert_int_equal(ct_network_load_add_facts(path, &info, NULL), CT_OK);
    assert_near(ct_run_number(&info, "link_busy_mean"), 0.25, 1e-12);
    assert_near(ct_run_number(&info, "link_busy_max"), 0.5, 1e-12);
    assert_true(isnan(ct_run_number(&info, "link_drops")));
    assert_string_equal(ct_run_text(&info, "link_busiest"), "leaf0 to spine0");
    ct_run_info_free(&info);
    free(text.text);
    remove(path);
    close(fd);
    ct_topology_free(&topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_no_counter_is_refused),
                                       cmocka_unit_test(counters_become_ports_and_links)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
