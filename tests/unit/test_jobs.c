/* campaign/jobs: how many, what comes of each, ends by signals. Scripts take the place of
 * simulations. */
#include "campaign/jobs.h"
#include "campaign/process.h"
#include "tests/unit/unit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { N_MAX = 4 };

/* A folder, and a launcher whose programs are what the scripts say, in turn. */
struct fixture {
    char folder[64];
    struct ct_campaign_spec spec;
    struct ct_plan plan;
    struct ct_launcher launcher;
    const char *script; /* of the next attempt */
};

static enum ct_status run_script(struct ct_launcher *launcher, const struct ct_program *programs,
                                 size_t n, const char *load_path, struct ct_argv *argv_p,
                                 struct ct_error *err)
{
    (void)programs, (void)n, (void)load_path, (void)err;
    ct_argv_add(argv_p, "/bin/sh");
    ct_argv_add(argv_p, "-c");
    ct_argv_add(argv_p, "%s", ((const struct fixture *)launcher->state)->script);
    return CT_OK;
}

static const struct ct_launcher_row scripts = {
    .is_simulated = true, .together = run_script, .end_signal = SIGTERM};

static struct ct_campaign_spec read_spec(const char *launcher)
{
    char text[400];
    struct ct_campaign_spec spec;
    struct ct_error err;
    snprintf(text, sizeof text,
             "campaign: c\nseed: 1\nlauncher: {%s}\napplications:\n"
             "  - {name: a, command: a}\n  - {name: b, command: b}\n",
             launcher);
    if (ct_campaign_spec_parse(text, strlen(text), "test", &spec, &err) != CT_OK)
        fail_msg("%s", err.text);
    return spec;
}

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    static const char *const below[] = {"runs", "runs/.partial", "logs"};
    char path[100];
    snprintf(fixture->folder, sizeof fixture->folder, "/tmp/ct-jobs-XXXXXX");
    if (!mkdtemp(fixture->folder))
        return -1;
    for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
        snprintf(path, sizeof path, "%s/%s", fixture->folder, below[i]);
        if (mkdir(path, 0777) != 0)
            return -1;
    }
    fixture->spec = read_spec("kind: simgrid, hosts: 2, rate: 1gbit, latency: 1us");
    fixture->launcher = (struct ct_launcher){
        .row = &scripts, .spec = &fixture->spec, .folder = fixture->folder, .state = fixture};
    *state = fixture;
    return ct_plan_make(&fixture->spec, 1, &fixture->plan, NULL) == CT_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", fixture->folder);
    int code = system(command);
    ct_plan_free(&fixture->plan);
    ct_campaign_spec_free(&fixture->spec);
    free(fixture);
    return code;
}

/* An attempt at each of the first runs. */
static struct ct_jobs *begin(struct fixture *fixture, const char *const *texts, size_t n,
                             size_t n_at_once)
{
    struct ct_jobs *jobs =
        ct_jobs_new(&fixture->spec, &fixture->launcher, fixture->folder, n_at_once);
    assert_non_null(jobs);
    for (size_t i = 0; i < n; i++) {
        const struct ct_attempt attempt = {.number = i + 1};
        assert_false(ct_jobs_full(jobs));
        fixture->script = texts[i];
        assert_int_equal(ct_jobs_begin(jobs, &fixture->plan.runs[i], &attempt, NULL), CT_OK);
        assert_int_equal(ct_jobs_n_open(jobs), i + 1);
    }
    return jobs;
}

/* What has come of the run that ends next, which is told; N_MAX where none is open. */
static size_t take(struct fixture *fixture, struct ct_jobs *jobs, struct ct_job *ended)
{
    struct ct_job job;
    if (!ct_jobs_next(jobs, &job))
        return N_MAX;
    size_t run = (size_t)(job.run - fixture->plan.runs);
    assert_true(run < N_MAX);
    assert_int_equal(job.attempt.number, run + 1);
    assert_true(job.attempt.duration_s >= 0);
    ended[run] = job;
    return run;
}

static void take_all(struct fixture *fixture, struct ct_jobs *jobs, struct ct_job *ended)
{
    while (take(fixture, jobs, ended) != N_MAX) {
    }
    assert_int_equal(ct_jobs_n_open(jobs), 0);
}

/* ---- tests ---- */

static void how_many_at_once(void **state)
{
    struct fixture *fixture = *state;
    struct ct_error err;
    size_t n = 0;
    assert_int_equal(ct_jobs_number(&fixture->spec, 0, &n, &err), CT_OK);
    assert_true(n >= 1 && n <= CT_PROCESSES_MAX);
    assert_int_equal(ct_jobs_number(&fixture->spec, 5, &n, &err), CT_OK);
    assert_int_equal(n, 5);
    struct ct_campaign_spec three =
        read_spec("kind: simgrid, hosts: 2, rate: 1gbit, latency: 1us, jobs: 3");
    assert_int_equal(ct_jobs_number(&three, 0, &n, &err), CT_OK);
    assert_int_equal(n, 3);
    assert_int_equal(ct_jobs_number(&three, 1, &n, &err), CT_OK);
    assert_int_equal(n, 1);
    ct_campaign_spec_free(&three);
    struct ct_campaign_spec real = read_spec("kind: mpiexec, hosts: 2");
    assert_int_equal(ct_jobs_number(&real, 0, &n, &err), CT_OK);
    assert_int_equal(n, 1);
    assert_int_equal(ct_jobs_number(&real, 1, &n, &err), CT_OK);
    assert_int_equal(ct_jobs_number(&real, 2, &n, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "jobs: 2: only simulations can be made at once"));
    ct_campaign_spec_free(&real);
}

