/* delay/: what is due when, matching against a search of everything, latencies as text, which MPI
 * libraries are refused, and what ranks tell each other. */
#include "core/random.h"
#include "delay/calls.h"
#include "delay/due.h"
#include "delay/latency.h"
#include "delay/match.h"
#include "delay/openmpi.h"
#include "delay/wire.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- due times ---- */

static void test_due_in_order(void **state)
{
    (void)state;
    struct ct_due due = {0};
    struct ct_due_item item, before = {.due_ns = -1};
    uint64_t random = 7;
    assert_int_equal(ct_due_first_ns(&due), INT64_MAX);
    assert_false(ct_due_take(&due, INT64_MAX, &item));
    for (int i = 0; i < 2000; i++)
        assert_true(ct_due_add(&due, (int64_t)(ct_random_next(&random) % 100), i, NULL));
    for (int i = 0; i < 2000; i++) {
        int64_t first_ns = ct_due_first_ns(&due);
        assert_false(ct_due_take(&due, first_ns - 1, &item)); /* not before its time */
        assert_true(ct_due_take(&due, first_ns, &item));
        assert_int_equal(item.due_ns, first_ns);
        assert_true(before.due_ns < item.due_ns ||
                    (before.due_ns == item.due_ns && before.kind < item.kind));
        before = item;
    }
    assert_int_equal(due.n, 0);
    free(due.items);
}

/* ---- matching ---- */

enum { ITEMS = 4000, MASKS = CT_MATCH_MASKS + 3 };

/* The same by searching lists. */
struct searched {
    struct ct_match_item *items[ITEMS];
    size_t n;
};

static struct ct_match_item *search(struct searched *queue, uint64_t tag, uint64_t mask,
                                    bool is_receives, bool takes)
{
    for (size_t i = 0; i < queue->n; i++) {
        struct ct_match_item *item = queue->items[i];
        uint64_t bits = is_receives ? item->mask : mask;
        if ((item->tag & bits) != (tag & bits))
            continue;
        if (takes)
            memmove(&queue->items[i], &queue->items[i + 1],
                    (--queue->n - i) * sizeof(struct ct_match_item *));
        return item;
    }
    return NULL;
}

/* Random traffic with n_masks different masks, of which some have no table; few tags and many. */
static void match_like_search(size_t n_masks, uint64_t n_tags)
{
    static struct ct_match_item items[ITEMS];
    static struct searched messages, receives;
    struct ct_match match = {0};
    uint64_t random = n_masks + 100 * n_tags;
    memset(items, 0, sizeof items);
    messages.n = receives.n = 0;
    for (size_t i = 0; i < ITEMS; i++) {
        struct ct_match_item *item = &items[i], *found, *expected;
        uint64_t draw = ct_random_next(&random);
        item->tag = (ct_random_next(&random) % n_tags) * UINT64_C(0x0001000100010001);
        item->mask = ~(UINT64_C(0xff) << 4 * (ct_random_next(&random) % n_masks));
        if (draw % 4 == 0) {
            expected = search(&messages, item->tag, item->mask, false, false);
            assert_ptr_equal(ct_match_find(&match, item->tag, item->mask), expected);
        }
        if (draw % 16 == 1 && receives.n > 0) { /* withdraw one */
            size_t which = ct_random_next(&random) % receives.n;
            ct_match_withdraw(&match, receives.items[which]);
            memmove(&receives.items[which], &receives.items[which + 1],
                    (--receives.n - which) * sizeof(struct ct_match_item *));
        }
        bool is_message = ct_random_next(&random) % 2;
        if (is_message) {
            expected = search(&receives, item->tag, 0, true, true);
            found = ct_match_arrive(&match, item);
            if (!expected)
                messages.items[messages.n++] = item;
        } else {
            expected = search(&messages, item->tag, item->mask, false, true);
            found = ct_match_post(&match, item);
            if (!expected)
                receives.items[receives.n++] = item;
        }
        assert_ptr_equal(found, expected);
        assert_int_equal(match.messages.n, messages.n);
        assert_int_equal(match.receives.n, receives.n);
    }
    assert_true(messages.n + receives.n > 0);
    ct_match_end(&match);
}

