/* What workloads send: parts of the matrix, boundaries of the cubes, contents and their check. */
#include "bench/workloads/halo.h"
#include "bench/workloads/region.h"
#include "bench/workloads/transpose.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off */
#include <setjmp.h> /* before cmocka.h, which needs both */
#include <stdarg.h>
#include <cmocka.h>
/* clang-format on */

/* --- region ---------------------------------------------------------------------------------- */

enum { WORDS_MAX = 4096 };

static const struct ct_region box = {
    .origin = 1000, .extent = {3, 2, 5, 7}, .stride = {1, 600, 30, 2}};

static void test_region_fill_walks_last_axis_fastest(void **state)
{
    (void)state;
    uint64_t words[WORDS_MAX];
    ct_region_fill(&box, 9, words);
    assert_int_equal(ct_region_words(&box), 3 * 2 * 5 * 7);
    assert_int_equal(words[0], ct_region_word(9, 1000));
    assert_int_equal(words[1], ct_region_word(9, 1002));
    assert_int_equal(words[7], ct_region_word(9, 1030));
    assert_int_equal(words[5 * 7], ct_region_word(9, 1600));
    assert_int_equal(words[2 * 5 * 7], ct_region_word(9, 1001));
    assert_int_equal(words[3 * 2 * 5 * 7 - 1], ct_region_word(9, 1002 + 600 + 120 + 12));
}

static void test_region_every_wrong_word_is_found(void **state)
{
    (void)state;
    uint64_t words[WORDS_MAX];
    size_t n = ct_region_words(&box);
    ct_region_fill(&box, 5, words);
    struct ct_region_mismatch mismatch;
    assert_true(ct_region_check(&box, 5, words, SIZE_MAX, &mismatch));
    for (size_t i = 0; i < n; i++) {
        uint64_t right = words[i];
        words[i] ^= UINT64_C(1) << (i % 64);
        assert_false(ct_region_check(&box, 5, words, SIZE_MAX, &mismatch));
        assert_int_equal(mismatch.index, i);
        assert_int_equal(mismatch.found, words[i]);
        assert_int_equal(mismatch.expected, right);
        words[i] = right;
    }
}

static void test_region_sampling_visits_every_word_in_time(void **state)
{
    (void)state;
    uint64_t words[WORDS_MAX];
    size_t n = ct_region_words(&box), checks = 10, rounds = 300;
    struct ct_region_mismatch mismatch;
    for (size_t wrong = 0; wrong < n; wrong++) {
        size_t found = 0;
        for (uint64_t round = 0; round < rounds; round++) {
            uint64_t stamp = 2 * round; /* as one of two exchanges that take turns */
            ct_region_fill(&box, stamp, words);
            words[wrong]++;
            found += !ct_region_check(&box, stamp, words, checks, &mismatch);
        }
        if (wrong == n - 1)
            assert_int_equal(found, rounds);
        else /* about checks / n of the rounds */
            assert_in_range(found, 1, rounds / 4);
    }
}

static void test_region_stale_foreign_shifted_and_short_messages_fail(void **state)
{
    (void)state;
    uint64_t words[WORDS_MAX];
    size_t n = ct_region_words(&box);
    struct ct_region foreign = box;
    struct ct_region_mismatch mismatch;
    foreign.origin++;
    for (size_t checks = 1; checks <= n; checks *= 4) {
        ct_region_fill(&box, 6, words); /* of the exchange before */
        assert_false(ct_region_check(&box, 7, words, checks, &mismatch));
        ct_region_fill(&foreign, 7, words);
        assert_false(ct_region_check(&box, 7, words, checks, &mismatch));
        ct_region_fill(&box, 7, words);
        memmove(words + 1, words, (n - 1) * sizeof *words);
        assert_false(ct_region_check(&box, 7, words, checks, &mismatch));
        ct_region_fill(&box, 7, words);
        words[n - 1] = 0; /* the last word never came */
        assert_false(ct_region_check(&box, 7, words, checks, &mismatch));
        ct_region_fill(&box, 7, words);
        assert_true(ct_region_check(&box, 7, words, checks, &mismatch));
    }
}

static void test_region_without_words(void **state)
{
    (void)state;
    struct ct_region nothing = box;
    struct ct_region_mismatch mismatch;
    nothing.extent[2] = 0;
    assert_int_equal(ct_region_words(&nothing), 0);
    ct_region_fill(&nothing, 1, NULL);
    assert_true(ct_region_check(&nothing, 1, NULL, 4, &mismatch));
}

