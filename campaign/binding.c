#include "campaign/binding.h"

#include "campaign/ask.h"
#include "campaign/commands.h"

#include <stdio.h>
#include <stdlib.h>

/* A resource manager under load takes its time to start a first program. */
static const double answer_limit_s = 120;

enum ct_status ct_binding_ask(const struct ct_launcher *launcher, struct ct_argv *start,
                              uint64_t n_hosts, struct ct_cores *cores_p, struct ct_error *err)
{
    struct ct_text answer;
    ct_command_add_program(start, "crosstalk");
    ct_argv_add(start, "campaign");
    ct_argv_add(start, "cores");
    enum ct_status status = ct_ask(start, launcher->folder, answer_limit_s, &answer, err);
    if (status != CT_OK)
        return status == CT_EINTR ? status
                                  : ct_fail_within(err, status, "launcher: asking for cores");
    struct ct_cores cores = {0};
    size_t n_lists = 0;
    bool same = true;
    status = ct_cores_parse(answer.text, &n_lists, &same, &cores, err);
    free(answer.text);
    if (status == CT_OK && n_lists != n_hosts)
        status = ct_fail(err, CT_EFORMAT, "launcher: %zu of %llu hosts said which cores they have",
                         n_lists, (unsigned long long)n_hosts);
    if (status != CT_OK) {
        ct_cores_free(&cores);
        return status;
    }
    if (!same)
        ct_log_warn(launcher->log,
                    "launcher: the hosts do not all have the same cores; those of the smallest, "
                    "%zu, are used on all",
                    cores.n);
    *cores_p = cores;
    return CT_OK;
}

/* "2 + 1 ranks", "3 ranks" */
static void format_ranks(const struct ct_placement_survey *survey, char *text, size_t size)
{
    if (survey->background == 0)
        snprintf(text, size, "%llu ranks", (unsigned long long)survey->measured);
    else
        snprintf(text, size, "%llu + %llu ranks", (unsigned long long)survey->measured,
                 (unsigned long long)survey->background);
}

/* On the screen, and in the journal for those who look at the results. */
static enum ct_status warn_of_binding(const struct ct_launcher *launcher,
                                      const struct ct_placement_survey *survey, size_t n_runs,
                                      const char *list, size_t n_cores, struct ct_error *err)
{
    char ranks[64], text[600];
    format_ranks(survey, ranks, sizeof ranks);
    snprintf(text, sizeof text,
             "ranks share cores in %zu of %zu runs, which disturbs them, too: most in %s, cores %s "
             "(%s, %zu cores)",
             survey->n_sharing, n_runs, survey->run->id, list, ranks, n_cores);
    ct_log_warn(launcher->log, "%s", text);
    return ct_journal_warn(launcher->folder, text, err);
}

enum ct_status ct_binding_warn(const struct ct_launcher *launcher, const struct ct_cores *cores,
                               uint64_t hosts, struct ct_error *err)
{
    struct ct_plan plan;
    if (launcher->spec->n_apps == 0) /* a scan: one program, on hosts that it has alone */
        return CT_OK;
    CT_TRY(ct_plan_make(launcher->spec, launcher->spec->seed, &plan, err));
    struct ct_placement_survey survey = ct_placement_look(launcher->spec, &plan, cores->n, hosts);
    char *list = ct_cores_format(cores, survey.shared);
    enum ct_status status = CT_OK;
    if (!list)
        status = ct_no_memory(err, "cores");
    else if (survey.n_sharing > 0)
        status = warn_of_binding(launcher, &survey, plan.n_runs, list, cores->n, err);
    free(list);
    ct_plan_free(&plan);
    return status;
}
