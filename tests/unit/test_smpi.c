/* lp-bridge/goal/smpi: schedules as sequences of SMPI's replay, and what it cannot replay. */
#include "lp-bridge/goal/smpi.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct ct_goal goal_of(const char *text)
{
    struct ct_goal goal;
    struct ct_error err;
    FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    assert_non_null(in);
    if (ct_goal_read_text(in, "s.goal", &goal, &err) != CT_OK)
        fail_msg("%s", err.text);
    fclose(in);
    return goal;
}

static void check_rank(const char *text, uint32_t rank, const char *expected)
{
    struct ct_goal goal = goal_of(text);
    struct ct_error err = {.text = ""};
    uint32_t *tags;
    char *written = NULL;
    size_t size;
    FILE *out = open_memstream(&written, &size);
    assert_non_null(out);
    if (ct_goal_smpi_tags(&goal, &tags, &err) != CT_OK ||
        ct_goal_write_smpi_rank(&goal, rank, tags, out, &err) != CT_OK)
        fail_msg("%s", err.text);
    fclose(out);
    assert_string_equal(written, expected);
    free(written);
    free(tags);
    ct_goal_free(&goal);
}

#define EXCHANGE                                                                                   \
    "num_ranks 2\n"                                                                                \
    "rank 0 {\nl1: calc 100\nl2: recv 8b from 1 tag 7\nl3: send 9b to 1 tag 5\nl4: calc 50\n"      \
    "l3 requires l1\nl4 requires l2\n}\n"                                                          \
    "rank 1 {\nl1: recv 9b from 0 tag 5\nl2: send 8b to 0 tag 7\nl2 requires l1\n}\n"

static void messages_begin_before_the_rank_computes_or_waits(void **state)
{
    (void)state;
    check_rank(EXCHANGE, 0,
               "0 init\n0 irecv 1 0 8\n0 compute 100\n0 isend 1 0 9\n0 wait 1 0 0\n0 compute 50\n"
               "0 wait 0 1 0\n0 finalize\n");
    check_rank(EXCHANGE, 1,
               "1 init\n1 irecv 0 0 9\n1 wait 0 1 0\n1 isend 0 0 8\n1 wait 1 0 0\n1 finalize\n");
}

/* The later receive is needed first: the earlier one is waited for where it is needed. */
static void waits_come_where_their_message_is_needed(void **state)
{
    (void)state;
    check_rank("num_ranks 2\nrank 0 {\nl1: recv 1b from 1 tag 1\nl2: recv 2b from 1 tag 2\n"
               "l3: calc 10\nl4: calc 20\nl3 requires l2\nl4 requires l1\nl4 requires l3\n}\n"
               "rank 1 {\nl1: send 1b to 0 tag 1\nl2: send 2b to 0 tag 2\n}\n",
               0,
               "0 init\n0 irecv 1 0 1\n0 irecv 1 1 2\n0 wait 1 0 1\n0 compute 10\n0 wait 1 0 0\n"
               "0 compute 20\n0 finalize\n");
}

/* What waits for a start only is not held up; numbers need not be in the order of dependencies. */
static void starts_are_no_waits(void **state)
{
    (void)state;
    check_rank(
        "num_ranks 2\nrank 0 {\nl1: calc 5\nl2: send 1b to 1 tag 0\nl3: recv 1b from 1 tag 0\n"
        "l1 irequires l3\nl3 irequires l2\n}\n"
        "rank 1 {\nl1: recv 1b from 0 tag 0\nl2: send 1b to 0 tag 0\n}\n",
        0,
        "0 init\n0 isend 1 0 1\n0 irecv 1 0 1\n0 compute 5\n0 wait 0 1 0\n0 wait 1 0 0\n"
        "0 finalize\n");
}

/* Two requests under way with the same tag are one to SMPI, so that each message gets a number;
   the tags of the schedule say which send and receive belong together. */