static void test_match(void **state)
{
    (void)state;
    for (size_t n_masks = 1; n_masks <= MASKS; n_masks++) {
        match_like_search(n_masks, 5);
        match_like_search(n_masks, 1000);
    }
}

/* ---- latencies ---- */

static void test_matrix(void **state)
{
    (void)state;
    static const char text[] = "# to 0, 1, 2\n\n - 50us 1ms\r\n2us\t0us 0.5ms # from 1\n3s 1ns -";
    struct ct_delay_latency latency = {0};
    struct ct_error err;
    assert_int_equal(ct_delay_matrix_parse(text, strlen(text), "m", &latency, &err), CT_OK);
    static const int64_t expected_ns[3][3] = {
        {0, 50000, 1000000}, {2000, 0, 500000}, {3000000000, 1, 0}};
    assert_int_equal(latency.n_ranks, 3);
    for (size_t from = 0; from < 3; from++)
        for (size_t to = 0; to < 3; to++)
            assert_int_equal(ct_delay_latency_ns(&latency, from, to), expected_ns[from][to]);
    assert_int_equal(ct_delay_latency_least_ns(&latency), 1);
    free(latency.matrix_ns);
    latency = (struct ct_delay_latency){.uniform_ns = 70};
    assert_int_equal(ct_delay_latency_ns(&latency, 5, 900), 70);
    assert_int_equal(ct_delay_latency_least_ns(&latency), 70);
}

static void test_matrix_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "m: no latency in it"},
        {"# -\n", "m: no latency in it"},
        {"- 1us\n1us\n", "m:2: 1 entries, but the first row has 2"},
        {"- 1us\n1us - 1us\n", "m:2: more than 2 entries"},
        {"- 1us\n", "m: 1 rows of 2 entries"},
        {"- 1us\n1us -\n\n1us -\n", "m:4: entry 2: '-' is for the diagonal"},
        {"- 1us\n1us -\n\n1us 1us\n", "m:4: more rows than columns, which are 2"},
        {"- -\n1us -\n", "m:1: entry 2: '-' is for the diagonal"},
        {"\n- 1\n1us -\n", "m:2: entry 2: "},
        {"- 1 us\n1us -\n", "m:1: entry 2: "},
        {"- -1us\n1us -\n", "m:1: entry 2: "},
        {"- 11s\n1us -\n", "m:1: entry 2: a latency of 11s: the range is 0s to 10s"},
        {"- nan\n1us -\n", "m:1: entry 2: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ct_delay_latency latency = {.n_ranks = 77};
        struct ct_error err;
        assert_int_equal(
            ct_delay_matrix_parse(cases[i].text, strlen(cases[i].text), "m", &latency, &err),
            CT_EFORMAT);
        assert_int_equal(latency.n_ranks, 77);
        if (strncmp(err.text, cases[i].message, strlen(cases[i].message)) != 0)
            fail_msg("'%s' instead of '%s'", err.text, cases[i].message);
    }
    static const char with_nul[] = "- 1us\0\n1us -";
    struct ct_delay_latency latency;
    assert_int_equal(ct_delay_matrix_parse(with_nul, sizeof with_nul - 1, "m", &latency, NULL),
                     CT_EFORMAT);
    char wide[3 * (CT_DELAY_RANKS_MAX + 1)];
    for (size_t i = 0; i < sizeof wide; i++)
        wide[i] = "1s "[i % 3];
    struct ct_error err;
    assert_int_equal(ct_delay_matrix_parse(wide, sizeof wide, "m", &latency, &err), CT_EFORMAT);
    assert_non_null(strstr(err.text, "m:1: more than 256 entries"));
}

/* ---- MPI libraries ---- */

#define MPICH                                                                                      \
    "x\0ucp_init_version\0ucp_worker_progress\0ucp_tag_probe_nb\0ucp_tag_send_nbx\0"               \
    "ucp_tag_send_sync_nbx\0ucp_tag_recv_nbx\0ucp_tag_msg_recv_nbx\0ucp_config_read\0"
#define OPENMPI                                                                                    \
    "x\0ucp_init_version\0ucp_tag_send_nb\0ucp_tag_send_nbr\0ucp_tag_send_sync_nb\0"               \
    "ucp_tag_recv_nb\0ucp_tag_recv_nbr\0ucp_tag_msg_recv_nb\0ucp_request_test\0"

