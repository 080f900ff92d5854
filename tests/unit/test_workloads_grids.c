/* What workloads send on grids of ranks: neighbours, faces of lattices, levels, particles; and the
 * profile of it all. */
#include "bench/workloads/flight.h"
#include "bench/workloads/grid.h"
#include "bench/workloads/lattice.h"
#include "bench/workloads/multigrid.h"
#include "bench/workloads/profile.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off */
#include <setjmp.h> /* before cmocka.h, which needs both */
#include <stdarg.h>
#include <cmocka.h>
/* clang-format on */

enum { RANKS_MAX = 48 };

/* --- grid ------------------------------------------------------------------------------------ */

static void test_grid_sides(void **state)
{
    (void)state;
    static const struct {
        int ranks, axes, side[CT_GRID_AXES_MAX];
    } cases[] = {{1, 4, {1, 1, 1, 1}},   {8, 4, {1, 2, 2, 2}}, {16, 4, {2, 2, 2, 2}},
                 {8, 3, {2, 2, 2}},      {12, 3, {2, 2, 3}},   {7, 3, {1, 1, 7}},
                 {144, 4, {3, 3, 4, 4}}, {36, 2, {6, 6}},      {30, 1, {30}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ct_grid grid = ct_grid_make(cases[i].ranks, cases[i].axes, true);
        assert_int_equal(grid.n_axes, cases[i].axes);
        assert_memory_equal(grid.side, cases[i].side, (size_t)cases[i].axes * sizeof(int));
    }
    for (int axes = 1; axes <= CT_GRID_AXES_MAX; axes++)
        for (int ranks = 1; ranks <= 500; ranks++) {
            struct ct_grid grid = ct_grid_make(ranks, axes, false);
            int product = 1;
            for (int axis = 0; axis < axes; axis++) {
                assert_true(axis == 0 || grid.side[axis] >= grid.side[axis - 1]);
                product *= grid.side[axis];
            }
            assert_int_equal(product, ranks);
        }
}

static void check_neighbour(const struct ct_grid *grid, int rank, int axis, int steps)
{
    int here[CT_GRID_AXES_MAX], there[CT_GRID_AXES_MAX], peer = -5, back = -5;
    ct_grid_position(grid, rank, here);
    int at = here[axis] + steps, side = grid->side[axis];
    bool exists = grid->wraps || (at >= 0 && at < side);
    assert_int_equal(ct_grid_neighbour(grid, rank, axis, steps, &peer), exists);
    if (!exists) {
        assert_int_equal(peer, -5);
        return;
    }
    ct_grid_position(grid, peer, there);
    for (int other = 0; other < grid->n_axes; other++)
        assert_int_equal(there[other], other == axis ? (at + 10 * side) % side : here[other]);
    assert_true(ct_grid_neighbour(grid, peer, axis, -steps, &back));
    assert_int_equal(back, rank);
}

static void test_grid_neighbours_are_mutual(void **state)
{
    (void)state;
    for (int wraps = 0; wraps <= 1; wraps++)
        for (int axes = 1; axes <= CT_GRID_AXES_MAX; axes++)
            for (int ranks = 1; ranks <= RANKS_MAX; ranks++) {
                struct ct_grid grid = ct_grid_make(ranks, axes, wraps);
                for (int rank = 0; rank < ranks; rank++)
                    for (int axis = 0; axis < axes; axis++)
                        for (int steps = -3; steps <= 3; steps++)
                            check_neighbour(&grid, rank, axis, steps);
            }
}

/* --- faces, of whatever workload ------------------------------------------------------------- */

struct face {
    int peer;
    struct ct_region region;
};

/* The message that goes in a direction must be the one that its receiver expects from there. */
static void assert_same(const struct face *sent, const struct face *expected, int sender)
{
    assert_int_equal(expected->peer, sender);
    assert_memory_equal(&sent->region, &expected->region, sizeof sent->region);
}

/* --- lattice --------------------------------------------------------------------------------- */

static struct ct_lattice lattice_of(int ranks)
{
    return (struct ct_lattice){
        .grid = ct_grid_make(ranks, CT_LATTICE_AXES, true), .edge = {2, 4, 6, 8}, .site_words = 3};
}

static void test_lattice_each_send_has_its_receive(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= RANKS_MAX; ranks++) {
        struct ct_lattice lattice = lattice_of(ranks);
        for (int rank = 0; rank < ranks; rank++)
            for (int d = 0; d < CT_LATTICE_DIRECTIONS; d++)
                for (int odd = 0; odd <= 1; odd++) {
                    struct face sent, expected;
                    bool sends = ct_lattice_send(&lattice, rank, d, odd, &sent.peer, &sent.region);
                    assert_int_equal(sends, lattice.grid.side[d / 2] > 1);
                    if (!sends)
                        continue;
                    assert_int_not_equal(sent.peer, rank);
                    assert_true(ct_lattice_receive(&lattice, sent.peer, d ^ 1, odd, &expected.peer,
                                                   &expected.region));
                    assert_same(&sent, &expected, rank);
                    assert_int_equal(ct_region_words(&sent.region),
                                     ct_lattice_face_words(&lattice, d / 2));
                }
    }
}

