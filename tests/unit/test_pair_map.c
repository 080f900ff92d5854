/* Numbers of pairs. */
#include "goal_example.h"
#include "simulate/pair_map.h"
#include "unit.h"

#include <string.h>

enum { NODES = 60, TIMES = 20000 };

/* A pair that is new has the next number, and keeps it while the map grows. */
static void test_numbers(void **state)
{
    (void)state;
    struct ct_pair_map map = {0};
    uint32_t numbers[NODES][NODES], n = 0, number;
    uint64_t die = 5;
    memset(numbers, 0xff, sizeof numbers);
    for (int i = 0; i < TIMES; i++) {
        uint32_t from = (uint32_t)throw_die(&die, NODES), to = (uint32_t)throw_die(&die, NODES);
        assert_true(ct_pair_map_find(&map, from, to, &number));
        if (numbers[from][to] == UINT32_MAX)
            numbers[from][to] = n++;
        assert_int_equal(number, numbers[from][to]);
        assert_int_equal(map.n, n);
    }
    assert_in_range(n, NODES * NODES - 100, NODES * NODES);
    ct_pair_map_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
