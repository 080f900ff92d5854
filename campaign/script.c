#include "campaign/script.h"

#include "campaign/constants.h"
#include "core/self.h"
#include "core/units.h"
#include "core/version.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* Before the end of a job the driver gets a signal, and ends the run it is at. */
enum { NOTICE_S = 60 };

/*
 * Time limit to request from the resource manager for a whole campaign: 1.5 times the expected
 * time, including all candidates that may be picked, plus ten minutes, in whole minutes; seconds.
 */
static double needed_time(const struct ct_plan *plan)
{
    double margin_factor = ct_campaign_constant(CT_CAMPAIGN_MARGIN);
    double margin_s = ct_campaign_constant(CT_CAMPAIGN_MARGIN_S);
    return 60 * ceil((margin_factor * (plan->expected_s + plan->open_s) + margin_s) / 60);
}

/* A word for a shell, whatever is in it. */
static void write_quoted(FILE *out, const char *word)
{
    fputc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    fputc('\'', out);
}

static void write_head(const struct ct_campaign_spec *spec, const struct ct_plan *plan,
                       double needed_s, double limit_s, FILE *out)
{
    char elapsed[CT_UNITS_TEXT_MAX];
    double n_jobs = ceil(needed_s / limit_s);
    ct_format_elapsed(plan->expected_s + plan->open_s, elapsed);
    fprintf(out,
            "#!/bin/sh\n"
            "# Campaign %s: %s%zu runs, about %s. Written by crosstalk campaign script, v%s.\n"
            "#\n"
            "# Submit it by sbatch, with the options that your site needs (--partition,\n"
            "# --account). It continues where it stopped: submitted several times, one job\n"
            "# follows the other.\n",
            spec->name, plan->n_open > 0 ? "up to " : "", plan->n_runs + plan->n_open, elapsed,
            CT_VERSION);
    if (n_jobs > 1)
        fprintf(out, "# With this time limit it may need %.0f jobs.\n", n_jobs);
}

static void write_directives(const struct ct_campaign_spec *spec, double limit_s, FILE *out)
{
    fprintf(out,
            "#SBATCH --job-name=crosstalk-%s\n"
            "#SBATCH --dependency=singleton\n"
            "#SBATCH --nodes=%" PRIu64 "\n"
            "#SBATCH --exclusive\n"
            "#SBATCH --time=%.0f\n"
            "#SBATCH --signal=B:TERM@%d\n"
            "#SBATCH --output=crosstalk-%s.%%j.log\n",
            spec->name, spec->launcher.hosts, floor(limit_s / 60), NOTICE_S, spec->name);
}

/* The driver takes the place of the shell, since that is who gets the signal. */
static void write_command(const struct ct_script *script, FILE *out)
{
    fputs("\ncd ", out);
    write_quoted(out, script->directory);
    fputs(" || exit 1\nexec ", out);
    write_quoted(out, script->crosstalk);
    fputs(" campaign run ", out);
    write_quoted(out, script->file);
    fputs(" --output ", out);
    write_quoted(out, script->folder);
    fputc('\n', out);
}

enum ct_status ct_script_write(const struct ct_campaign_spec *spec, const struct ct_plan *plan,
                               const struct ct_script *script, FILE *out, struct ct_error *err)
{
    double needed_s = needed_time(plan);
    double limit_s = script->limit_s > 0 ? script->limit_s : needed_s;
    if (spec->launcher.kind != CT_LAUNCHER_SLURM)
        return ct_fail(
            err, CT_EINVAL,
            "launcher.kind: a script is for Slurm; give 'kind: slurm' and 'hosts: NODES'");
    if (spec->launcher.hosts == 0)
        return ct_fail(err, CT_EINVAL,
                       "launcher.hosts: a script needs the number of nodes; give 'hosts: NODES'");
    if (limit_s < 2 * NOTICE_S) {
        char limit[CT_UNITS_TEXT_MAX];
        ct_format_duration(limit_s, limit);
        return ct_fail(err, CT_EINVAL, "job time %s: at least %ds", limit, 2 * NOTICE_S);
    }
    write_head(spec, plan, needed_s, limit_s, out);
    write_directives(spec, limit_s, out);
    write_command(script, out);
    if (fflush(out) != 0 || ferror(out))
        return ct_fail(err, CT_EIO, "script: cannot be written: %s", strerror(errno));
    return CT_OK;
}

enum ct_status ct_script_write_here(const char *path, const struct ct_campaign_spec *spec,
                                    const char *folder, double limit_s, FILE *out,
                                    struct ct_error *err)
{
    char self[PATH_MAX], here[PATH_MAX];
    CT_TRY(ct_self_path(self, sizeof self, err));
    if (!getcwd(here, sizeof here))
        return ct_fail(err, CT_EIO, "path of this folder: %s", strerror(errno));
    const struct ct_script script = {
        .crosstalk = self, .directory = here, .file = path, .folder = folder, .limit_s = limit_s};
    struct ct_plan plan;
    CT_TRY(ct_plan_make(spec, spec->seed, &plan, err));
    enum ct_status status = ct_script_write(spec, &plan, &script, out, err);
    ct_plan_free(&plan);
    return status;
}