/* --- transpose ------------------------------------------------------------------------------- */

static const size_t matrix_sizes[] = {1, 2, 7, 20, 33, 48};
enum { N_MATRIX_SIZES = sizeof matrix_sizes / sizeof *matrix_sizes, RANKS_MAX = 33 };

static void test_transpose_spans_cover_the_matrix(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_MATRIX_SIZES; i++)
        for (int ranks = 1; ranks <= RANKS_MAX; ranks++) {
            size_t n = matrix_sizes[i], next = 0;
            const struct ct_matrix matrix = {.n = n, .element_words = 2, .n_ranks = ranks};
            for (int rank = 0; rank < ranks; rank++) {
                struct ct_span span = ct_transpose_span(&matrix, rank);
                assert_int_equal(span.first, next);
                assert_in_range(span.count, n / (size_t)ranks, n / (size_t)ranks + 1);
                next += span.count;
            }
            assert_int_equal(next, n);
        }
}

/* Mark every word of a region in a map of the matrix. */
static void mark(const struct ct_region *region, unsigned char *seen)
{
    for (size_t i = 0; i < region->extent[0]; i++)
        for (size_t j = 0; j < region->extent[1]; j++)
            for (size_t k = 0; k < region->extent[2]; k++)
                for (size_t l = 0; l < region->extent[3]; l++)
                    seen[region->origin + i * region->stride[0] + j * region->stride[1] +
                         k * region->stride[2] + l * region->stride[3]]++;
}

static void test_transpose_messages_cover_the_matrix_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_MATRIX_SIZES; i++)
        for (int ranks = 1; ranks <= RANKS_MAX; ranks++)
            for (int back = 0; back <= 1; back++) {
                size_t n = matrix_sizes[i], element = back ? 2 * n : 2;
                const struct ct_matrix matrix = {
                    .n = n, .element_words = element, .n_ranks = ranks};
                unsigned char *seen = calloc(element * n * n, 1);
                assert_non_null(seen);
                for (int from = 0; from < ranks; from++)
                    for (int to = 0; to < ranks; to++) {
                        struct ct_region region = ct_transpose_region(&matrix, from, to, back);
                        struct ct_region answer = ct_transpose_region(&matrix, to, from, back);
                        assert_int_equal(ct_region_words(&region), ct_region_words(&answer));
                        mark(&region, seen);
                    }
                for (size_t word = 0; word < element * n * n; word++)
                    assert_int_equal(seen[word], 1);
                free(seen);
            }
}

/* Both ways done on one process: each rank's buffer, put together from the messages, must hold the
 * columns of the matrix after the first transposition and its rows after the second. */
static void test_transpose_delivers_columns_then_rows(void **state)
{
    (void)state;
    enum { N = 7, RANKS = 3 };
    const struct ct_matrix matrix = {.n = N, .element_words = 2, .n_ranks = RANKS};
    for (int back = 0; back <= 1; back++)
        for (int to = 0; to < RANKS; to++) {
            struct ct_span mine = ct_transpose_span(&matrix, to);
            for (int from = 0; from < RANKS; from++) {
                struct ct_span theirs = ct_transpose_span(&matrix, from);
                struct ct_region region = ct_transpose_region(&matrix, from, to, back);
                uint64_t words[2 * N * N], *word = words;
                ct_region_fill(&region, 3, words);
                for (size_t line = mine.first; line < mine.first + mine.count; line++)
                    for (size_t i = theirs.first; i < theirs.first + theirs.count; i++) {
                        size_t row = back ? line : i, column = back ? i : line;
                        uint64_t key = 2 * (row * N + column);
                        assert_int_equal(*word++, ct_region_word(3, key));
                        assert_int_equal(*word++, ct_region_word(3, key + 1));
                    }
                assert_int_equal(word - words, ct_region_words(&region));
            }
        }
}

/* --- halo ------------------------------------------------------------------------------------ */

