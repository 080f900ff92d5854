#include "campaign/scan_survey.h"

#include "campaign/ask.h"
#include "campaign/scan_network.h"
#include "campaign/simgrid_platform.h"
#include "core/stats.h"
#include "core/units.h"
#include "topology/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double answer_limit_s = 60;

/* ---- nodes ---- */

static enum ct_status take_nodes(const struct ct_run_info *info, struct ct_scan *scan,
                                 struct ct_error *err)
{
    struct ct_argv names = {0};
    enum ct_status status = ct_argv_split(&names, info->hosts, err);
    scan->nodes = calloc(names.n + 1, sizeof *scan->nodes);
    scan->path_class = calloc(names.n * names.n + 1, sizeof *scan->path_class);
    if (status == CT_OK && (names.failed || !scan->nodes || !scan->path_class))
        status = ct_no_memory(err, "nodes");
    for (size_t i = 0; i < names.n && status == CT_OK; i++) {
        scan->nodes[scan->n_nodes++].name = names.item[i];
        names.item[i] = NULL; /* the scan's now */
    }
    ct_argv_free(&names);
    return status;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Medians of all pairs, both ways. NaN: not measured. */
static double *find_latencies(const struct ct_run *run, size_t n_nodes)
{
    double *latency_s = malloc((n_nodes * n_nodes + 1) * sizeof *latency_s);
    double *values = malloc((run->n_scan_samples + 1) * sizeof *values);
    for (size_t a = 0; latency_s && values && a < n_nodes; a++)
        for (size_t b = 0; b <= a; b++) {
            size_t n = 0;
            for (size_t i = 0; i < run->n_scan_samples; i++) {
                const struct ct_scan_sample *sample = &run->scan_samples[i];
                if (sample->node_a == b && sample->node_b == a &&
                    sample->cell < run->n_scan_cells &&
                    run->scan_cells[sample->cell].canary == CT_SCAN_LATENCY)
                    values[n++] = sample->value_s;
            }
            qsort(values, n, sizeof *values, by_value);
            latency_s[a * n_nodes + b] = latency_s[b * n_nodes + a] = n ? values[n / 2] : NAN;
        }
    free(values);
    return latency_s;
}

/* ---- switches ---- */

/* Where the network is known by itself. @return CT_ENODATA: it is not */
static enum ct_status open_topology(const struct ct_launcher *launcher, const char *given,
                                    size_t n_nodes, struct ct_topology *topology_p,
                                    enum ct_places *places_p, struct ct_error *err)
{
    const struct ct_campaign_launcher *setup = &launcher->spec->launcher;
    struct ct_topology_settings settings = ct_topology_defaults();
    settings.n_nodes = (uint32_t)n_nodes;
    *places_p = setup->kind == CT_LAUNCHER_LAB ? CT_PLACES_OF_LAB : CT_PLACES_IN_ORDER;
    if (*given)
        return ct_topology_open(given, &settings, topology_p, err);
    if (setup->kind == CT_LAUNCHER_SIMGRID)
        return ct_simgrid_topology(setup, topology_p, err);
    if (setup->kind == CT_LAUNCHER_LAB)
        return ct_topology_open(*setup->topology ? setup->topology : "switch", &settings,
                                topology_p, err);
    return CT_ENODATA;
}

/* Slurm's, where it has one. */
static enum ct_status ask_slurm(struct ct_launcher *launcher, struct ct_topology *topology_p,
                                struct ct_error *err)
{
    struct ct_argv argv = {0};
    struct ct_text answer;
    ct_argv_add(&argv, "scontrol");
    ct_argv_add(&argv, "show");
    ct_argv_add(&argv, "topology");
    enum ct_status status = ct_ask(&argv, launcher->folder, answer_limit_s, &answer, err);
    if (status != CT_OK)
        return status;
    status = ct_topology_parse(answer.text, answer.size, "scontrol show topology", topology_p, err);
    free(answer.text);
    return status;
}

static enum ct_status set_source(struct ct_scan *scan, const char *text, struct ct_error *err)
{
    free(scan->asked.switches_of);
    scan->asked.switches_of = strdup(text);
    return scan->asked.switches_of ? CT_OK : ct_no_memory(err, "scan");
}

/* What a user has given must be right; what is found by itself is left out where it does not fit.
 */
static enum ct_status take_switches(struct ct_launcher *launcher, const char *given,
                                    const struct ct_run *run, struct ct_scan *scan,
                                    struct ct_error *err)
{
    struct ct_topology topology;
    enum ct_places places;
    struct ct_error why;
    char source[200] = "not known";
    enum ct_status status = open_topology(launcher, given, scan->n_nodes, &topology, &places, err);
    bool is_slurm = status == CT_ENODATA && launcher->spec->launcher.kind == CT_LAUNCHER_SLURM;
    if (status == CT_OK) {
        status = ct_scan_network_take(&topology, places, scan, err);
        snprintf(source, sizeof source, "%s", topology.name);
        ct_topology_free(&topology);
        return status == CT_OK ? set_source(scan, source, err) : status;
    }
    if (status != CT_ENODATA)
        return status;
    if (is_slurm && ask_slurm(launcher, &topology, &why) == CT_OK) {
        bool is_taken = ct_scan_network_take(&topology, places, scan, &why) == CT_OK;
        ct_topology_free(&topology);
        if (is_taken)
            return set_source(scan, "Slurm", err);
        ct_log_info(launcher->log, "Slurm's topology is left out: %s", why.text);
    }
    double *latency_s = find_latencies(run, scan->n_nodes);
    if (!latency_s)
        return ct_no_memory(err, "latencies");
    bool is_grouped = ct_scan_network_group(latency_s, scan);
    free(latency_s);
    return set_source(scan, is_grouped ? "latencies" : source, err);
}

/* ---- the survey ---- */

/* Every host is a canary, and each pair has a time. */
static bool is_survey(const struct ct_run_info *info)
{
    const char *text = ct_run_text(info, CT_RUN_SCAN_CANARIES);
    size_t n = 0;
    for (const char *word = text; word && *word; word += strspn(word, " ")) {
        n++;
        word += strcspn(word, " ");
    }
    return n > 0 && n == ct_run_count_hosts(info);
}

static enum ct_status take_run(struct ct_launcher *launcher, const char *topology,
                               const struct ct_run *run, struct ct_scan *scan, struct ct_error *err)
{
    enum ct_status status = take_nodes(&run->info, scan, err);
    return status == CT_OK ? take_switches(launcher, topology, run, scan, err) : status;
}

enum ct_status ct_scan_survey_take(struct ct_launcher *launcher, const char *topology,
                                   struct ct_scan *scan, struct ct_error *err)
{
    struct ct_run_list list;
    struct ct_run run;
    enum ct_status status = ct_run_list_read(launcher->folder, &list, err);
    bool is_found = false;
    if (status != CT_OK)
        return status;
    for (size_t i = 0; i < list.n_entries && status == CT_OK && !is_found; i++) {
        if (list.entries[i].info.kind != CT_RUN_SCAN || !is_survey(&list.entries[i].info))
            continue;
        status = ct_run_read_entry(&list.entries[i], &run, err);
        if (status != CT_OK)
            break;
        is_found = run.n_scan_samples > 0;
        if (is_found)
            status = take_run(launcher, topology, &run, scan, err);
        ct_run_free(&run);
    }
    ct_run_list_free(&list);
    if (status == CT_OK && !is_found)
        status = ct_fail(err, CT_ENODATA, "%s: no survey", launcher->folder);
    return status;
}

void ct_scan_survey_network(const struct ct_campaign_launcher *setup,
                            char text[CT_SCAN_NETWORK_MAX])
{
    char rate[CT_UNITS_TEXT_MAX], uplink[CT_UNITS_TEXT_MAX], wire[CT_UNITS_TEXT_MAX];
    bool is_simulated = setup->kind == CT_LAUNCHER_SIMGRID;
    *text = '\0';
    if (!is_simulated && setup->kind != CT_LAUNCHER_LAB)
        return;
    ct_format_rate(setup->rate_bit_per_s, rate);
    ct_format_rate(setup->uplink_bit_per_s, uplink);
    ct_format_duration(setup->latency_s, wire);
    snprintf(text, CT_SCAN_NETWORK_MAX, "links of %s, %s between switches%s%s", rate, uplink,
             is_simulated ? ", " : "", is_simulated ? wire : "");
}

/* Those of a lab are its own, those of a simulation are options. */
static enum ct_status check_rates(const struct ct_launcher *launcher, const struct ct_scan *scan,
                                  struct ct_error *err)
{
    const struct ct_campaign_launcher *setup = &launcher->spec->launcher;
    const char *before = scan->asked.network;
    char now[CT_SCAN_NETWORK_MAX];
    ct_scan_survey_network(setup, now);
    if (!before || strcmp(before, now) == 0)
        return CT_OK;
    return ct_fail(err, CT_EEXIST,
                   "%s: has a scan of %s, and this is one of %s: continue it %s, or give another "
                   "folder",
                   launcher->folder, *before ? before : "a cluster", *now ? now : "a cluster",
                   *before && setup->kind == CT_LAUNCHER_SIMGRID
                       ? "with the same --rate, --uplink and --wire"
                       : "on the same network");
}

enum ct_status ct_scan_survey_check(const struct ct_launcher *launcher, const char *given,
                                    const struct ct_scan *scan, struct ct_error *err)
{
    struct ct_topology topology;
    enum ct_places places;
    enum ct_status status = check_rates(launcher, scan, err);
    if (status != CT_OK)
        return status;
    status = open_topology(launcher, given, scan->n_nodes, &topology, &places, err);
    if (status == CT_ENODATA)
        return CT_OK;
    if (status == CT_OK && strcmp(topology.name, scan->asked.switches_of) != 0)
        status = ct_fail(err, CT_EEXIST,
                         "%s: has a scan whose switches are known by '%s', which '%s' is not: "
                         "continue it without --topology and on the same network, or give another "
                         "folder",
                         launcher->folder, scan->asked.switches_of, topology.name);
    if (status != CT_EEXIST && status != CT_OK)
        return status;
    ct_topology_free(&topology);
    return status;
}

enum ct_status ct_scan_survey_idle(const struct ct_scan *scan, struct ct_scan_idle *idle_p,
                                   struct ct_error *err)
{
    *idle_p = (struct ct_scan_idle){NAN, NAN, NAN};
    for (size_t c = 0; c < scan->n_cells; c++) {
        const struct ct_scan_cell *cell = &scan->cells[c];
        const struct ct_scan_round *round = &scan->rounds[cell->round];
        if (!round->is_survey || cell->canary != CT_SCAN_LATENCY || cell->path_class != -1)
            continue;
        double *sorted = malloc((cell->n_samples + 1) * sizeof *sorted);
        if (!sorted)
            return ct_no_memory(err, "latencies");
        memcpy(sorted, cell->samples_s, cell->n_samples * sizeof *sorted);
        ct_stats_sort(sorted, cell->n_samples);
        ct_stats_quantile(sorted, cell->n_samples, 0.5, &idle_p->median_s);
        ct_stats_quantile(sorted, cell->n_samples, 0.99, &idle_p->p99_s);
        idle_p->wait_frac = round->wait_frac;
        free(sorted);
        return CT_OK;
    }
    return CT_OK;
}
