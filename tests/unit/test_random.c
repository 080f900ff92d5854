/* core/random: published values of both generators; GSL's sequences for the same seeds. */
#include "core/random.h"
#include "tests/unit/unit.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

static void splitmix_of_the_reference_implementation(void **state)
{
    (void)state;
    /* Vigna's splitmix64.c, as published for seed 1234567. */
    static const uint64_t expected[] = {
        UINT64_C(6457827717110365317), UINT64_C(3203168211198807973), UINT64_C(9817491932198370423),
        UINT64_C(4593380528125082431), UINT64_C(16408922859458223821)};
    uint64_t random = 1234567;
    for (uint64_t i = 0; i < 5; i++) {
        assert_true(ct_random_next(&random) == expected[i]);
        assert_true(ct_random_at(1234567, i) == expected[i]);
    }
}

static void unit_numbers_are_below_one(void **state)
{
    (void)state;
    assert_true(ct_random_unit(0) == 0);
    assert_true(ct_random_unit(UINT64_MAX) == 1 - 0x1p-53);
    assert_true(ct_random_unit(UINT64_C(1) << 63) == 0.5);
}

static void folded_seeds_keep_a_change_of_any_bit(void **state)
{
    (void)state;
    uint64_t seed = UINT64_C(0x123456789abcdef0);
    for (int bit = 0; bit < 64; bit++)
        assert_true(ct_random_fold(seed) != ct_random_fold(seed ^ UINT64_C(1) << bit));
    assert_int_equal(ct_random_fold(77), 77);
}

/* C++ demands of std::mt19937 that its 10,000th number of seed 5489 is this one ([rand.predef]). */
static void twister_of_the_standard(void **state)
{
    (void)state;
    struct ct_twister twister;
    ct_twister_seed(&twister, 5489);
    for (int i = 1; i < 10000; i++)
        ct_twister_next(&twister);
    assert_true(ct_twister_next(&twister) == 4123659995U);
}

static void twister_draws_what_gsl_draws(void **state)
{
    (void)state;
    static const uint32_t seeds[] = {0, 1, 4357, 0x80000000U, UINT32_MAX};
    static const uint32_t limits[] = {1, 2, 3, 1000, 0x80000001U, UINT32_MAX};
    gsl_rng *theirs = gsl_rng_alloc(gsl_rng_mt19937);
    assert_non_null(theirs);
    for (size_t s = 0; s < sizeof seeds / sizeof *seeds; s++) {
        struct ct_twister ours;
        ct_twister_seed(&ours, seeds[s]);
        gsl_rng_set(theirs, seeds[s]);
        for (size_t i = 0; i < 3000; i++) {
            uint32_t limit = limits[i % 6];
            assert_true(ct_twister_next(&ours) == gsl_rng_get(theirs));
            assert_true(ct_twister_unit(&ours) == gsl_rng_uniform(theirs));
            assert_true(ct_twister_below(&ours, limit) == gsl_rng_uniform_int(theirs, limit));
            assert_true(ct_twister_exponential(&ours, 0.02) == gsl_ran_exponential(theirs, 0.02));
        }
    }
    gsl_rng_free(theirs);
}

static void shuffles_are_those_of_gsl(void **state)
{
    (void)state;
    gsl_rng *theirs = gsl_rng_alloc(gsl_rng_mt19937);
    assert_non_null(theirs);
    for (size_t n = 1; n <= 64; n++) {
        int our[64], their[64], seen = 0;
        for (int i = 0; i < 64; i++)
            our[i] = their[i] = i;
        struct ct_twister ours;
        ct_twister_seed(&ours, (uint32_t)n);
        gsl_rng_set(theirs, n);
        ct_twister_shuffle(&ours, our, n);
        gsl_ran_shuffle(theirs, their, n, sizeof *their);
        assert_memory_equal(our, their, sizeof our);
        for (size_t i = 0; i < n; i++)
            seen += our[i];
        assert_int_equal(seen, n * (n - 1) / 2);
    }
    gsl_rng_free(theirs);
    struct ct_twister ours;
    ct_twister_seed(&ours, 1);
    ct_twister_shuffle(&ours, NULL, 0); /* which GSL refuses */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splitmix_of_the_reference_implementation),
        cmocka_unit_test(unit_numbers_are_below_one),
        cmocka_unit_test(folded_seeds_keep_a_change_of_any_bit),
        cmocka_unit_test(twister_of_the_standard),
        cmocka_unit_test(twister_draws_what_gsl_draws),
        cmocka_unit_test(shuffles_are_those_of_gsl),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