/* Sites of one parity on a face, counted one by one. */
static void test_lattice_faces_have_half_the_sites(void **state)
{
    (void)state;
    struct ct_lattice lattice = lattice_of(16);
    const size_t *edge = lattice.edge;
    for (int axis = 0; axis < CT_LATTICE_AXES; axis++)
        for (size_t layer = 0; layer < edge[axis]; layer++) {
            size_t sites[2] = {0, 0};
            for (size_t x = 0; x < edge[0]; x++)
                for (size_t y = 0; y < edge[1]; y++)
                    for (size_t z = 0; z < edge[2]; z++)
                        for (size_t t = 0; t < edge[3]; t++) {
                            const size_t at[] = {x, y, z, t};
                            sites[(x + y + z + t) % 2] += at[axis] == layer;
                        }
            assert_int_equal(sites[0] * 3, ct_lattice_face_words(&lattice, axis));
            assert_int_equal(sites[1] * 3, ct_lattice_face_words(&lattice, axis));
        }
}

static int compare_words(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

/* No two words of an exchange are the same: a message mistaken for another is seen. */
static void test_lattice_words_are_unique(void **state)
{
    (void)state;
    enum { RANKS = 16, WORDS_MAX = 100000 };
    struct ct_lattice lattice = lattice_of(RANKS);
    uint64_t *words = malloc(WORDS_MAX * sizeof *words);
    assert_non_null(words);
    size_t n = 0, expected = 0;
    for (int axis = 0; axis < CT_LATTICE_AXES; axis++)
        expected += RANKS * 2 * ct_lattice_face_words(&lattice, axis);
    assert_in_range(expected, 1, WORDS_MAX);
    for (int rank = 0; rank < RANKS; rank++)
        for (int d = 0; d < CT_LATTICE_DIRECTIONS; d++) {
            struct face face;
            assert_true(ct_lattice_send(&lattice, rank, d, true, &face.peer, &face.region));
            ct_region_fill(&face.region, 7, words + n);
            n += ct_region_words(&face.region);
        }
    assert_int_equal(n, expected);
    qsort(words, n, sizeof *words, compare_words);
    for (size_t i = 1; i < n; i++)
        assert_true(words[i] != words[i - 1]);
    free(words);
}

/* --- multigrid ------------------------------------------------------------------------------- */

static void test_multigrid_levels(void **state)
{
    (void)state;
    struct ct_multigrid multigrid = ct_multigrid_make(8, 16);
    static const struct ct_multigrid_level expected[] = {{16, 1}, {8, 1}, {4, 1},
                                                         {2, 1},  {1, 1}, {1, 2}};
    assert_int_equal(multigrid.n_levels, 6);
    for (int level = 0; level < 6; level++) {
        assert_int_equal(multigrid.levels[level].edge, expected[level].edge);
        assert_int_equal(multigrid.levels[level].spacing, expected[level].spacing);
    }
    assert_int_equal(ct_multigrid_make(1, 1).n_levels, 1);
    assert_int_equal(ct_multigrid_make(7, 5).n_levels, 4 + 3);
    /* a prime: all along one axis */
    assert_int_equal(ct_multigrid_make(999999937, SIZE_MAX).n_levels, 1 + 64 + 30);
}

static void check_faces(const struct ct_multigrid *multigrid, int level, int rank)
{
    size_t edge = multigrid->levels[level].edge;
    for (int d = 0; d < CT_MULTIGRID_DIRECTIONS; d++) {
        struct face sent, expected;
        if (!ct_multigrid_send(multigrid, level, rank, d, &sent.peer, &sent.region)) {
            assert_false(
                ct_multigrid_receive(multigrid, level, rank, d, &expected.peer, &expected.region));
            continue;
        }
        assert_true(ct_multigrid_holds(multigrid, level, sent.peer));
        assert_true(ct_multigrid_receive(multigrid, level, sent.peer, d ^ 1, &expected.peer,
                                         &expected.region));
        assert_same(&sent, &expected, rank);
        assert_int_equal(ct_region_words(&sent.region), edge * edge);
    }
}

/* Who falls idle has one owner, which counts it among its children; one rank is left at the end. */
static void check_owners(const struct ct_multigrid *multigrid, int level, int ranks)
{
    int children[CT_MULTIGRID_CHILDREN_MAX], n_children = 0, n_idle = 0, n_holders = 0;
    for (int rank = 0; rank < ranks; rank++) {
        bool holds = ct_multigrid_holds(multigrid, level, rank);
        n_holders += holds;
        if (level == 0)
            continue;
        int n = ct_multigrid_children(multigrid, level, rank, children);
        assert_true(holds || n == 0);
        for (int i = 0; i < n; i++) {
            assert_int_equal(ct_multigrid_owner(multigrid, level, children[i]), rank);
            assert_true(ct_multigrid_holds(multigrid, level - 1, children[i]));
            assert_false(ct_multigrid_holds(multigrid, level, children[i]));
        }
        n_children += n;
        n_idle += !holds && ct_multigrid_holds(multigrid, level - 1, rank);
        assert_true(!holds || ct_multigrid_holds(multigrid, level - 1, rank));
    }
    assert_int_equal(n_children, n_idle);
    if (level == 0)
        assert_int_equal(n_holders, ranks);
    if (level == multigrid->n_levels - 1)
        assert_int_equal(n_holders, 1);
}

static void test_multigrid_partners_agree(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 9; n += 4)
        for (int ranks = 1; ranks <= RANKS_MAX; ranks++) {
            struct ct_multigrid multigrid = ct_multigrid_make(ranks, n);
            for (int level = 0; level < multigrid.n_levels; level++) {
                check_owners(&multigrid, level, ranks);
                for (int rank = 0; rank < ranks; rank++)
                    if (ct_multigrid_holds(&multigrid, level, rank))
                        check_faces(&multigrid, level, rank);
            }
        }
}

