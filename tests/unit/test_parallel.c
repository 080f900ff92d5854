/* core/parallel: every piece of work is done once, by any number of threads. */
#include "core/parallel.h"
#include "unit.h"

#include <stdatomic.h>

enum { PIECES = 1000 };

static void count(void *work, size_t i)
{
    atomic_uint *counts = work;
    atomic_fetch_add(&counts[i], 1);
}

static void every_piece_is_done_once(void **state)
{
    (void)state;
    static const unsigned threads[] = {1, 2, 7, CT_PARALLEL_MAX, 10 * CT_PARALLEL_MAX};
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
        static const size_t sizes[] = {0, 1, 2, PIECES};
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            atomic_uint counts[PIECES + 1] = {0};
            ct_parallel_run(sizes[s], threads[t], count, counts);
            for (size_t i = 0; i <= PIECES; i++)
                assert_int_equal(counts[i], i < sizes[s]);
        }
    }
}

static void there_is_a_processor(void **state)
{
    (void)state;
    assert_in_range(ct_parallel_processors(), 1, CT_PARALLEL_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_piece_is_done_once),
                                       cmocka_unit_test(there_is_a_processor)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
