/* campaign/script: what is asked of Slurm, and names with anything in them. */
#include "campaign/script.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#define APP "applications: [{name: a, command: app}]\n"
#define DURATIONS "durations: {runtime: 600s, settle: 0s, start: 0.1s}\n"
/* One run of an application alone, of about ten minutes. */
#define REPETITIONS "repetitions: {idle: 0, baseline: 1, impact: 0, corun: 0}\n"

/* Owned by the caller; NULL with *err_p filled. */
static char *write_script(const char *launcher, struct ct_script script, struct ct_error *err_p)
{
    char yaml[600], *text = NULL;
    size_t size;
    struct ct_campaign_spec spec;
    struct ct_plan plan;
    snprintf(yaml, sizeof yaml, "campaign: c.1\nlauncher: {%s}\n" DURATIONS REPETITIONS APP,
             launcher);
    if (ct_campaign_spec_parse(yaml, strlen(yaml), "c.yaml", &spec, err_p) != CT_OK ||
        ct_plan_make(&spec, 1, &plan, err_p) != CT_OK)
        fail_msg("%s", err_p->text);
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    enum ct_status status = ct_script_write(&spec, &plan, &script, out, err_p);
    assert_int_equal(fclose(out), 0);
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
    if (status == CT_OK)
        return text;
    assert_int_equal(status, err_p->status);
    assert_int_equal(size, 0);
    free(text);
    return NULL;
}

static const struct ct_script plain = {
    .crosstalk = "/usr/bin/crosstalk", .directory = "/home/a", .file = "c.yaml", .folder = "out"};

static void expect_line(const char *text, const char *line)
{
    char wanted[300];
    snprintf(wanted, sizeof wanted, "\n%s\n", line);
    if (!strstr(text, wanted))
        fail_msg("no line '%s' in\n%s", line, text);
}

static void slurm_is_asked_for_nodes_and_time(void **state)
{
    (void)state;
    struct ct_error err;
    char *text = write_script("kind: slurm, hosts: 18", plain, &err);
    assert_non_null(text);
    assert_memory_equal(text, "#!/bin/sh\n", 10);
    expect_line(text, "#SBATCH --job-name=crosstalk-c.1");
    expect_line(text, "#SBATCH --nodes=18");
    expect_line(text, "#SBATCH --exclusive");
    /* Jobs of the same name follow each other, and end in time to be gone on with. */
    expect_line(text, "#SBATCH --dependency=singleton");
    expect_line(text, "#SBATCH --signal=B:TERM@60");
    expect_line(text, "cd '/home/a' || exit 1");
    expect_line(text, "exec '/usr/bin/crosstalk' campaign run 'c.yaml' --output 'out'");
    assert_null(strstr(text, " jobs."));
    /* Ten minutes, half as much again, and ten minutes more; starting takes a little. */
    const char *minutes = strstr(text, "#SBATCH --time=");
    assert_non_null(minutes);
    assert_in_range(strtoul(minutes + strlen("#SBATCH --time="), NULL, 10), 25, 27);
    free(text);
}

static void a_short_limit_needs_several_jobs(void **state)
{
    (void)state;
    struct ct_error err;
    struct ct_script script = plain;
    script.limit_s = 13 * 60 + 59;
    char *text = write_script("kind: slurm, hosts: 2", script, &err);
    assert_non_null(text);
    expect_line(text, "#SBATCH --time=13");
    expect_line(text, "# With this time limit it may need 2 jobs.");
    free(text);
}

static void names_are_quoted(void **state)
{
    (void)state;
    struct ct_error err;
    struct ct_script script = plain;
    script.file = "it's $HOME.yaml";
    script.folder = "`a` \"b\"";
    char *text = write_script("kind: slurm, hosts: 2", script, &err);
    assert_non_null(text);
    expect_line(text, "exec '/usr/bin/crosstalk' campaign run 'it'\\''s $HOME.yaml' --output "
                      "'`a` \"b\"'");
    free(text);
}

static void what_no_script_can_be_for_is_refused(void **state)
{
    (void)state;
    struct ct_error err;
    struct ct_script script = plain;
    assert_null(write_script("kind: mpiexec, hosts: 2", plain, &err));
    assert_non_null(strstr(err.text, "launcher.kind"));
    assert_null(write_script("kind: slurm", plain, &err));
    assert_non_null(strstr(err.text, "launcher.hosts"));
    script.limit_s = 119;
    assert_null(write_script("kind: slurm, hosts: 2", script, &err));
    assert_non_null(strstr(err.text, "job time 119s: at least 120s"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slurm_is_asked_for_nodes_and_time),
        cmocka_unit_test(a_short_limit_needs_several_jobs),
        cmocka_unit_test(names_are_quoted),
        cmocka_unit_test(what_no_script_can_be_for_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