static void test_calls(void **state)
{
    (void)state;
    static const struct {
        const char *message; /* NULL: it is taken */
        size_t size;
        const char *bytes;
    } cases[] = {
#define CASE(message, names) {(message), sizeof(names), (names)}
        CASE(NULL, MPICH),
        CASE(NULL, OPENMPI),
        /* No names of functions: a longer one, and a message. */
        CASE(NULL, MPICH "my_ucp_new_call\0ucp_new_call(ep) failed\0"),
        CASE("libmpi calls ucp_am_send_nbx of UCX, which crosstalk delay does not know",
             MPICH "ucp_am_send_nbx"),
        CASE("libmpi calls ucp_ of UCX", "ucp_init_version\0ucp_init_version\0ucp_\0"),
        CASE("libmpi does not send by UCX, but by libfabric (ch4:ofi): MPICH on UCX",
             "x\0fi_getinfo\0"),
        CASE("libmpi does not send by UCX: MPICH on UCX", "x\0my_ucp_init_version\0"),
        CASE("libmpi does not send by UCX: MPICH on UCX", ""),
        CASE("libmpi does not send by tags of UCX", "x\0ucp_init_version\0ucp_put_nbi\0"),
#undef CASE
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ct_error err = {0};
        enum ct_status status = ct_delay_check_calls(cases[i].bytes, cases[i].size, "libmpi", &err);
        assert_int_equal(status, cases[i].message ? CT_EUNSUPPORTED : CT_OK);
        if (cases[i].message && strncmp(err.text, cases[i].message, strlen(cases[i].message)) != 0)
            fail_msg("'%s' instead of '%s'", err.text, cases[i].message);
    }
    static const char cut[] = MPICH "ucp_new_call"; /* at the end of the file */
    assert_int_equal(ct_delay_check_calls(cut, sizeof cut - 1, "libmpi", NULL), CT_OK);
}

