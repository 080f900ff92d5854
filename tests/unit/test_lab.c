/* lab: what is decided without a network of its own. Labs themselves are built by tests/lab/. */
#include "lab/internal.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/ct-lab-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) && setenv(CT_LAB_DIR_VARIABLE, folder, 1) == 0 &&
                   unsetenv(CT_LAB_ID_VARIABLE) == 0
               ? 0
               : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder); /* fails if a test left something there */
}

static void hosts_have_names_and_addresses(void **state)
{
    (void)state;
    char text[16];
    ct_lab_host_name(0, text);
    assert_string_equal(text, "h1");
    ct_lab_host_name(CT_LAB_HOSTS_MAX - 1, text);
    assert_string_equal(text, "h64");
    ct_lab_host_address(2, text);
    assert_string_equal(text, "10.77.0.3");
    ct_lab_management_address(2, text);
    assert_string_equal(text, "10.78.0.3");
}

static void settings_that_cannot_be_are_refused(void **state)
{
    (void)state;
    struct ct_lab_spec spec = CT_LAB_SPEC_DEFAULT;
    spec.n_hosts = 1;
    assert_int_equal(ct_lab_up("x", &spec, NULL, NULL), CT_EINVAL);
    spec = CT_LAB_SPEC_DEFAULT;
    spec.rate_bit_per_s = NAN;
    assert_int_equal(ct_lab_up("x", &spec, NULL, NULL), CT_EINVAL);
    spec = CT_LAB_SPEC_DEFAULT;
    spec.queue_limit_bytes = 10;
    assert_int_equal(ct_lab_up("x", &spec, NULL, NULL), CT_EINVAL);
    spec = CT_LAB_SPEC_DEFAULT;
    snprintf(spec.topology, sizeof spec.topology, "tree:2x4");
    assert_int_equal(ct_lab_up("x", &spec, NULL, NULL), CT_EINVAL); /* no rate of uplinks */
    spec.uplink_bit_per_s = 1e7;
    spec.n_hosts = 9;
    assert_int_equal(ct_lab_up("x", &spec, NULL, NULL), CT_EINVAL);
    spec = CT_LAB_SPEC_DEFAULT;
    assert_int_equal(ct_lab_up("../x", &spec, NULL, NULL), CT_EINVAL);
}

static void a_lab_that_is_not_there(void **state)
{
    (void)state;
    struct ct_lab *lab = NULL;
    struct ct_error err;
    bool existed = true;
    assert_int_equal(ct_lab_open("absent", &lab, &err), CT_ENOENT);
    assert_null(lab);
    assert_non_null(strstr(err.text, "crosstalk lab up --id absent"));
    assert_int_equal(ct_lab_down("absent", &existed, &err), CT_OK);
    assert_false(existed);
}

static void load_is_a_share_of_the_rate(void **state)
{
    (void)state;
    struct ct_lab *lab = calloc(1, sizeof *lab);
    struct ct_lab_counters *readings = calloc(2, sizeof *readings);
    assert_true(lab && readings);
    lab->state.spec = (struct ct_lab_spec)CT_LAB_SPEC_DEFAULT;
    lab->state.spec.rate_bit_per_s = 8e6;
    readings[0].time_s = 10;
    readings[1].time_s = 12;
    readings[0].port[3].tx.bytes = 100;
    readings[1].port[3].tx.bytes = 500100;
    readings[1].port[3].rx.bytes = 2000000;
    struct ct_lab_load load = ct_lab_load(lab, &readings[0], &readings[1], 3);
    assert_int_equal(load.delta.tx.bytes, 500000);
    assert_near(load.interval_s, 2, 0);
    assert_near(load.tx_busy_frac, 0.25, 1e-12);
    assert_near(load.rx_busy_frac, 1, 1e-12);
    load = ct_lab_load(lab, &readings[1], &readings[1], 3);
    assert_true(isnan(load.tx_busy_frac) && isnan(load.rx_busy_frac));
    free(readings);
    free(lab);
}

static void load_of_a_link_is_a_share_of_its_own_rate(void **state)
{
    (void)state;
    struct ct_lab *lab = calloc(1, sizeof *lab);
    struct ct_lab_counters *readings = calloc(2, sizeof *readings);
    assert_true(lab && readings);
    lab->state.spec = (struct ct_lab_spec)CT_LAB_SPEC_DEFAULT;
    lab->state.spec.uplink_bit_per_s = 16e6;
    readings[1].time_s = 2;
    readings[0].link[2].tx[1] = (struct ct_lab_flow){100, 1, 0, 5};
    readings[1].link[2].tx[1] = (struct ct_lab_flow){1000100, 701, 3, 7};
    struct ct_lab_link_load load = ct_lab_link_load(lab, &readings[0], &readings[1], 2, 1);
    assert_near(load.busy_frac, 0.25, 1e-12);
    assert_int_equal(load.delta.bytes, 1000000);
    assert_int_equal(load.delta.packets, 700);
    assert_int_equal(load.delta.drops, 3);
    assert_int_equal(load.delta.backlog_bytes, 7);
    assert_near(ct_lab_link_load(lab, &readings[0], &readings[1], 2, 0).busy_frac, 0, 0);
    assert_true(isnan(ct_lab_link_load(lab, &readings[0], &readings[0], 2, 1).busy_frac));
    free(readings);
    free(lab);
}

/* Bytes as they were counted on 2 hosts by UCX: none, two connections past the ports, one message
   of 4 B, and on 8 hosts. */
static void what_connections_take_is_no_message(void **state)
{
    (void)state;
    static const struct {
        size_t n_ports;
        uint64_t bytes;
        bool nothing, connections;
    } cases[] = {{2, 0, true, false},       {2, 586, false, true},      {2, 757, false, false},
                 {8, 7 * 586, false, true}, {8, 7 * 757, false, false}, {2, 2000000, false, false}};
    struct ct_lab_counters *readings = calloc(2, sizeof *readings);
    assert_non_null(readings);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        readings[0].n_ports = readings[1].n_ports = cases[i].n_ports;
        readings[0].port[1].rx.bytes = 1000;
        readings[1].port[1].rx.bytes = 1000 + cases[i].bytes;
        enum ct_lab_traffic traffic = ct_lab_traffic(&readings[0], &readings[1]);
        assert_int_equal(traffic == CT_LAB_TRAFFIC_NONE, cases[i].nothing);
        assert_int_equal(traffic == CT_LAB_TRAFFIC_CONNECTIONS, cases[i].connections);
    }
    free(readings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hosts_have_names_and_addresses),
        cmocka_unit_test(settings_that_cannot_be_are_refused),
        cmocka_unit_test_setup_teardown(a_lab_that_is_not_there, make_folder, remove_folder),
        cmocka_unit_test(load_is_a_share_of_the_rate),
        cmocka_unit_test(load_of_a_link_is_a_share_of_its_own_rate),
        cmocka_unit_test(what_connections_take_is_no_message)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