static void test_halo_side_takes_cubes_only(void **state)
{
    (void)state;
    struct ct_error err;
    for (int side = 1; side <= 12; side++) {
        int found = 0;
        assert_int_equal(ct_halo_side(side * side * side, &found, &err), CT_OK);
        assert_int_equal(found, side);
    }
    int untouched = -5;
    for (int ranks = 9; ranks < 27; ranks++) {
        assert_int_equal(ct_halo_side(ranks, &untouched, &err), CT_EUSAGE);
        assert_non_null(strstr(err.text, "the nearest are 8 and 27"));
    }
    assert_int_equal(ct_halo_side(2, &untouched, &err), CT_EUSAGE);
    assert_non_null(strstr(err.text, "2 ranks"));
    assert_non_null(strstr(err.text, "1 and 8"));
    assert_int_equal(untouched, -5);
}

static const struct ct_halo_exchange exchanges[] = {
    {.fields = 3, .nodes = true},
    {.fields = 6, .nodes = true, .to_lower = true},
    {.fields = 3, .faces_only = true},
    {.fields = 1},
    {.fields = 2, .nodes = true, .faces_only = true, .to_lower = true},
};
enum { N_EXCHANGES = sizeof exchanges / sizeof *exchanges };

/* Call visit for every exchange on grids of 1 to 64 ranks. */
static void for_each_grid(void (*visit)(const struct ct_halo_grid *grid,
                                        const struct ct_halo_exchange *exchange))
{
    static const size_t edges[] = {1, 2, 5};
    for (int side = 1; side <= 4; side++)
        for (size_t e = 0; e < sizeof edges / sizeof *edges; e++)
            for (size_t x = 0; x < N_EXCHANGES; x++) {
                const struct ct_halo_grid grid = {.side = side, .n = edges[e]};
                visit(&grid, &exchanges[x]);
            }
}

static const struct ct_halo_message *find_peer(const struct ct_halo_message *messages, size_t n,
                                               int peer)
{
    for (size_t i = 0; i < n; i++)
        if (messages[i].peer == peer)
            return &messages[i];
    return NULL;
}

static void check_partners(const struct ct_halo_grid *grid, const struct ct_halo_exchange *exchange)
{
    int ranks = grid->side * grid->side * grid->side;
    size_t n_sends = 0, n_receives = 0;
    for (int rank = 0; rank < ranks; rank++) {
        struct ct_halo_message sends[CT_HALO_NEIGHBOURS_MAX], theirs[CT_HALO_NEIGHBOURS_MAX];
        size_t n = ct_halo_sends(grid, exchange, rank, sends);
        n_sends += n;
        n_receives += ct_halo_receives(grid, exchange, rank, theirs);
        for (size_t i = 0; i < n; i++) {
            assert_in_range(sends[i].peer, 0, ranks - 1);
            assert_int_not_equal(sends[i].peer, rank);
            assert_true(i == 0 || sends[i].peer > sends[i - 1].peer); /* one message a peer */
            assert_true(!exchange->to_lower || sends[i].peer < rank);
            size_t n_theirs = ct_halo_receives(grid, exchange, sends[i].peer, theirs);
            const struct ct_halo_message *match = find_peer(theirs, n_theirs, rank);
            assert_non_null(match);
            assert_memory_equal(&match->region, &sends[i].region, sizeof match->region);
        }
    }
    assert_int_equal(n_sends, n_receives);
}

static void test_halo_each_send_has_its_receive(void **state)
{
    (void)state;
    for_each_grid(check_partners);
}

/* Pairs of ranks with a common face, edge or corner in a grid without wrap-around, counted by hand:
 * 3 s^2 (s-1), 6 s (s-1)^2, 4 (s-1)^3. */
static void check_sum(const struct ct_halo_grid *grid, const struct ct_halo_exchange *exchange)
{
    size_t s = (size_t)grid->side, gaps = s - 1, points = grid->n + exchange->nodes;
    size_t expected = 3 * s * s * gaps * points * points;
    if (!exchange->faces_only)
        expected += 6 * s * gaps * gaps * points + 4 * gaps * gaps * gaps;
    expected *= exchange->fields * (exchange->to_lower ? 1U : 2U);
    size_t words = 0;
    for (int rank = 0; rank < grid->side * grid->side * grid->side; rank++) {
        struct ct_halo_message messages[CT_HALO_NEIGHBOURS_MAX];
        size_t n = ct_halo_sends(grid, exchange, rank, messages);
        for (size_t i = 0; i < n; i++)
            words += ct_region_words(&messages[i].region);
    }
    assert_int_equal(words, expected);
}

