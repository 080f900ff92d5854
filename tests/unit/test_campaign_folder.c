/* campaign/folder, journal, status: what is found again after a driver that did not end in order.
 */
#include "campaign/folder.h"
#include "campaign/status.h"
#include "tests/unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

static char file_text[] =
    "campaign: small\n"
    "launcher: {kind: mpiexec}\n"
    "repetitions: {idle: 1, impact: 0, baseline: 0, compression: 0, corun: 0}\n"
    "applications:\n"
    "  - {name: nap, command: sleep 1, passes: driver}\n";
static const struct ct_text file = {.text = file_text, .size = sizeof file_text - 1};

struct scratch {
    char folder[64];
    struct ct_campaign_spec spec;
    struct ct_plan plan;
    struct ct_folder open;
};

static void open_folder(struct scratch *scratch)
{
    struct ct_error err;
    if (ct_folder_open(scratch->folder, file, &scratch->spec, &scratch->open, &err) != CT_OK)
        fail_msg("%s", err.text);
}

static void note(struct scratch *scratch, enum ct_outcome outcome, const char *reason)
{
    struct ct_error err;
    struct ct_attempt attempt = {.number = 1, .outcome = outcome};
    snprintf(attempt.id, sizeof attempt.id, "%s", scratch->plan.runs[0].id);
    snprintf(attempt.reason, sizeof attempt.reason, "%s", reason);
    assert_int_equal(ct_folder_note(&scratch->open, &attempt, &err), CT_OK);
}

static struct ct_history read_history(const struct scratch *scratch)
{
    struct ct_history history;
    struct ct_error err;
    if (ct_history_read(scratch->folder, &history, &err) != CT_OK)
        fail_msg("%s", err.text);
    return history;
}

static void append(const struct scratch *scratch, const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", scratch->folder, name);
    FILE *out = fopen(path, "ae");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

static int make_scratch(void **state)
{
    struct scratch *scratch = calloc(1, sizeof *scratch);
    struct ct_error err;
    if (!scratch)
        return -1;
    snprintf(scratch->folder, sizeof scratch->folder, "/tmp/ct-folder-XXXXXX");
    if (!mkdtemp(scratch->folder) ||
        ct_campaign_spec_parse(file.text, file.size, "test", &scratch->spec, &err) != CT_OK ||
        ct_plan_make(&scratch->spec, 1, &scratch->plan, &err) != CT_OK)
        return -1;
    *state = scratch;
    return 0;
}

static int remove_scratch(void **state)
{
    static const char *const names[] = {
        "campaign.yaml", "journal.jsonl", ".lock", "runs/idle-r0.h5",
        "runs/.partial", "runs",          "logs",  ""};
    struct scratch *scratch = *state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", scratch->folder, names[i]);
        if (remove(path) != 0 && i == sizeof names / sizeof *names - 1)
            return -1; /* something is in it that has no business there */
    }
    ct_plan_free(&scratch->plan);
    ct_campaign_spec_free(&scratch->spec);
    free(scratch);
    return 0;
}

static int no_locks; /* errno of a file system without locks; 0: there are */

/* In place of the C library's. */
// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name)
int flock(int fd, int operation)
{
    if (no_locks == 0)
        return (int)syscall(SYS_flock, fd, operation);
    errno = no_locks;
    return -1;
}

/* Lustre, NFS and others without a lock service; a lock of another driver is another matter. */
static void test_a_file_system_without_locks(void **state)
{
    static const int without[] = {ENOSYS, ENOLCK, EOPNOTSUPP, 524};
    struct scratch *scratch = *state;
    struct ct_error err;
    open_folder(scratch);
    assert_int_equal(scratch->open.lock_failure, 0);
    ct_folder_close(&scratch->open);
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        no_locks = without[i];
        open_folder(scratch);
        int kept = without[i] == 524 ? EOPNOTSUPP : without[i]; /* strerror() does not know 524 */
        assert_int_equal(scratch->open.lock_failure, kept);
        ct_folder_close(&scratch->open);
    }
    no_locks = EWOULDBLOCK;
    assert_int_equal(ct_folder_open(scratch->folder, file, &scratch->spec, &scratch->open, &err),
                     CT_EEXIST);
    no_locks = EIO;
    assert_int_equal(ct_folder_open(scratch->folder, file, &scratch->spec, &scratch->open, &err),
                     CT_EIO);
    no_locks = 0;
}