/* Which components an Open MPI may choose from, by its command line and environment. */
static void test_openmpi_choice(void **state)
{
    (void)state;
    static const struct {
        const char *pml, *value; /* of the environment; of --mca pml */
        bool is_taken;
    } cases[] = {
        {NULL, NULL, true},      {"ucx", NULL, true},      {"ob1", NULL, false},
        {"ob1,ucx", NULL, true}, {"^ucx", NULL, false},    {"^ob1", NULL, true},
        {"ob1", "ucx", true},    {"ucx", "ob1", false},    {NULL, "cm", false},
        {NULL, "ucxx", false},   {NULL, "^cm,ucx", false}, {NULL, "", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char words[][16] = {"mpiexec", "-n", "2", "-mca", "pml", "", "./app"};
        char *argv[] = {words[0], words[1], words[2], words[3], words[4], words[5], words[6], NULL};
        struct ct_error err;
        if (cases[i].value)
            snprintf(words[5], sizeof words[5], "%s", cases[i].value);
        else
            argv[1] = NULL;
        enum ct_status status = ct_delay_openmpi_check_choice(argv, cases[i].pml, &err);
        assert_int_equal(status, cases[i].is_taken ? CT_OK : CT_EUNSUPPORTED);
        if (!cases[i].is_taken)
            assert_non_null(strstr(err.text, "give --mca pml ucx"));
    }
    char last[] = "--mca", pml[] = "pml"; /* words that end too early */
    char *cut[] = {last, pml, NULL};
    assert_int_equal(ct_delay_openmpi_check_choice(cut, NULL, NULL), CT_OK);
}

/* Variables that are set are listed, unless there is a list, or the command has -x. */
static void test_openmpi_pass_on(void **state)
{
    (void)state;
    static const char list[] = "OMPI_MCA_mca_base_env_list";
    static const char *const names[] = {"CT_TEST_SET", "CT_TEST_NOT_SET", "CT_TEST_TOO", NULL};
    char mpiexec[] = "mpiexec", x[] = "-x";
    char *plain[] = {mpiexec, NULL}, *with_x[] = {mpiexec, x, NULL};
    unsetenv(list);
    assert_int_equal(ct_delay_openmpi_pass_on(plain, names, NULL), CT_OK);
    assert_null(getenv(list));
    setenv("CT_TEST_SET", "1", 1);
    setenv("CT_TEST_TOO", "", 1);
    assert_int_equal(ct_delay_openmpi_pass_on(with_x, names, NULL), CT_OK);
    assert_null(getenv(list));
    assert_int_equal(ct_delay_openmpi_pass_on(plain, names, NULL), CT_OK);
    assert_string_equal(getenv(list), "CT_TEST_SET;CT_TEST_TOO");
    setenv(list, "", 1);
    assert_int_equal(ct_delay_openmpi_pass_on(plain, names, NULL), CT_OK);
    assert_string_equal(getenv(list), "");
    unsetenv(list);
}

/* ---- what ranks tell each other ---- */

/* Tags as the MPI makes them get through unchanged, with the marks. */
static void test_marks(void **state)
{
    (void)state;
    /* Tag 5 from rank 200 in context 3; all bits of tag and context; none. */
    static const uint64_t tags[2][3] = {
        {UINT64_C(0x000300c800000005), UINT64_C(0xffff00007fffffff), 0},
        {UINT64_C(0x000005000c800003), UINT64_C(0xffffff00000fffff), 0}};
    for (int i = 0; i < 3 * 2 * 2 * 2 * 4; i++) {
        bool is_openmpi = i % 2, has_matrix = i / 2 % 2, tells_near = i / 4 % 2, nearby;
        uint64_t given = tags[is_openmpi][i / 8 % 3], tag = given;
        size_t rank = 85 * (size_t)(i / 24);
        struct ct_delay_marks marks = ct_delay_marks_of(is_openmpi, has_matrix, tells_near);
        assert_true(ct_delay_mark(&marks, rank, true, &tag));
        assert_true(has_matrix || tells_near || tag == given);
        assert_int_equal(ct_delay_unmark(&marks, &tag, &nearby), has_matrix ? rank : 0);
        assert_int_equal(nearby, tells_near);
        assert_int_equal(tag, given);
    }
}

static void test_marks_refused(void **state)
{
    (void)state;
    struct ct_delay_marks openmpi = ct_delay_marks_of(true, true, true);
    struct ct_delay_marks mpich = ct_delay_marks_of(false, true, true);
    uint64_t tag = UINT64_C(256) << 20; /* rank 256 of a communicator */
    assert_false(ct_delay_mark(&openmpi, 1, false, &tag));
    assert_int_equal(tag, UINT64_C(256) << 20);
    tag = UINT64_C(1) << 39; /* rank 2^19 */
    assert_false(ct_delay_mark(&openmpi, 1, false, &tag));
    tag = 0;
    assert_false(ct_delay_mark(&openmpi, CT_DELAY_RANKS_MAX, false, &tag));
    assert_false(ct_delay_mark(&mpich, CT_DELAY_RANKS_MAX, false, &tag));
    tag = UINT64_C(1) << 47;
    assert_false(ct_delay_mark(&mpich, 1, false, &tag));
    assert_true(ct_delay_mark(&openmpi, 1, false, &tag));
}

static void test_peers(void **state)
{
    (void)state;
    struct ct_delay_peer peer = ct_delay_peer_of("job 1", "node 1", 7), same, read = {0};
    char bytes[1 + sizeof peer];
    memcpy(bytes + 1, &peer, sizeof peer); /* of any alignment */
    assert_true(ct_delay_peer_read(bytes + 1, &read));
    assert_memory_equal(&read, &peer, sizeof peer);
    bytes[1]++;
    assert_false(ct_delay_peer_read(bytes + 1, &same));
    same = ct_delay_peer_of("job 2", "node 1", 7);
    assert_true(same.world != peer.world && same.node == peer.node);
    same = ct_delay_peer_of(NULL, "node 2", 7);
    assert_true(same.world == ct_delay_peer_of("", NULL, 0).world && same.node != peer.node);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_due_in_order),    cmocka_unit_test(test_match),
        cmocka_unit_test(test_matrix),          cmocka_unit_test(test_matrix_refused),
        cmocka_unit_test(test_calls),           cmocka_unit_test(test_openmpi_choice),
        cmocka_unit_test(test_openmpi_pass_on), cmocka_unit_test(test_marks),
        cmocka_unit_test(test_marks_refused),   cmocka_unit_test(test_peers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
