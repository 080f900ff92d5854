/* trace/otf2: sizes of collectives, as archives have them. */
#include "trace/otf2/otf2.h"
#include "trace/otf2/sizes.h"
#include "unit.h"

static const enum ct_trace_kind kinds[] = {
    CT_TRACE_BCAST,    CT_TRACE_REDUCE,    CT_TRACE_ALLREDUCE,     CT_TRACE_SCAN,
    CT_TRACE_EXSCAN,   CT_TRACE_GATHER,    CT_TRACE_SCATTER,       CT_TRACE_ALLGATHER,
    CT_TRACE_ALLTOALL, CT_TRACE_ALLTOALLV, CT_TRACE_REDUCE_SCATTER};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

static void sizes_come_back(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_KINDS; k++)
        for (uint32_t n = 1; n <= 9; n++)
            for (uint32_t member = 0; member < n; member++)
                for (int root = 0; root < 2; root++)
                    for (uint64_t bytes = 0; bytes <= 24; bytes += 8) {
                        struct ct_otf2_place place = {member, n, root};
                        struct ct_otf2_sizes sizes = ct_otf2_sizes_of(kinds[k], bytes, place);
                        if (kinds[k] == CT_TRACE_EXSCAN && n == 1)
                            continue; /* nothing is sent */
                        assert_int_equal(ct_otf2_bytes_of(kinds[k], sizes, place), bytes);
                    }
}

/* What Score-P records of calls in place: the rank's own part is left out. */
static void calls_in_place_are_known_where_sizes_tell(void **state)
{
    (void)state;
    const struct ct_otf2_place root = {0, 4, true}, other = {2, 4, false};
    const uint64_t b = 1000; /* 3 b is no multiple of 4 parts of b */
    assert_int_equal(ct_otf2_bytes_of(CT_TRACE_REDUCE, (struct ct_otf2_sizes){0, 3 * b}, root), b);
    assert_int_equal(ct_otf2_bytes_of(CT_TRACE_GATHER, (struct ct_otf2_sizes){0, 3 * b}, root), b);
    assert_int_equal(ct_otf2_bytes_of(CT_TRACE_SCATTER, (struct ct_otf2_sizes){3 * b, 0}, root), b);
    assert_int_equal(
        ct_otf2_bytes_of(CT_TRACE_ALLREDUCE, (struct ct_otf2_sizes){3 * 10, 3 * 10}, other), 10);
    assert_int_equal(ct_otf2_bytes_of(CT_TRACE_SCAN, (struct ct_otf2_sizes){2 * b, 3 * b}, other),
                     b);
}

static void archives_are_known_by_their_ending(void **state)
{
    (void)state;
    assert_true(ct_otf2_is_archive("nowhere/traces.otf2"));
    assert_false(ct_otf2_is_archive("nowhere/traces.otf"));
    assert_false(ct_otf2_is_archive(".otf2"));
    assert_false(ct_otf2_is_archive("/dev"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_come_back),
        cmocka_unit_test(calls_in_place_are_known_where_sizes_tell),
        cmocka_unit_test(archives_are_known_by_their_ending),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