/* The first points of a face, by hand: 2 x 2 x 2 ranks of 4^3 points, 8 points along each line. */
static void test_multigrid_faces_lie_at_the_boundary(void **state)
{
    (void)state;
    struct ct_multigrid multigrid = ct_multigrid_make(8, 4);
    struct face face;
    assert_true(ct_multigrid_send(&multigrid, 0, 0, 0, &face.peer, &face.region));
    assert_int_equal(face.peer, 1);
    assert_int_equal(face.region.origin, 3); /* the last layer along x */
    assert_true(ct_multigrid_send(&multigrid, 0, 7, 5, &face.peer, &face.region));
    assert_int_equal(face.peer, 3);
    assert_int_equal(face.region.origin, 4 + 4 * 8 + 4 * 64); /* the first along z */
    assert_true(ct_multigrid_send(&multigrid, 1, 2, 3, &face.peer, &face.region));
    assert_int_equal(face.peer, 0);
    assert_int_equal(face.region.origin, 2 * 4); /* two points a rank, four a line */
    assert_false(ct_multigrid_send(&multigrid, 0, 0, 1, &face.peer, &face.region));
}

/* --- flight ---------------------------------------------------------------------------------- */

enum { SLICES = 3000 };

static struct ct_flight flight_of(int ranks, uint64_t seed)
{
    return (struct ct_flight){
        .grid = ct_grid_make(ranks, CT_FLIGHT_AXES, false), .seed = seed, .max_particles = 8};
}

static void test_flight_arrivals_are_what_left(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= RANKS_MAX; ranks++) {
        const struct ct_flight flight = flight_of(ranks, 11);
        uint64_t arrivals[RANKS_MAX] = {0};
        for (struct ct_flight_way way = {.slice = 100}; way.slice < 140; way.slice++)
            for (way.rank = 0; way.rank < ranks; way.rank++)
                for (way.direction = 0; way.direction < CT_FLIGHT_DIRECTIONS; way.direction++) {
                    struct face face;
                    if (ct_flight_leaves(&flight, &way, &face.peer, &face.region)) {
                        assert_in_range(face.peer, 0, ranks - 1);
                        assert_int_not_equal(face.peer, way.rank);
                        arrivals[face.peer]++;
                    }
                }
        for (int rank = 0; rank < ranks; rank++)
            assert_int_equal(ct_flight_arrivals(&flight, rank, 100, 40), arrivals[rank]);
    }
}

