#include "campaign/validation_file.h"

#include "campaign/constants.h"
#include "campaign/spec.h"
#include "core/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char plain[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";

/* Within "..." of YAML: \ and " have a \ before them. */
static void put_character(FILE *out, char c)
{
    if (c == '"' || c == '\\')
        fputc('\\', out);
    fputc(c, out);
}

/* As ct_argv_split() reads it. */
static void put_word(FILE *out, const char *word)
{
    bool is_plain = *word && strspn(word, plain) == strlen(word);
    if (!is_plain)
        put_character(out, '"');
    for (; *word; word++) {
        if (!is_plain && (*word == '"' || *word == '\\'))
            put_character(out, '\\');
        put_character(out, *word);
    }
    if (!is_plain)
        put_character(out, '"');
}

static void put_words(FILE *out, char *const *words)
{
    for (size_t i = 0; words[i]; i++) {
        if (i > 0)
            fputc(' ', out);
        put_word(out, words[i]);
    }
}

/* The number of iterations in a word, or in the one after it; *prefix_p: what is before it there.
 */
static bool find_iterations(const char *word, const char *next, size_t *prefix_p, bool *in_next_p,
                            uint64_t *n_p)
{
    static const char option[] = "--iterations", joined[] = "--iterations=";
    const char *number = NULL;
    *in_next_p = !strcmp(word, option) || !strcmp(word, "-i");
    if (*in_next_p)
        number = next;
    else if (!strncmp(word, joined, strlen(joined)))
        number = word + strlen(joined);
    if (!number || !*number || strspn(number, "0123456789") != strlen(number) ||
        strlen(number) > 12)
        return false;
    *prefix_p = *in_next_p ? 0 : strlen(joined);
    *n_p = strtoull(number, NULL, 10);
    return true;
}

static bool put_longer(FILE *out, char *const *words, uint64_t times)
{
    bool found = false;
    for (size_t i = 0; words[i]; i++) {
        size_t prefix;
        bool in_next;
        uint64_t n;
        if (i > 0)
            fputc(' ', out);
        if (found || !find_iterations(words[i], words[i + 1], &prefix, &in_next, &n)) {
            put_word(out, words[i]);
            continue;
        }
        found = true;
        if (in_next)
            fprintf(out, "%s %" PRIu64, words[i++], times * n);
        else
            fprintf(out, "%.*s%" PRIu64, (int)prefix, words[i], times * n);
    }
    return found;
}

static void put_latencies(FILE *out, const char *list)
{
    for (; *list; list++)
        put_character(out, *list == ',' ? ' ' : *list);
}

static const char *format_duration(double duration_s, char text[CT_UNITS_TEXT_MAX])
{
    ct_format_duration(duration_s, text);
    return text;
}

static void put_text(FILE *out, const char *key, const char *text)
{
    if (!text)
        return;
    fprintf(out, "  %s: \"", key);
    for (; *text; text++)
        put_character(out, *text);
    fprintf(out, "\"\n");
}

/* A lab takes its hosts from the topology. */
static void put_hosts(FILE *out, const struct ct_validation_setup *setup)
{
    char uplink[CT_UNITS_TEXT_MAX];
    if (setup->hosts > 0 && (setup->simulation || !*setup->topology))
        fprintf(out, "  hosts: %" PRIu64 "\n", setup->hosts);
    if (*setup->topology)
        put_text(out, "topology", setup->topology);
    if (setup->spines > 0)
        fprintf(out, "  spines: %" PRIu64 "\n", setup->spines);
    if (isnan(setup->uplink_bit_per_s))
        return;
    ct_format_rate(setup->uplink_bit_per_s, uplink);
    fprintf(out, "  uplink: %s\n", uplink);
}

static void put_lab(FILE *out, const struct ct_validation_setup *setup)
{
    char late[CT_UNITS_TEXT_MAX];
    fprintf(out, "  lateness: %s\n  mpi: %s\n", format_duration(setup->lateness_s, late),
            ct_mpi_names[setup->mpi]);
    if (setup->lab)
        fprintf(out, "  lab: %s\n", setup->lab);
}

static void put_simulation(FILE *out, const struct ct_validation_simulation *simulation)
{
    char overhead[CT_UNITS_TEXT_MAX];
    fprintf(out, "  model: %s\n  overhead: %s\n", ct_campaign_simgrid_models[simulation->model],
            format_duration(simulation->overhead_s, overhead));
    put_text(out, "options", simulation->settings);
    put_text(out, "simgrid", simulation->folder);
}

/* Those of labs would take longer than what is measured. */
static void put_simulated_probe(FILE *out, double probe_s)
{
    char settle[CT_UNITS_TEXT_MAX], interval[CT_UNITS_TEXT_MAX];
    double rounds = ct_campaign_constant(CT_CAMPAIGN_VALIDATION_ROUNDS);
    double settle_s = probe_s * ct_campaign_constant(CT_CAMPAIGN_VALIDATION_SETTLE);
    fprintf(out, ", settle: %s}\nprobe: {interval: %s", format_duration(settle_s, settle),
            format_duration(probe_s / rounds, interval));
}

