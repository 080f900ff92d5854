/* For which queues the result of a simulation holds, too. */
#include "simulate/joint/simulation_memo.h"
#include "unit.h"

static const struct ct_port_queues in_turn = {
    .order = CT_PORT_ROUND_ROBIN, .packet_bytes = 1500, .ahead_bytes = 6000, .burst_bytes = 100};

static void remember(struct ct_simulation_memo *memo, const struct ct_port_queues *queues,
                     const struct ct_network_use *use, double value)
{
    struct ct_error err;
    if (ct_simulation_remember(memo, queues, use, &value, 1, &err) != CT_OK)
        fail_msg("%s", err.text);
}

/* What is known for some queues; NaN: nothing. */
static double recall(const struct ct_simulation_memo *memo, enum ct_port_order order,
                     double ahead_bytes, double burst_bytes)
{
    const struct ct_port_queues queues = {order, 1500, ahead_bytes, burst_bytes};
    double value = NAN;
    bool known = ct_simulation_recall(memo, &queues, &value, 1);
    assert_int_equal(known, !isnan(value));
    return value;
}

static void test_same_queues(void **state)
{
    const struct ct_network_use unknown = {.is_known = false};
    struct ct_simulation_memo memo = {0};
    (void)state;
    assert_true(isnan(recall(&memo, CT_PORT_ROUND_ROBIN, 6000, 100)));
    remember(&memo, &in_turn, &unknown, 7);
    assert_near(recall(&memo, CT_PORT_ROUND_ROBIN, 6000, 100), 7, 0);
    assert_true(isnan(recall(&memo, CT_PORT_FIFO, 6000, 100)));
    assert_true(isnan(recall(&memo, CT_PORT_ROUND_ROBIN, 12000, 100)));
    assert_true(isnan(recall(&memo, CT_PORT_ROUND_ROBIN, 6000, 0)));
    ct_simulation_forget(&memo);
}

static void test_windows(void **state)
{
    const struct ct_network_use part = {true, true, 3000}, full = {true, true, INFINITY};
    struct ct_simulation_memo memo = {0};
    (void)state;
    remember(&memo, &in_turn, &full, 1);
    assert_near(recall(&memo, CT_PORT_ROUND_ROBIN, 6000, 100), 1, 0);
    assert_true(isnan(recall(&memo, CT_PORT_ROUND_ROBIN, 12000, 100)));
    ct_simulation_forget(&memo);
    remember(&memo, &in_turn, &part, 2);
    assert_near(recall(&memo, CT_PORT_ROUND_ROBIN, 12000, 100), 2, 0);
    assert_near(recall(&memo, CT_PORT_ROUND_ROBIN, 3000, 100), 2, 0);
    assert_true(isnan(recall(&memo, CT_PORT_ROUND_ROBIN, 2999, 100)));
    ct_simulation_forget(&memo);
}

static void test_orders(void **state)
{
    const struct ct_network_use chosen = {true, true, INFINITY},
                                not_chosen = {true, false, INFINITY};
    struct ct_port_queues fifo = in_turn;
    struct ct_simulation_memo memo = {0};
    fifo.order = CT_PORT_FIFO;
    (void)state;
    remember(&memo, &in_turn, &chosen, 1);
    assert_true(isnan(recall(&memo, CT_PORT_FIFO, 6000, 100)));
    remember(&memo, &in_turn, &not_chosen, 2);
    assert_near(recall(&memo, CT_PORT_FIFO, 6000, 100), 2, 0);
    ct_simulation_forget(&memo);
    /* The other way round it is not known. */
    remember(&memo, &fifo, &not_chosen, 3);
    assert_true(isnan(recall(&memo, CT_PORT_ROUND_ROBIN, 6000, 100)));
    ct_simulation_forget(&memo);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_queues),
                                       cmocka_unit_test(test_windows),
                                       cmocka_unit_test(test_orders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
