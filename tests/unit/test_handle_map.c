/* lp-bridge/trace/pmpi: numbers of handles, also of those that are given out more than once. */
#include "lp-bridge/trace/pmpi/handle_map.h"
#include "unit.h"

#include <gsl/gsl_rng.h>
#include <string.h>

/* Against a list that is searched from the end. */
static void handles_are_found(void **state)
{
    (void)state;
    enum { ROUNDS = 20000, HANDLES = 50, MOST = 300 };
    struct ct_handle_map map = {0};
    struct ct_handle_slot list[MOST];
    size_t n = 0;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        uint64_t handle = 0x94000000U + 4 * gsl_rng_uniform_int(rng, HANDLES);
        if (n < MOST && gsl_rng_uniform_int(rng, 2)) {
            assert_true(ct_handle_map_add(&map, handle, round));
            list[n++] = (struct ct_handle_slot){handle, round};
        } else if (n > 0) {
            size_t i = gsl_rng_uniform_int(rng, n);
            ct_handle_map_remove(&map, list[i].handle, list[i].number);
            memmove(&list[i], &list[i + 1], (n - i - 1) * sizeof *list);
            n--;
        }
        uint32_t expected = 0;
        for (size_t i = 0; i < n; i++)
            if (list[i].handle == handle)
                expected = list[i].number;
        uint32_t found = ct_handle_map_find(&map, handle);
        bool listed = false;
        for (size_t i = 0; i < n; i++)
            listed = listed || (list[i].handle == handle && list[i].number == found);
        assert_true(expected == 0 ? found == 0 : listed);
        size_t n_listed = 0, n_found = 0, at = 0;
        for (size_t i = 0; i < n; i++)
            n_listed += list[i].handle == handle;
        for (uint32_t last = 0; (found = ct_handle_map_next(&map, handle, &at)) != 0; last = found)
            n_found += found != last;
        assert_int_equal(n_found, n_listed);
        assert_int_equal(map.n, n);
    }
    ct_handle_map_free(&map);
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(handles_are_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