/* Another file is taken as long as nothing was begun with the first one. */
static void test_another_file(void **state)
{
    struct scratch *scratch = *state;
    struct ct_error err;
    struct ct_campaign_spec spec = scratch->spec;
    char text[sizeof file_text];
    memcpy(text, file_text, sizeof text);
    *strstr(text, "small") = 'S';
    const struct ct_text other = {.text = text, .size = sizeof text - 1};
    spec.has_seed = true;
    spec.seed = 17;
    open_folder(scratch);
    ct_folder_close(&scratch->open);
    if (ct_folder_open(scratch->folder, other, &spec, &scratch->open, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_int_equal(scratch->open.seed, 17);
    note(scratch, CT_OUTCOME_BEGUN, "");
    ct_folder_close(&scratch->open);
    assert_int_equal(ct_folder_open(scratch->folder, file, &scratch->spec, &scratch->open, &err),
                     CT_EEXIST);
    assert_non_null(strstr(err.text, "line 1 was 'campaign: Small'"));
}

/* A run that came from elsewhere counts, too. */
static void test_another_file_where_there_is_a_run(void **state)
{
    struct scratch *scratch = *state;
    struct ct_error err;
    char text[sizeof file_text];
    memcpy(text, file_text, sizeof text);
    *strstr(text, "small") = 'S';
    open_folder(scratch);
    ct_folder_close(&scratch->open);
    append(scratch, "runs/idle-r0.h5", "a run");
    assert_int_equal(ct_folder_open(scratch->folder,
                                    (struct ct_text){.text = text, .size = sizeof text - 1},
                                    &scratch->spec, &scratch->open, &err),
                     CT_EEXIST);
}

static void test_begun_and_ended_is_one_attempt(void **state)
{
    struct scratch *scratch = *state;
    open_folder(scratch);
    note(scratch, CT_OUTCOME_BEGUN, "");
    note(scratch, CT_OUTCOME_FAILED, "no luck");
    note(scratch, CT_OUTCOME_BEGUN, "");
    note(scratch, CT_OUTCOME_DONE, "");
    struct ct_history history = read_history(scratch);
    assert_int_equal(history.n_attempts, 2);
    assert_int_equal(history.attempts[0].outcome, CT_OUTCOME_FAILED);
    assert_string_equal(history.attempts[0].reason, "no luck");
    assert_int_equal(history.attempts[1].outcome, CT_OUTCOME_DONE);
    ct_history_free(&history);
    ct_folder_close(&scratch->open);
}

/* What another run begins is no end of the one before. */
static void test_attempts_of_other_runs_are_kept_apart(void **state)
{
    (void)state;
    char text[] = "{\"seed\": 7}\n"
                  "{\"id\":\"a\",\"attempt\":1,\"outcome\":\"begun\"}\n"
                  "{\"id\":\"b\",\"attempt\":1,\"outcome\":\"begun\"}\n"
                  "{\"id\":\"b\",\"attempt\":1,\"outcome\":\"done\"}\n";
    struct ct_history history;
    assert_int_equal(ct_history_parse(text, "test", &history, NULL), CT_OK);
    assert_int_equal(history.n_attempts, 2);
    assert_string_equal(history.attempts[0].id, "a");
    assert_int_equal(history.attempts[0].outcome, CT_OUTCOME_BEGUN);
    assert_int_equal(history.attempts[1].outcome, CT_OUTCOME_DONE);
    ct_history_free(&history);
}

/* An outcome is that of the attempt with its number; one that begins twice began once. */
static void test_an_outcome_belongs_to_its_number(void **state)
{
    (void)state;
    char text[] = "{\"seed\": 7}\n"
                  "{\"id\":\"a\",\"attempt\":1,\"outcome\":\"begun\"}\n"
                  "{\"id\":\"a\",\"attempt\":1,\"outcome\":\"begun\"}\n"
                  "{\"id\":\"a\",\"attempt\":2,\"outcome\":\"done\"}\n";
    struct ct_history history;
    assert_int_equal(ct_history_parse(text, "test", &history, NULL), CT_OK);
    assert_int_equal(history.n_attempts, 2);
    assert_int_equal(history.attempts[0].number, 1);
    assert_int_equal(history.attempts[0].outcome, CT_OUTCOME_BEGUN);
    assert_int_equal(history.attempts[1].number, 2);
    assert_int_equal(history.attempts[1].outcome, CT_OUTCOME_DONE);
    ct_history_free(&history);
}

/* As a driver writes that makes several at once: the order of the lines is that of time. */
static void test_attempts_at_once(void **state)
{
    (void)state;
    char text[] = "{\"seed\": 7}\n"
                  "{\"id\":\"a\",\"attempt\":1,\"outcome\":\"begun\"}\n"
                  "{\"id\":\"b\",\"attempt\":1,\"outcome\":\"begun\"}\n"
                  "{\"id\":\"a\",\"attempt\":1,\"outcome\":\"failed\"}\n"
                  "{\"id\":\"a\",\"attempt\":2,\"outcome\":\"begun\"}\n"
                  "{\"id\":\"c\",\"attempt\":1,\"outcome\":\"begun\"}\n"
                  "{\"id\":\"b\",\"attempt\":1,\"outcome\":\"done\"}\n"
                  "{\"id\":\"a\",\"attempt\":2,\"outcome\":\"done\"}\n";
    static const struct {
        const char *id;
        uint64_t number;
        enum ct_outcome outcome;
    } expected[] = {{"a", 1, CT_OUTCOME_FAILED},
                    {"b", 1, CT_OUTCOME_DONE},
                    {"a", 2, CT_OUTCOME_DONE},
                    {"c", 1, CT_OUTCOME_BEGUN}};
    struct ct_history history;
    assert_int_equal(ct_history_parse(text, "test", &history, NULL), CT_OK);
    assert_int_equal(history.n_attempts, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(history.attempts[i].id, expected[i].id);
        assert_int_equal(history.attempts[i].number, expected[i].number);
        assert_int_equal(history.attempts[i].outcome, expected[i].outcome);
    }
    ct_history_free(&history);
}

/* All that a driver was making when it was killed are told, each once. */
static void test_several_runs_were_cut_off(void **state)
{
    struct scratch *scratch = *state;
    open_folder(scratch);
    ct_folder_close(&scratch->open);
    append(scratch, "journal.jsonl",
           "{\"id\":\"a\",\"attempt\":1,\"outcome\":\"begun\"}\n"
           "{\"id\":\"b\",\"attempt\":1,\"outcome\":\"begun\"}\n"
           "{\"id\":\"c\",\"attempt\":1,\"outcome\":\"begun\"}\n"
           "{\"id\":\"b\",\"attempt\":1,\"outcome\":\"done\"}\n");
    open_folder(scratch);
    assert_int_equal(scratch->open.cut_off.n, 2);
    assert_string_equal(scratch->open.cut_off.item[0], "a");
    assert_string_equal(scratch->open.cut_off.item[1], "c");
    ct_folder_close(&scratch->open);
    open_folder(scratch);
    assert_int_equal(scratch->open.cut_off.n, 0);
    ct_folder_close(&scratch->open);
}

static void test_a_killed_driver_is_named(void **state)
{
    struct scratch *scratch = *state;
    open_folder(scratch);
    assert_int_equal(scratch->open.cut_off.n, 0);
    note(scratch, CT_OUTCOME_BEGUN, "");
    assert_true(ct_folder_in_use(scratch->folder));
    ct_folder_close(&scratch->open); /* as the kernel does for a process that is killed */
    assert_false(ct_folder_in_use(scratch->folder));
    open_folder(scratch);
    assert_int_equal(scratch->open.cut_off.n, 1);
    assert_string_equal(scratch->open.cut_off.item[0], "idle-r0");
    ct_folder_close(&scratch->open);
    struct ct_history history = read_history(scratch);
    assert_int_equal(history.n_attempts, 1);
    assert_int_equal(history.attempts[0].outcome, CT_OUTCOME_INTERRUPTED);
    assert_string_equal(history.attempts[0].reason, ct_outcome_cut_off);
    ct_history_free(&history);
    open_folder(scratch);
    assert_int_equal(scratch->open.cut_off.n, 0);
    ct_folder_close(&scratch->open);
}

/* The file has no seed. One that is drawn must be the same ever after, or the runs would be others.
 */
static void test_a_first_line_that_was_cut(void **state)
{
    struct scratch *scratch = *state;
    append(scratch, "journal.jsonl", "{\"campaign\":\"small\",\"se");
    open_folder(scratch);
    uint64_t seed = scratch->open.seed;
    ct_folder_close(&scratch->open);
    open_folder(scratch);
    assert_int_equal(scratch->open.seed, seed);
    ct_folder_close(&scratch->open);
}

/* A seed is any number of 64 bits; a double, as JSON's numbers are read, holds 53. */
static void test_a_large_seed_is_found_again(void **state)
{
    struct scratch *scratch = *state;
    const uint64_t seed = UINT64_MAX - 58;
    scratch->spec.has_seed = true;
    scratch->spec.seed = seed;
    for (int i = 0; i < 2; i++) {
        open_folder(scratch);
        assert_true(scratch->open.seed == seed);
        ct_folder_close(&scratch->open);
    }
}

static void test_numbers_of_a_damaged_journal(void **state)
{
    (void)state;
    char text[] = "{\"seed\": -3}\n{\"seed\": 99999999999999999999}\n{\"SEED\": 8}\n"
                  "{\"id\":\"a\",\"attempt\":1e300,\"duration_s\":1e999,\"outcome\":\"done\"}\n";
    char good[sizeof text + 16];
    struct ct_history history;
    snprintf(good, sizeof good, "%s{\"seed\": 7}\n", text);
    assert_int_equal(ct_history_parse(text, "test", &history, NULL), CT_EFORMAT);
    assert_int_equal(ct_history_parse(good, "test", &history, NULL), CT_OK);
    assert_int_equal(history.seed, 7);
    assert_int_equal(history.n_attempts, 1);
    assert_int_equal(history.attempts[0].number, 0);
    assert_true(history.attempts[0].duration_s == 0);
    assert_int_equal(history.attempts[0].outcome, CT_OUTCOME_DONE);
    ct_history_free(&history);
}

static void test_a_last_line_that_was_cut(void **state)
{
    struct scratch *scratch = *state;
    open_folder(scratch);
    ct_folder_close(&scratch->open);
    append(scratch, "journal.jsonl", "{\"id\":\"idle-r0\",\"atte");
    open_folder(scratch);
    note(scratch, CT_OUTCOME_DONE, "");
    ct_folder_close(&scratch->open);
    struct ct_history history = read_history(scratch);
    assert_int_equal(history.n_attempts, 1);
    assert_int_equal(history.attempts[0].outcome, CT_OUTCOME_DONE);
    ct_history_free(&history);
}

static void test_runs(void **state)
{
    struct scratch *scratch = *state;
    struct ct_error err;
    open_folder(scratch);
    append(scratch, "runs/.partial/idle-r0.h5.tmp.1", "half a run");
    assert_int_equal(ct_folder_reserve(&scratch->open, 3, &err), CT_OK);
    ct_folder_close(&scratch->open);
    const struct ct_plan_run *run = &scratch->plan.runs[0];
    assert_int_equal(ct_folder_find_run(scratch->folder, &scratch->spec, run, &err), CT_ENOENT);
    append(scratch, "runs/idle-r0.h5", "half a run");
    assert_int_equal(ct_folder_find_run(scratch->folder, &scratch->spec, run, &err), CT_EFORMAT);
    assert_non_null(strstr(err.text, "idle-r0.h5"));
}

/* The one run of the plan as ct_campaign_status_read() has it. */
static void expect_state(const struct scratch *scratch, enum ct_run_state state, size_t n_attempts,
                         const char *reason)
{
    struct ct_campaign_status campaign;
    struct ct_error err;
    if (ct_campaign_status_read(scratch->folder, &campaign, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_string_equal(campaign.spec.name, "small");
    assert_int_equal(campaign.plan.n_runs, 1);
    assert_string_equal(ct_run_state_text(campaign.runs[0].state), ct_run_state_text(state));
    for (size_t i = 0; i < CT_N_RUN_STATES; i++)
        assert_int_equal(campaign.n[i], i == state);
    assert_int_equal(campaign.runs[0].n_attempts, n_attempts);
    if (!strstr(campaign.runs[0].reason, reason) || (!*reason && *campaign.runs[0].reason))
        fail_msg("'%s', not '%s'", campaign.runs[0].reason, reason);
    assert_int_equal(campaign.doubts.n, 0);
    ct_campaign_status_free(&campaign);
}

static void test_status_follows_the_attempts(void **state)
{
    struct scratch *scratch = *state;
    struct ct_campaign_status campaign;
    assert_int_equal(ct_campaign_status_read(scratch->folder, &campaign, NULL), CT_ENOENT);
    open_folder(scratch);
    expect_state(scratch, CT_RUN_MISSING, 0, "");
    note(scratch, CT_OUTCOME_BEGUN, "");
    expect_state(scratch, CT_RUN_RUNNING, 1, "");
    note(scratch, CT_OUTCOME_FAILED, "no luck");
    expect_state(scratch, CT_RUN_FAILED, 1, "no luck");
    note(scratch, CT_OUTCOME_BEGUN, "");
    ct_folder_close(&scratch->open); /* as the kernel does for a process that is killed */
    expect_state(scratch, CT_RUN_MISSING, 2, ct_outcome_cut_off);
    append(scratch, "runs/idle-r0.h5", "half a run");
    expect_state(scratch, CT_RUN_MISSING, 2, ct_outcome_cut_off);
    append(scratch, "campaign.yaml", "nothing: of this kind\n");
    assert_int_equal(ct_campaign_status_read(scratch->folder, &campaign, NULL), CT_EFORMAT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attempts_of_other_runs_are_kept_apart),
        cmocka_unit_test_setup_teardown(test_a_file_system_without_locks, make_scratch,
                                        remove_scratch),
        cmocka_unit_test_setup_teardown(test_another_file, make_scratch, remove_scratch),
        cmocka_unit_test_setup_teardown(test_another_file_where_there_is_a_run, make_scratch,
                                        remove_scratch),
        cmocka_unit_test_setup_teardown(test_begun_and_ended_is_one_attempt, make_scratch,
                                        remove_scratch),
        cmocka_unit_test(test_an_outcome_belongs_to_its_number),
        cmocka_unit_test(test_attempts_at_once),
        cmocka_unit_test_setup_teardown(test_several_runs_were_cut_off, make_scratch,
                                        remove_scratch),
        cmocka_unit_test_setup_teardown(test_a_killed_driver_is_named, make_scratch,
                                        remove_scratch),
        cmocka_unit_test_setup_teardown(test_a_first_line_that_was_cut, make_scratch,
                                        remove_scratch),
        cmocka_unit_test_setup_teardown(test_a_large_seed_is_found_again, make_scratch,
                                        remove_scratch),
        cmocka_unit_test(test_numbers_of_a_damaged_journal),
        cmocka_unit_test_setup_teardown(test_a_last_line_that_was_cut, make_scratch,
                                        remove_scratch),
        cmocka_unit_test_setup_teardown(test_runs, make_scratch, remove_scratch),
        cmocka_unit_test_setup_teardown(test_status_follows_the_attempts, make_scratch,
                                        remove_scratch)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