static void put_network(FILE *out, const struct ct_validation_setup *setup)
{
    char base[CT_UNITS_TEXT_MAX], rate[CT_UNITS_TEXT_MAX], runtime[CT_UNITS_TEXT_MAX],
        logp[CT_UNITS_TEXT_MAX], probe[CT_UNITS_TEXT_MAX];
    ct_format_rate(setup->rate_bit_per_s, rate);
    fprintf(out, "campaign: validation\nseed: %" PRIu64 "\nlogp: %s\ntrace: true\nlauncher:\n",
            setup->seed, *setup->topology ? "classes" : "idle");
    fprintf(out, "  kind: %s\n", setup->simulation ? "simgrid" : "lab");
    put_hosts(out, setup);
    fprintf(out, "  rate: %s\n  latency: %s\n", rate, format_duration(setup->base_s, base));
    if (setup->simulation)
        put_simulation(out, setup->simulation);
    else
        put_lab(out, setup);
    fprintf(out, "durations: {runtime: %s, logp: %s", format_duration(setup->runtime_s, runtime),
            format_duration(setup->logp_s, logp));
    if (setup->load)
        fprintf(out, ", impact: %s", format_duration(setup->probe_s, probe));
    if (setup->load && setup->simulation)
        put_simulated_probe(out, setup->probe_s);
    uint64_t n_probes = setup->load ? 1 : 0, n_loaded = setup->load ? setup->repetitions : 0;
    fprintf(out,
            "}\nrepetitions: {idle: %" PRIu64 ", baseline: %" PRIu64 ", impact: %" PRIu64
            ", compression: %" PRIu64 ", corun: 0}\nlatencies: \"",
            n_probes, setup->repetitions, n_probes, n_loaded);
    put_latencies(out, setup->latencies);
    fprintf(out, "\"\n");
}

static void put_load(FILE *out, const struct ct_config *load)
{
    char bubble[CT_UNITS_TEXT_MAX], on[CT_UNITS_TEXT_MAX], off[CT_UNITS_TEXT_MAX],
        size[CT_UNITS_TEXT_MAX];
    ct_format_size(ct_config_message_bytes(load), size);
    fprintf(out,
            "latency_runs: loaded\nconfigurations:\n  - {messages: %" PRIu32
            ", bubble: %s, pattern: %s, message_size: %s, slots: %" PRIu32,
            load->messages, format_duration(load->bubble_s, bubble),
            ct_pattern_names[load->pattern], size, ct_config_slots(load));
    if (load->partners > 0)
        fprintf(out, ", partners: %" PRIu32, load->partners);
    if (load->burst.given)
        fprintf(out, ", burst: %s/%s", format_duration(load->burst.on_s, on),
                format_duration(load->burst.off_s, off));
    fprintf(out, "}\n");
}

static bool put_program(FILE *out, const struct ct_validation_setup *setup)
{
    bool found = true;
    fprintf(out, "applications:\n  - name: " CT_VALIDATION_APP "\n    command: \"");
    put_words(out, setup->program);
    char pass[CT_UNITS_TEXT_MAX];
    fprintf(out, "\"\n    slots: %" PRIu64 "\n    passes: %s\n    pass: %s\n",
            setup->ranks_per_host, setup->is_whole ? "driver" : "self",
            format_duration(setup->runtime_s, pass));
    if (setup->is_whole)
        return true;
    fprintf(out, "    longer: \"");
    if (setup->longer)
        for (const char *c = setup->longer; *c; c++)
            put_character(out, *c);
    else
        found = put_longer(out, setup->program, 1 + setup->longer_by);
    fprintf(out, "\"\n    longer_by: %" PRIu64 "\n", setup->longer_by);
    return found;
}

enum ct_status ct_validation_file(const struct ct_validation_setup *setup, struct ct_text *file_p,
                                  struct ct_error *err)
{
    struct ct_text file = {0};
    FILE *out = open_memstream(&file.text, &file.size);
    if (!out)
        return ct_no_memory(err, "campaign file");
    put_network(out, setup);
    if (setup->load)
        put_load(out, setup->load);
    bool found = put_program(out, setup);
    if (fclose(out) != 0) {
        free(file.text);
        return ct_no_memory(err, "campaign file");
    }
    if (!found) {
        free(file.text);
        return ct_fail(err, CT_EUSAGE,
                       "%s: no '--iterations N' in its command line: give it, so that a trace of "
                       "more can be made, or --longer 'COMMAND' for that trace",
                       setup->program[0]);
    }
    *file_p = file;
    return CT_OK;
}