/* One third of the slices, 1 to 8 particles, 4.5 in the mean; within five standard deviations. */
static void test_flight_is_as_rare_as_it_should_be(void **state)
{
    (void)state;
    const struct ct_flight flight = flight_of(27, 5);
    size_t messages = 0, particles = 0, of_size[9] = {0};
    struct ct_flight_way way = {.rank = 13}; /* the one in the middle */
    for (way.slice = 0; way.slice < SLICES; way.slice++)
        for (way.direction = 0; way.direction < CT_FLIGHT_DIRECTIONS; way.direction++) {
            struct face face;
            if (!ct_flight_leaves(&flight, &way, &face.peer, &face.region))
                continue;
            size_t n = ct_region_words(&face.region) / CT_FLIGHT_PARTICLE_WORDS;
            assert_in_range(n, 1, 8);
            of_size[n]++;
            messages++;
            particles += n;
        }
    assert_in_range(messages, 6000 - 320, 6000 + 320);
    assert_in_range(2 * particles, 9 * messages - 2 * 890, 9 * messages + 2 * 890);
    for (size_t n = 1; n <= 8; n++)
        assert_in_range(of_size[n], messages / 8 - 130, messages / 8 + 130);
}

static void test_flight_follows_the_seed(void **state)
{
    (void)state;
    const struct ct_flight one = flight_of(27, 1), same = flight_of(27, 1), two = flight_of(27, 2);
    size_t different = 0;
    struct ct_flight_way way = {.rank = 13};
    for (way.slice = 0; way.slice < SLICES; way.slice++) {
        struct face a = {0}, b = {0}, c = {0};
        bool leaves = ct_flight_leaves(&one, &way, &a.peer, &a.region);
        assert_int_equal(ct_flight_leaves(&same, &way, &b.peer, &b.region), leaves);
        assert_memory_equal(&a.region, &b.region, sizeof a.region);
        different += ct_flight_leaves(&two, &way, &c.peer, &c.region) != leaves;
    }
    assert_in_range(different, SLICES * 4 / 9 - 140, SLICES * 4 / 9 + 140); /* 2 * 1/3 * 2/3 */
}

/* --- profile --------------------------------------------------------------------------------- */

static void test_profile_phases_add_up_to_the_pass(void **state)
{
    (void)state;
    struct ct_profile profile;
    assert_int_equal(ct_profile_new(4, &profile, NULL), CT_OK);
    ct_profile_enter(&profile, 2, 50); /* before the first pass: nothing counts */
    ct_profile_sent(&profile, 1, 1000);
    ct_profile_mpi(&profile, 3);
    ct_profile_reduced(&profile);
    for (double from_s = 100; from_s <= 200; from_s += 100) {
        ct_profile_start(&profile, from_s);
        ct_profile_enter(&profile, 1, from_s + 1);
        ct_profile_sent(&profile, 3, 10);
        ct_profile_sent(&profile, 3, 20);
        ct_profile_sent(&profile, 0, 40);
        ct_profile_mpi(&profile, 0.5);
        ct_profile_enter(&profile, 0, from_s + 3);
        ct_profile_reduced(&profile);
        ct_profile_stop(&profile, from_s + 7);
    }
    ct_profile_sent(&profile, 2, 1000); /* after the last pass */
    assert_true(profile.phases[0].time_s == 10 && profile.phases[1].time_s == 4);
    assert_true(profile.phases[0].mpi_s == 0 && profile.phases[1].mpi_s == 1);
    assert_int_equal(profile.phases[1].messages, 6);
    assert_int_equal(profile.phases[1].bytes, 140);
    assert_int_equal(profile.phases[0].reductions, 2);
    assert_int_equal(ct_profile_partners(&profile, 0), 0);
    assert_int_equal(ct_profile_partners(&profile, 1), 2);
    assert_int_equal(profile.phases[2].messages + profile.phases[2].reductions, 0);
    assert_true(profile.phases[2].time_s == 0 && profile.phases[2].mpi_s == 0);
    ct_profile_free(&profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grid_sides),
        cmocka_unit_test(test_grid_neighbours_are_mutual),
        cmocka_unit_test(test_lattice_each_send_has_its_receive),
        cmocka_unit_test(test_lattice_faces_have_half_the_sites),
        cmocka_unit_test(test_lattice_words_are_unique),
        cmocka_unit_test(test_multigrid_levels),
        cmocka_unit_test(test_multigrid_partners_agree),
        cmocka_unit_test(test_multigrid_faces_lie_at_the_boundary),
        cmocka_unit_test(test_flight_arrivals_are_what_left),
        cmocka_unit_test(test_flight_is_as_rare_as_it_should_be),
        cmocka_unit_test(test_flight_follows_the_seed),
        cmocka_unit_test(test_profile_phases_add_up_to_the_pass),
    };
    return cmocka_run_group_tests_name("workloads_grids", tests, NULL, NULL);
}
