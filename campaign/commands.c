#include "campaign/commands.h"

#include "core/units.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Our programs are in one folder, in the build tree as after installation. */
void ct_command_add_program(struct ct_argv *argv, const char *name)
{
    char path[PATH_MAX + NAME_MAX + 2];
    ssize_t n = readlink("/proc/self/exe", path, PATH_MAX);
    char *slash = n > 0 ? memrchr(path, '/', (size_t)n) : NULL;
    if (slash && !strchr(name, '/') && strlen(name) <= NAME_MAX) {
        snprintf(slash + 1, NAME_MAX + 1, "%s", name);
        if (access(path, X_OK) == 0) {
            ct_argv_add(argv, "%s", path);
            return;
        }
    }
    ct_argv_add(argv, "%s", name);
}

static void add_option(struct ct_argv *argv, const char *option, const char *value)
{
    ct_argv_add(argv, "--%s", option);
    ct_argv_add(argv, "%s", value);
}

static void add_duration(struct ct_argv *argv, const char *option, double duration_s)
{
    char text[CT_UNITS_TEXT_MAX];
    ct_format_duration(duration_s, text);
    add_option(argv, option, text);
}

static void add_size(struct ct_argv *argv, const char *option, size_t bytes)
{
    char text[CT_UNITS_TEXT_MAX];
    ct_format_size(bytes, text);
    add_option(argv, option, text);
}

static void add_number(struct ct_argv *argv, const char *option, uint64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    add_option(argv, option, text);
}

static enum ct_status add_app(struct ct_argv *argv, const char *command, struct ct_error *err)
{
    struct ct_argv own = {0};
    enum ct_status status = ct_argv_split(&own, command, err);
    if (status == CT_OK) {
        ct_command_add_program(argv, own.item[0]);
        ct_argv_add_all(argv, own.item + 1);
    }
    ct_argv_free(&own);
    return status;
}

static enum ct_status finish_command(const struct ct_argv *argv, struct ct_error *err)
{
    return argv->failed ? ct_no_memory(err, "command line") : CT_OK;
}

static void add_configuration(struct ct_argv *argv, const struct ct_campaign_spec *spec,
                              const struct ct_plan_run *run)
{
    if (run->background != CT_PLAN_COMPRESSION)
        return;
    const struct ct_config *config = &spec->configs[run->config].load;
    char text[CT_CONFIG_TEXT_MAX];
    ct_config_format(config, text);
    add_option(argv, "config", text);
}

/* Of a program that measures what the background leaves of the network. */
static void add_provenance(struct ct_argv *argv, const struct ct_campaign_spec *spec,
                           const struct ct_plan_run *run, const char *output)
{
    add_number(argv, "seed", run->seed);
    add_option(argv, "output", output);
    if (ct_plan_n_others(spec, run) > 0)
        add_option(argv, "label", ct_plan_others(spec, run));
    add_configuration(argv, spec, run);
    ct_argv_add(argv, "--quiet");
}

/* The same canary as in the scan that the campaign continues. */
static enum ct_status add_canary(const struct ct_campaign_spec *spec, const struct ct_plan_run *run,
                                 const char *output, struct ct_argv *argv_p, struct ct_error *err)
{
    ct_command_add_program(argv_p, "scanb");
    add_option(argv_p, "cells", "latency:none");
    add_duration(argv_p, "cell-time", spec->durations.impact_s);
    add_provenance(argv_p, spec, run, output);
    return finish_command(argv_p, err);
}

static enum ct_status add_probe(const struct ct_campaign_spec *spec, const struct ct_plan_run *run,
                                const char *output, struct ct_argv *argv_p, struct ct_error *err)
{
    ct_command_add_program(argv_p, "impactb");
    add_duration(argv_p, "interval", spec->probe.interval_s);
    add_size(argv_p, "message-size", spec->probe.message_bytes);
    add_option(argv_p, "pairing", spec->probe.pairing);
    /* One answer is waited for exactly, see docs/simgrid.md. */
    if (spec->launcher.kind == CT_LAUNCHER_SIMGRID)
        add_option(argv_p, "outstanding", "1");
    enum ct_status status = ct_argv_split(argv_p, spec->probe.options, err);
    /* After the user's, so that it holds: a run that fails is made again as a whole. */
    add_option(argv_p, "checkpoint", "0s");
    add_duration(argv_p, "time", spec->durations.impact_s);
    add_provenance(argv_p, spec, run, output);
    return status == CT_OK ? finish_command(argv_p, err) : status;
}

static enum ct_status add_logp(const struct ct_campaign_spec *spec, const struct ct_plan_run *run,
                               const char *output, struct ct_argv *argv_p, struct ct_error *err)
{
    ct_command_add_program(argv_p, "logpb");
    if (spec->logp == CT_CAMPAIGN_LOGP_CLASSES) {
        /* In a tree of two levels these pairs have no link in common: all at the same time. */
        add_option(argv_p, "pairs", "classes");
        add_option(argv_p, "pairs-per-class", "1");
    }
    add_duration(argv_p, "time", spec->durations.logp_s);
    add_option(argv_p, "checkpoint", "0s"); /* a run that fails is made again as a whole */
    add_provenance(argv_p, spec, run, output);
    return finish_command(argv_p, err);
}