static void test_halo_sum_of_words(void **state)
{
    (void)state;
    for_each_grid(check_sum);
}

static bool holds(const struct ct_halo_grid *grid, const struct ct_halo_exchange *exchange,
                  int rank, uint64_t key)
{
    size_t line = (size_t)grid->side * grid->n + exchange->nodes;
    for (int axis = 0, r = rank, point = (int)(key / exchange->fields); axis < 3; axis++) {
        int first = r % grid->side * (int)grid->n;
        int at = point % (int)line;
        if (at < first || at >= first + (int)grid->n + exchange->nodes)
            return false;
        r /= grid->side;
        point /= (int)line;
    }
    return true;
}

/* Nodes that are sent lie on both ranks, elements on the sender only. */
static void check_place(const struct ct_halo_grid *grid, const struct ct_halo_exchange *exchange)
{
    for (int rank = 0; rank < grid->side * grid->side * grid->side; rank++) {
        struct ct_halo_message messages[CT_HALO_NEIGHBOURS_MAX];
        size_t n = ct_halo_sends(grid, exchange, rank, messages);
        for (size_t i = 0; i < n; i++) {
            const struct ct_region *region = &messages[i].region;
            uint64_t last = region->origin;
            for (int axis = 0; axis < CT_REGION_AXES; axis++)
                last += (region->extent[axis] - 1) * region->stride[axis];
            assert_true(holds(grid, exchange, rank, region->origin));
            assert_true(holds(grid, exchange, rank, last));
            assert_int_equal(holds(grid, exchange, messages[i].peer, region->origin),
                             exchange->nodes);
            assert_int_equal(holds(grid, exchange, messages[i].peer, last), exchange->nodes);
        }
    }
}

static void test_halo_sends_what_lies_at_the_boundary(void **state)
{
    (void)state;
    for_each_grid(check_place);
}

static void test_halo_rank_in_the_middle(void **state)
{
    (void)state;
    const struct ct_halo_grid grid = {.side = 3, .n = 4};
    struct ct_halo_message messages[CT_HALO_NEIGHBOURS_MAX];
    const struct ct_halo_exchange all = {.fields = 3, .nodes = true};
    size_t count[3] = {0};
    assert_int_equal(ct_halo_sends(&grid, &all, 13, messages), 26);
    for (size_t i = 0; i < 26; i++) {
        size_t words = ct_region_words(&messages[i].region);
        count[0] += words == 3 * 5 * 5;
        count[1] += words == 3 * 5;
        count[2] += words == 3;
    }
    assert_int_equal(count[0], 6);
    assert_int_equal(count[1], 12);
    assert_int_equal(count[2], 8);
    const struct ct_halo_exchange faces = {.fields = 3, .faces_only = true};
    assert_int_equal(ct_halo_sends(&grid, &faces, 13, messages), 6);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(ct_region_words(&messages[i].region), 3 * 4 * 4);
    const struct ct_halo_exchange lower = {.fields = 6, .nodes = true, .to_lower = true};
    assert_int_equal(ct_halo_sends(&grid, &lower, 13, messages), 13);
    assert_int_equal(ct_halo_receives(&grid, &lower, 13, messages), 13);
    assert_int_equal(ct_halo_sends(&grid, &lower, 0, messages), 0);
    assert_int_equal(ct_halo_receives(&grid, &lower, 0, messages), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_region_fill_walks_last_axis_fastest),
        cmocka_unit_test(test_region_every_wrong_word_is_found),
        cmocka_unit_test(test_region_sampling_visits_every_word_in_time),
        cmocka_unit_test(test_region_stale_foreign_shifted_and_short_messages_fail),
        cmocka_unit_test(test_region_without_words),
        cmocka_unit_test(test_transpose_spans_cover_the_matrix),
        cmocka_unit_test(test_transpose_messages_cover_the_matrix_once),
        cmocka_unit_test(test_transpose_delivers_columns_then_rows),
        cmocka_unit_test(test_halo_side_takes_cubes_only),
        cmocka_unit_test(test_halo_each_send_has_its_receive),
        cmocka_unit_test(test_halo_sum_of_words),
        cmocka_unit_test(test_halo_sends_what_lies_at_the_boundary),
        cmocka_unit_test(test_halo_rank_in_the_middle),
    };
    return cmocka_run_group_tests_name("workloads", tests, NULL, NULL);
}