static void messages_are_numbered_by_their_pair(void **state)
{
    (void)state;
    check_rank("num_ranks 2\nrank 0 {\nl1: send 1b to 1 tag 9\nl2: send 2b to 1 tag 3\n"
               "l3: send 3b to 1 tag 9\n}\n"
               "rank 1 {\nl1: recv 2b from 0 tag 3\nl2: recv 1b from 0 tag 9\n"
               "l3: recv 3b from 0 tag 9\n}\n",
               1,
               "1 init\n1 irecv 0 0 2\n1 irecv 0 1 1\n1 irecv 0 2 3\n1 wait 0 1 0\n1 wait 0 1 1\n"
               "1 wait 0 1 2\n1 finalize\n");
}

static void an_empty_rank_begins_and_ends(void **state)
{
    (void)state;
    check_rank("num_ranks 1\nrank 0 {\n}\n", 0, "0 init\n0 finalize\n");
}

static void what_cannot_be_replayed_is_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *rank0, *rank1, *part;
        enum ct_status status;
    } rows[] = {
        {"calc 5 cpu 1", "calc 1", "rank 0, operation 1", CT_EUNSUPPORTED},
        {"send 5b to 1 tag 0 cpu 0 nic 1", "recv 5b from 0 tag 0", "one NIC", CT_EUNSUPPORTED},
        {"recv 5b from 1 tag -1", "send 5b to 0 tag 0", "needs a tag", CT_EUNSUPPORTED},
        {"send 5b to 0 tag 0", "calc 1", "and itself", CT_EUNSUPPORTED},
        {"send 2147483648b to 1 tag 0", "recv 5b from 0 tag 0", "2 GiB", CT_EUNSUPPORTED},
        {"send 5b to 1 tag 0", "recv 5b from 0 tag 1", "there is no receive", CT_EINVAL},
        {"calc 1", "recv 5b from 0 tag 1", "rank 1, operation 1", CT_EINVAL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[256];
        struct ct_error err = {.text = ""};
        uint32_t *tags;
        snprintf(text, sizeof text, "num_ranks 2\nrank 0 {\nl1: %s\n}\nrank 1 {\nl1: %s\n}\n",
                 rows[i].rank0, rows[i].rank1);
        struct ct_goal goal = goal_of(text);
        assert_int_equal(ct_goal_smpi_tags(&goal, &tags, &err), rows[i].status);
        if (!strstr(err.text, rows[i].part))
            fail_msg("%s: %s", rows[i].part, err.text);
        ct_goal_free(&goal);
    }
}

static void a_circle_leaves_no_folder(void **state)
{
    (void)state;
    char name[] = "smpi-XXXXXX", folder[64];
    struct stat there;
    struct ct_error err = {.text = ""};
    struct ct_goal goal = goal_of("num_ranks 1\nrank 0 {\nl1: calc 1\nl2: calc 2\nl1 requires l2\n"
                                  "l2 requires l1\n}\n");
    assert_non_null(mkdtemp(name));
    snprintf(folder, sizeof folder, "%s/t", name);
    assert_int_equal(ct_goal_write_smpi(&goal, folder, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "waits for itself"));
    assert_int_not_equal(stat(folder, &there), 0);
    assert_int_equal(ct_goal_write_smpi(&goal, name, &err), CT_EEXIST);
    assert_int_equal(stat(name, &there), 0);
    ct_goal_free(&goal);
    rmdir(name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_begin_before_the_rank_computes_or_waits),
        cmocka_unit_test(waits_come_where_their_message_is_needed),
        cmocka_unit_test(starts_are_no_waits),
        cmocka_unit_test(messages_are_numbered_by_their_pair),
        cmocka_unit_test(an_empty_rank_begins_and_ends),
        cmocka_unit_test(what_cannot_be_replayed_is_refused_by_name),
        cmocka_unit_test(a_circle_leaves_no_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