enum ct_status ct_command_measured(const struct ct_campaign_spec *spec,
                                   const struct ct_plan_run *run, const char *output,
                                   struct ct_argv *argv_p, struct ct_error *err)
{
    if (run->measure == CT_PLAN_PROBE && *spec->scan)
        return add_canary(spec, run, output, argv_p, err);
    if (run->measure == CT_PLAN_PROBE)
        return add_probe(spec, run, output, argv_p, err);
    if (run->measure == CT_PLAN_LOGP)
        return add_logp(spec, run, output, argv_p, err);
    const struct ct_campaign_app *app = &spec->apps[run->app];
    enum ct_status status = add_app(argv_p, run->is_longer ? app->longer : app->command, err);
    if (status != CT_OK || app->passes == CT_PASSES_DRIVER)
        return status == CT_OK ? finish_command(argv_p, err) : status;
    if (run->measure == CT_PLAN_TRACE) { /* one pass */
        add_number(argv_p, "seed", run->seed);
        ct_argv_add(argv_p, "--quiet");
        return finish_command(argv_p, err);
    }
    ct_argv_add(argv_p, "--loop");
    add_duration(argv_p, "time", spec->durations.runtime_s);
    add_number(argv_p, "seed", run->seed);
    add_option(argv_p, "output", output);
    add_option(argv_p, "label", app->name);
    if (ct_plan_n_others(spec, run) > 0)
        add_option(argv_p, "with", ct_plan_others(spec, run));
    add_configuration(argv_p, spec, run);
    ct_argv_add(argv_p, "--quiet");
    return finish_command(argv_p, err);
}

/* Patterns other than the ring find their partners themselves. */
static void add_compressionb(struct ct_argv *argv, const struct ct_campaign_config *config)
{
    const struct ct_config *load = &config->load;
    ct_command_add_program(argv, "compressionb");
    if (load->pattern == CT_PATTERN_RING)
        add_number(argv, "partners", load->partners);
    else
        add_option(argv, "pattern", ct_pattern_names[load->pattern]);
    add_number(argv, "messages", load->messages);
    add_duration(argv, "bubble", load->bubble_s);
    if (load->burst.given) {
        char on[CT_UNITS_TEXT_MAX], off[CT_UNITS_TEXT_MAX];
        ct_format_duration(load->burst.on_s, on);
        ct_format_duration(load->burst.off_s, off);
        ct_argv_add(argv, "--burst");
        ct_argv_add(argv, "%s/%s", on, off);
    }
    add_size(argv, "message-size", ct_config_message_bytes(load));
}

/* Equal programs with equal seeds would do the same at the same time. */
static uint64_t seed_of(const struct ct_plan_run *run, size_t index)
{
    return run->seed + index;
}

size_t ct_command_n_backgrounds(const struct ct_campaign_spec *spec, const struct ct_plan_run *run)
{
    return run->background == CT_PLAN_COMPRESSION ? 1 : ct_plan_n_others(spec, run);
}

enum ct_status ct_command_background(const struct ct_campaign_spec *spec,
                                     const struct ct_plan_run *run, size_t index,
                                     const char *output, double limit_s, struct ct_argv *argv_p,
                                     struct ct_error *err)
{
    if (run->background != CT_PLAN_COMPRESSION) {
        const struct ct_campaign_app *app = &spec->apps[ct_plan_other(spec, run, index)];
        enum ct_status status = add_app(argv_p, app->command, err);
        if (status != CT_OK || app->passes == CT_PASSES_DRIVER)
            return status == CT_OK ? finish_command(argv_p, err) : status;
        ct_argv_add(argv_p, "--loop");
    } else {
        add_compressionb(argv_p, &spec->configs[run->config]);
        add_option(argv_p, "output", output);
        if (run->measure == CT_PLAN_APP)
            add_option(argv_p, "label", spec->apps[run->app].name);
    }
    add_duration(argv_p, "time", limit_s);
    add_number(argv_p, "seed", seed_of(run, index));
    ct_argv_add(argv_p, "--quiet");
    return finish_command(argv_p, err);
}

uint64_t ct_command_measured_slots(const struct ct_campaign_spec *spec,
                                   const struct ct_plan_run *run)
{
    if (run->measure == CT_PLAN_LOGP)
        return 1; /* pairs of hosts are measured */
    if (run->measure == CT_PLAN_PROBE && *spec->scan && spec->n_configs > 0)
        return ct_config_slots(&spec->configs[0].load); /* as in the scan */
    return run->measure == CT_PLAN_PROBE ? spec->probe.slots : spec->apps[run->app].slots;
}

uint64_t ct_command_measured_hosts(const struct ct_campaign_spec *spec,
                                   const struct ct_plan_run *run)
{
    bool is_app = run->measure == CT_PLAN_APP || run->measure == CT_PLAN_TRACE;
    return is_app ? spec->apps[run->app].hosts : 0;
}

uint64_t ct_command_background_slots(const struct ct_campaign_spec *spec,
                                     const struct ct_plan_run *run, size_t index)
{
    return run->background == CT_PLAN_COMPRESSION
               ? ct_config_slots(&spec->configs[run->config].load)
               : spec->apps[ct_plan_other(spec, run, index)].slots;
}

uint64_t ct_command_background_hosts(const struct ct_campaign_spec *spec,
                                     const struct ct_plan_run *run, size_t index)
{
    return run->background == CT_PLAN_COMPRESSION
               ? 0
               : spec->apps[ct_plan_other(spec, run, index)].hosts;
}

uint64_t ct_command_background_slots_sum(const struct ct_campaign_spec *spec,
                                         const struct ct_plan_run *run, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += ct_command_background_slots(spec, run, i);
    return sum;
}
