/* Numbers of pairs, which other pairs take over. */
#include "goal_example.h"
#include "simulate/pair_map.h"
#include "unit.h"

enum { NODES = 24, PLACES = 40, TIMES = 20000 };

struct kept {
    uint32_t from, to;
};

static void check_all(struct ct_pair_map *map, const struct kept *kept, uint32_t n)
{
    uint32_t number;
    for (uint32_t i = 0; i < n; i++) {
        assert_true(ct_pair_map_find(map, kept[i].from, kept[i].to, &number));
        assert_int_equal(number, i);
    }
    assert_int_equal(map->n, n);
}

/* At most PLACES pairs at random have numbers at a time: a new one takes that of another. */
static void test_replace(void **state)
{
    (void)state;
    struct ct_pair_map map = {0};
    struct kept kept[PLACES];
    uint32_t n = 0, number;
    uint64_t die = 5;
    for (int i = 0; i < TIMES; i++) {
        const struct kept now = {(uint32_t)throw_die(&die, NODES),
                                 (uint32_t)throw_die(&die, NODES)};
        assert_true(ct_pair_map_find(&map, now.from, now.to, &number));
        if (number < n) {
            assert_int_equal(kept[number].from, now.from);
            assert_int_equal(kept[number].to, now.to);
            continue;
        }
        assert_int_equal(number, n);
        uint32_t other = (uint32_t)throw_die(&die, PLACES);
        if (n < PLACES) {
            other = n++;
        } else {
            ct_pair_map_replace(&map, kept[other].from, kept[other].to, now.from, now.to);
        }
        kept[other] = now;
        if (i % 50 == 0)
            check_all(&map, kept, n);
    }
    assert_int_equal(n, PLACES);
    assert_int_equal(map.size, 64); /* it does not grow with those that had numbers before */
    check_all(&map, kept, n);
    ct_pair_map_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_replace)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