static void each_tells_what_has_come_of_it(void **state)
{
    struct fixture *fixture = *state;
    /* The first one ends when it may; the last two: no run file; the copy of this process is
     * killed. */
    char late[160], may_end[80];
    snprintf(may_end, sizeof may_end, "%s/may_end", fixture->folder);
    snprintf(late, sizeof late, "until [ -e %s ]; do sleep 0.1; done; echo late; exit 7", may_end);
    const char *const texts[] = {late, "echo early; exit 4", "exit 0", "kill -9 $PPID; sleep 5"};
    struct ct_job ended[N_MAX] = {0};
    struct ct_jobs *jobs = begin(fixture, texts, 4, 4);
    assert_true(ct_jobs_full(jobs));
    for (int i = 0; i < 3; i++)
        assert_in_range(take(fixture, jobs, ended), 1, 3);
    assert_int_equal(mkdir(may_end, 0777), 0);
    assert_int_equal(take(fixture, jobs, ended), 0);
    assert_int_equal(ct_jobs_n_open(jobs), 0);
    assert_int_equal(ended[0].status, CT_ECHILD);
    assert_non_null(strstr(ended[0].why.text, "exit code 7: late"));
    assert_int_equal(ended[1].status, CT_ECHILD);
    assert_non_null(strstr(ended[1].why.text, "exit code 4: early"));
    assert_int_equal(ended[2].status, CT_ENOENT);
    assert_int_equal(ended[3].status, CT_ECHILD);
    assert_non_null(
        strstr(ended[3].why.text, "the process that made the run ended with exit code 137"));
    ct_jobs_free(jobs);
}

static void one_is_made_in_this_process(void **state)
{
    struct fixture *fixture = *state;
    static const char *const texts[] = {"echo $PPID; exit 4"};
    struct ct_job ended[N_MAX] = {0};
    char expected[40];
    struct ct_jobs *jobs = begin(fixture, texts, 1, 1);
    take_all(fixture, jobs, ended);
    snprintf(expected, sizeof expected, "exit code 4: %d", (int)getpid());
    assert_non_null(strstr(ended[0].why.text, expected));
    ct_jobs_free(jobs);
}

static void a_place_is_free_again(void **state)
{
    struct fixture *fixture = *state;
    static const char *const texts[] = {"sleep 100", "exit 4"};
    struct ct_job job;
    struct ct_jobs *jobs = begin(fixture, texts, 2, 2);
    for (int i = 0; i < 3; i++) {
        const struct ct_attempt attempt = {.number = 2};
        assert_true(ct_jobs_next(jobs, &job));
        assert_ptr_equal(job.run, &fixture->plan.runs[1]);
        assert_false(ct_jobs_full(jobs));
        assert_int_equal(ct_jobs_begin(jobs, job.run, &attempt, NULL), CT_OK);
        assert_true(ct_jobs_full(jobs));
    }
    ct_jobs_free(jobs); /* ends what is under way */
}

/* Programs that are told to end have what they had come to. */
static void stopped_ones_end(void **state)
{
    struct fixture *fixture = *state;
    static const char *const texts[] = {"sleep 100", "exit 4", "exec sleep 100"};
    struct ct_job job, ended[N_MAX] = {0};
    struct ct_jobs *jobs = begin(fixture, texts, 3, 3);
    assert_true(ct_jobs_next(jobs, &job));
    assert_ptr_equal(job.run, &fixture->plan.runs[1]);
    ct_jobs_stop(jobs);
    take_all(fixture, jobs, ended);
    assert_int_equal(ended[0].status, CT_EINTR);
    assert_int_equal(ended[2].status, CT_EINTR);
    ct_jobs_free(jobs);
}

/* Last, since the flag stays. */
static void a_signal_ends_all(void **state)
{
    struct fixture *fixture = *state;
    static const char *const texts[] = {"sleep 100", "sleep 100"};
    struct ct_job ended[N_MAX] = {0};
    struct ct_jobs *jobs = begin(fixture, texts, 2, 3);
    raise(SIGTERM);
    take_all(fixture, jobs, ended);
    assert_int_equal(ended[0].status, CT_EINTR);
    assert_int_equal(ended[1].status, CT_EINTR);
    ct_jobs_free(jobs);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(how_many_at_once),
        TEST(each_tells_what_has_come_of_it),
        TEST(one_is_made_in_this_process),
        TEST(a_place_is_free_again),
        TEST(stopped_ones_end),
        TEST(a_signal_ends_all),
    };
#undef TEST
    ct_process_catch_signals();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
