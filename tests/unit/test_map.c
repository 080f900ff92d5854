/* core/map.h: numbers of keys, also of keys that have several; core/text_map.h: of texts. */
#include "core/text_map.h"
#include "unit.h"

#include <gsl/gsl_rng.h>
#include <stdio.h>

/* Against a list that is searched from the end; handles that MPI gives out more than once. */
static void test_values_of_a_key(void **state)
{
    (void)state;
    enum { ROUNDS = 20000, KEYS = 50, MOST = 300 };
    struct ct_map map = {0}, copy = {0};
    struct ct_map_slot list[MOST];
    size_t n = 0;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        uint64_t key = 0x94000000U + 4 * gsl_rng_uniform_int(rng, KEYS);
        if (n < MOST && gsl_rng_uniform_int(rng, 2)) {
            assert_true(ct_map_add(&map, key, round));
            list[n++] = (struct ct_map_slot){key, round};
        } else if (n > 0) {
            size_t i = gsl_rng_uniform_int(rng, n);
            ct_map_remove(&map, list[i].key, list[i].value);
            memmove(&list[i], &list[i + 1], (n - i - 1) * sizeof *list);
            n--;
        }
        ct_map_remove(&map, key, ROUNDS + 1); /* not there */
        assert_int_equal(map.n, n);
        size_t at = 0;
        for (size_t i = n; i-- > 0;) /* the latest first, also after the map has grown */
            if (list[i].key == key)
                assert_int_equal(ct_map_next(&map, key, &at), list[i].value);
        assert_int_equal(ct_map_next(&map, key, &at), 0);
    }
    assert_true(ct_map_copy(&map, &copy));
    ct_map_free(&map);
    assert_int_equal(copy.n, n);
    for (size_t i = n; i-- > 0;) {
        assert_int_equal(ct_map_get(&copy, list[i].key) != 0, 1);
        ct_map_remove(&copy, list[i].key, list[i].value);
    }
    assert_int_equal(copy.n, 0);
    assert_true(ct_map_copy(&map, &copy)); /* an empty one */
    assert_null(copy.slots);
    gsl_rng_free(rng);
}

/* The value of a key that has one is replaced; of one that has several, the latest. */
static void test_set(void **state)
{
    (void)state;
    struct ct_map map = {0};
    int values[2];
    for (uint64_t key = 0; key < 1000; key++)
        assert_true(ct_map_set(&map, key << 20, (uintptr_t)&values[0]));
    for (uint64_t key = 0; key < 1000; key++)
        assert_true(ct_map_set(&map, key << 20, (uintptr_t)&values[1]));
    assert_int_equal(map.n, 1000);
    for (uint64_t key = 0; key < 1000; key++)
        assert_int_equal(ct_map_get(&map, key << 20), (uintptr_t)&values[1]);
    assert_int_equal(ct_map_get(&map, 1), 0);
    assert_true(ct_map_add(&map, 1, 5) && ct_map_add(&map, 1, 6) && ct_map_set(&map, 1, 7));
    size_t at = 0;
    assert_int_equal(ct_map_next(&map, 1, &at), 7);
    assert_int_equal(ct_map_next(&map, 1, &at), 5);
    assert_int_equal(ct_map_next(&map, 1, &at), 0);
    assert_int_equal(ct_map_take(&map, 1), 7);
    assert_int_equal(ct_map_take(&map, 1), 5);
    assert_int_equal(ct_map_take(&map, 1), 0);
    ct_map_free(&map);
}

/* Pairs of a square, whose keys differ in few bits: each is asked for twice. */
static void test_number(void **state)
{
    (void)state;
    enum { SIDE = 200 };
    struct ct_map map = {0};
    for (uint32_t twice = 0; twice < 2; twice++)
        for (uint32_t i = 0; i < SIDE * SIDE; i++) {
            uint32_t number;
            uint64_t pair = ct_map_pair((i % SIDE) << 16, i / SIDE);
            assert_true(ct_map_number(&map, pair, &number));
            assert_int_equal(number, i);
            assert_int_equal(map.n, twice ? SIDE * SIDE : i + 1);
        }
    size_t longest = 0;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        size_t at = 0;
        ct_map_next(&map, ct_map_pair((i % SIDE) << 16, i / SIDE), &at);
        longest = at > longest ? at : longest;
    }
    assert_true(longest < 64); /* a table that is half full: about 20 with good luck */
    ct_map_free(&map);
}

/* A large map that has little in it is freed, so that clearing it does not take long. */
static void test_clear(void **state)
{
    (void)state;
    struct ct_map map = {0};
    ct_map_clear(&map);
    for (uint64_t i = 1; i <= 1000; i++)
        assert_true(ct_map_add(&map, i, i));
    size_t room = map.room;
    ct_map_clear(&map);
    assert_int_equal(map.room, room);
    assert_int_equal(map.n, 0);
    assert_int_equal(ct_map_get(&map, 7), 0);
    assert_true(ct_map_add(&map, 7, 1));
    ct_map_clear(&map);
    assert_int_equal(map.room, 0);
    assert_true(ct_map_add(&map, 7, 2));
    assert_int_equal(ct_map_get(&map, 7), 2);
    ct_map_free(&map);
}

static void test_texts(void **state)
{
    (void)state;
    struct ct_text_map map = {0};
    char text[16];
    bool is_new;
    assert_null(ct_text_map_get(&map, "", 0));
    for (uint32_t twice = 0; twice < 2; twice++)
        for (uint32_t i = 0; i < 100000; i++) {
            snprintf(text, sizeof text, "l%u", i);
            uint32_t *value = ct_text_map_put(&map, text, strlen(text), &is_new);
            assert_non_null(value);
            assert_int_equal(is_new, !twice);
            assert_int_equal(*value, twice ? i : 0);
            *value = i;
        }
    assert_int_equal(*ct_text_map_get(&map, "l99999", 6), 99999);
    assert_int_equal(*ct_text_map_get(&map, "l99999", 5), 9999);
    for (int rank = 0; rank < 2; rank++) { /* of which only the first has many labels */
        ct_text_map_clear(&map);
        assert_null(ct_text_map_get(&map, "l7", 2));
        assert_non_null(ct_text_map_put(&map, "l7", 2, &is_new));
        assert_true(is_new);
        assert_non_null(ct_text_map_put(&map, "l7", 2, &is_new));
        assert_false(is_new);
    }
    assert_true(map.map.room < 1000);
    ct_text_map_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values_of_a_key),
                                       cmocka_unit_test(test_set), cmocka_unit_test(test_number),
                                       cmocka_unit_test(test_clear), cmocka_unit_test(test_texts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
