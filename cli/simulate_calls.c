#include "cli/simulate_calls.h"

#include "cli/simulate_path.h"
#include "core/option_rows.h"
#include "core/parallel.h"
#include "plot/stacked.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double s_per_ns = 1e-9;

const struct ct_option ct_calls_options[] = {
    {CT_OPTION(FLAG, "course", struct ct_calls_settings, course),
     .help = "print where the time goes over time, in at most 64 steps of a pass"},
    CT_ROW_PLOT(struct ct_calls_settings, plot,
                "draw where the time of each program goes, alone, on three networks beside each "
                "other: that of --network, alpha-beta, and none; with --path the critical path of "
                "the first pass over time, its parts and its ranks"),
    {CT_OPTION(STRING, "breakdown", struct ct_calls_settings, breakdown), .target = CT_FILE_STREAM,
     .argument = "FILE.svg", .successor = "--plot FILE.svg"},
    {CT_OPTION(FLAG, "path", struct ct_calls_settings, path),
     .help = "print the critical path of the first pass: how much of it is of which part, and of "
             "which call"},
    {CT_OPTION(STRING, "draw-path", struct ct_calls_settings, draw_path), .target = CT_FILE_STREAM,
     .argument = "FILE.svg", .successor = "--path --plot FILE.svg"},
    {CT_OPTION(STRING, "timeline", struct ct_calls_settings, timeline), .target = CT_FILE_STREAM,
     .argument = "FILE.json",
     .help =
         "write what each rank does in its first pass, the messages and the critical path, for "
         "Perfetto or chrome://tracing: about 150 B for each span of time, 250 B for each message"},
    {0}};

/* ---- the watch ---- */

static enum ct_status begin_timeline(const char *path, const struct ct_goal *goals,
                                     const char *const *names, size_t n,
                                     struct ct_calls_watch *watch, struct ct_error *err)
{
    CT_TRY(ct_file_create(path, &watch->draft, err));
    int fd = dup(watch->draft.fd);
    watch->out = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!watch->out) {
        if (fd >= 0)
            close(fd);
        ct_file_discard(&watch->draft);
        watch->draft.path = NULL;
        return ct_fail(err, CT_EIO, "%s: %s", path, strerror(errno));
    }
    return ct_spans_file_begin(goals, names, n, watch->out, &watch->spans, err);
}

/* Each simulation has sums of its own. */
static enum ct_status begin_times(struct ct_calls_watch *watch, struct ct_error *err)
{
    watch->n_observed = ct_network_runs_observed(watch->n);
    watch->times = calloc(watch->n_observed, sizeof *watch->times);
    watch->observers = calloc(watch->n_observed, sizeof *watch->observers);
    if (!watch->times || !watch->observers)
        return ct_no_memory(err, "simulation");
    for (size_t i = 0; i < watch->n_observed; i++) {
        CT_TRY(ct_call_times_new(watch->goals, watch->n, &watch->times[i], err));
        watch->observers[i] = ct_call_times_observer(watch->times[i]);
    }
    return CT_OK;
}

enum ct_status ct_calls_begin(const struct ct_calls_settings *settings, const struct ct_goal *goals,
                              const char *const *names, size_t n, struct ct_calls_watch *watch_p,
                              struct ct_error *err)
{
    bool has_path = settings->path || settings->draw_path || settings->timeline;
    watch_p->goals = goals;
    watch_p->names = names;
    watch_p->n = n;
    CT_TRY(begin_times(watch_p, err));
    if (settings->timeline)
        CT_TRY(begin_timeline(settings->timeline, goals, names, n, watch_p, err));
    if (has_path)
        CT_TRY(ct_path_record_new(goals, n, &watch_p->record, err));
    if (watch_p->spans)
        watch_p->second.first = ct_spans_file_observer(watch_p->spans);
    if (watch_p->record)
        watch_p->second.second = ct_path_record_observer(watch_p->record);
    watch_p->pair.first = watch_p->observers[0];
    if (has_path)
        watch_p->pair.second = ct_observer_of_pair(&watch_p->second);
    watch_p->observers[0] = ct_observer_of_pair(&watch_p->pair);
    return CT_OK;
}

static enum ct_status find_paths(struct ct_calls_watch *watch, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    watch->paths = calloc(watch->n, sizeof *watch->paths);
    if (!watch->paths)
        return ct_no_memory(err, "critical path");
    for (size_t i = 0; i < watch->n && status == CT_OK; i++)
        status = ct_run_path_find(watch->record, i, &watch->paths[i], err);
    ct_path_record_free(watch->record);
    watch->record = NULL;
    return status;
}

static enum ct_status end_timeline(struct ct_calls_watch *watch, struct ct_error *err)
{
    for (uint32_t i = 0; i < watch->n; i++)
        ct_spans_file_path(watch->spans, i, &watch->paths[i]);
    struct ct_file draft = watch->draft;
    watch->draft.path = NULL;
    ct_spans_file_end(watch->spans);
    watch->spans = NULL;
    bool failed = ferror(watch->out) != 0;
    failed = fclose(watch->out) != 0 || failed;
    watch->out = NULL;
    if (!failed)
        return ct_file_commit(&draft, err);
    ct_fail(err, CT_EIO, "%s: %s", draft.path, strerror(errno));
    ct_file_discard(&draft);
    return CT_EIO;
}

enum ct_status ct_calls_end(const struct ct_calls_settings *settings, struct ct_calls_watch *watch,
                            struct ct_error *err)
{
    for (size_t i = 1; i < watch->n_observed; i++)
        ct_call_times_add(watch->times[0], watch->times[i]);
    CT_TRY(watch->record ? find_paths(watch, err) : CT_OK);
    if (watch->spans)
        CT_TRY(end_timeline(watch, err));
    if (settings->draw_path)
        CT_TRY(ct_run_paths_draw(watch->goals, watch->names, watch->paths, watch->n,
                                 settings->draw_path, err));
    return CT_OK;
}

void ct_calls_free(struct ct_calls_watch *watch)
{
    for (size_t i = 0; watch->paths && i < watch->n; i++)
        ct_run_path_free(&watch->paths[i]);
    free(watch->paths);
    ct_path_record_free(watch->record);
    for (size_t i = 0; watch->times && i < watch->n_observed; i++)
        ct_call_times_free(watch->times[i]);
    free(watch->times);
    free(watch->observers);
    ct_spans_file_end(watch->spans);
    if (watch->out)
        fclose(watch->out);
    if (watch->draft.path)
        ct_file_discard(&watch->draft);
    *watch = (struct ct_calls_watch){0};
}

/* ---- tables ---- */

/* Cells of the table of calls, or of that of calls by place. */
static void fill_row(const char *name, const struct ct_call_time *row, bool has_site,
                     struct ct_tables *tables)
{
    ct_tables_cell_text(tables, name);
    ct_tables_cell_text(tables, row->name);
    if (has_site)
        ct_tables_cell_text(tables, row->site ? row->site : "not known");
    CT_CELL_NUMBERS(tables, s_per_ns * row->part_ns[CT_TIME_STACK],
                    s_per_ns * row->part_ns[CT_TIME_SYNC], s_per_ns * row->part_ns[CT_TIME_NETWORK],
                    (double)row->count);
}

static void fill_calls(const struct ct_calls_watch *watch, bool by_site, struct ct_tables *tables)
{
    struct ct_call_time rows[CT_GOAL_CALLS_MAX];
    for (size_t i = 0; i < watch->n; i++) {
        size_t n_rows = ct_call_times_rows(watch->times[0], i, rows);
        if (!by_site)
            n_rows = ct_call_times_anywhere(rows, n_rows);
        for (size_t row = 0; row < n_rows; row++)
            fill_row(watch->names[i], &rows[row], by_site, tables);
    }
}

static void fill_all_calls(const struct ct_calls_watch *watch, struct ct_tables *tables)
{
    static const struct ct_column count = {"count", "calls", CT_UNIT_COUNT};
    ct_call_table_begin(tables, "calls", "Time in calls, all ranks together", false, count);
    fill_calls(watch, false, tables);
    if (!ct_call_rows_have_sites(watch->goals, watch->n))
        return;
    ct_call_table_begin(tables, "call_sites", "Time in calls by place in the program", true, count);
    fill_calls(watch, true, tables);
}

static void fill_course(const struct ct_call_times *times, const char *const *names, size_t n,
                        struct ct_tables *tables)
{
    static const struct ct_column columns[] = {{"name", "schedule", CT_UNIT_NONE},
                                               {"from_s", "from", CT_UNIT_SECONDS},
                                               {"to_s", "to", CT_UNIT_SECONDS},
                                               {"compute_frac", "compute", CT_UNIT_FRACTION},
                                               {"stack_frac", "stack", CT_UNIT_FRACTION},
                                               {"sync_frac", "synchronization", CT_UNIT_FRACTION},
                                               {"network_frac", "network", CT_UNIT_FRACTION}};
    CT_TABLES_BEGIN(tables, "course", "Where the time goes, since the begin of a pass", columns);
    for (size_t i = 0; i < n; i++) {
        const struct ct_time_course *course = ct_call_times_course(times, i);
        for (size_t step = 0; step < course->n; step++) {
            double sum_ns = 0;
            for (int part = 0; part < CT_TIME_PARTS; part++)
                sum_ns += course->part_ns[step][part];
            ct_tables_cell_text(tables, names[i]);
            CT_CELL_NUMBERS(tables, s_per_ns * course->step_ns * (double)step,
                            s_per_ns * course->step_ns * (double)(step + 1));
            for (int part = 0; part < CT_TIME_PARTS; part++)
                ct_tables_cell_number(tables,
                                      sum_ns > 0 ? course->part_ns[step][part] / sum_ns : 0);
        }
    }
}

enum ct_status ct_calls_fill(const struct ct_calls_settings *settings,
                             const struct ct_calls_watch *watch, struct ct_tables *tables,
                             struct ct_error *err)
{
    enum ct_status status = CT_OK;
    fill_all_calls(watch, tables);
    if (settings->path)
        status = ct_run_paths_fill(watch->goals, watch->names, watch->paths, watch->n, tables, err);
    if (settings->course)
        fill_course(watch->times[0], watch->names, watch->n, tables);
    return status;
}

/* ---- the picture ---- */

/* The picture has room for 24 characters a row: of the name of the program, and of the network. */
enum { NETWORKS_MAX = 3, SHORT_MAX = 12, ROW_NAME_MAX = 64 };

struct bars {
    double *values;
    char (*names)[ROW_NAME_MAX];
    const char **rows;
    size_t n;
};

/* What bars are made of. */
struct bar {
    size_t program;
    int network;
    bool is_known; /* the shares are set */
    struct ct_time_shares shares;
    enum ct_status status;
    struct ct_error err;
};

/* Those that are simulated, shared by threads. */
struct work {
    const struct ct_engine_request *request;
    struct bar *bars;
};

static void free_bars(struct bars *bars)
{
    free(bars->values);
    free(bars->names);
    free(bars->rows);
}

/* The file of a path, or what a generated program is without its keys; and the network. */
static void print_name(const char *program, const char *network, char name[ROW_NAME_MAX])
{
    size_t length = strlen(program);
    while (length > 1 && program[length - 1] == '/')
        length--;
    size_t first = length;
    while (first > 0 && program[first - 1] != '/')
        first--;
    size_t end = first + strcspn(program + first, ",");
    length = (end < length ? end : length) - first;
    bool is_cut = length > SHORT_MAX;
    snprintf(name, ROW_NAME_MAX, "%.*s%s %s", is_cut ? SHORT_MAX - 1 : (int)length, program + first,
             is_cut ? "…" : "", network);
}

/* One program alone on one network. */
static enum ct_status run_alone(const struct ct_engine_request *request, size_t program,
                                int network, struct ct_time_shares *shares_p, struct ct_error *err)
{
    struct ct_engine_request alone = *request;
    struct ct_engine_settings settings = *request->settings;
    struct ct_engine_answer answer;
    settings.network = network;
    alone.settings = &settings;
    alone.goals = &request->goals[program];
    alone.first = program;
    alone.n = 1;
    alone.threads = 1; /* bars have them */
    alone.observers = NULL;
    alone.is_bare = true;
    CT_TRY(ct_engine_find(&alone, &answer, err));
    *shares_p = ct_rank_times_sum(answer.times, 0);
    ct_engine_answer_free(&answer);
    return CT_OK;
}

/* Without a network there are no parameters of one. */
static bool is_drawn(int asked, int network)
{
    return network == asked || asked != CT_NETWORK_NONE;
}

static void run_bar(void *data, size_t i)
{
    const struct work *work = data;
    struct bar *bar = &work->bars[i];
    if (!bar->is_known)
        bar->status = run_alone(work->request, bar->program, bar->network, &bar->shares, &bar->err);
}

static size_t list_bars(const struct ct_engine_request *request,
                        const struct ct_engine_answer *answer, struct bar *list)
{
    int asked = request->settings->network;
    const int networks[NETWORKS_MAX] = {asked, CT_NETWORK_ALPHA_BETA, CT_NETWORK_NONE};
    size_t n = 0;
    for (size_t i = 0; i < request->n; i++)
        for (size_t k = 0; k < NETWORKS_MAX; k++) {
            if ((k > 0 && networks[k] == asked) || !is_drawn(asked, networks[k]))
                continue;
            struct bar *bar = &list[n++];
            *bar = (struct bar){.program = i, .network = networks[k]};
            bar->is_known = k == 0 && request->n == 1;
            if (bar->is_known)
                bar->shares = ct_rank_times_sum(answer->times, 0);
        }
    return n;
}

static enum ct_status make_bars(const struct ct_engine_request *request,
                                const struct ct_engine_answer *answer, const char *const *names,
                                struct bars *bars, struct ct_error *err)
{
    struct bar *list = calloc(request->n * NETWORKS_MAX, sizeof *list);
    if (!list)
        return ct_no_memory(err, "figure");
    struct work work = {request, list};
    enum ct_status status = CT_OK;
    size_t n = list_bars(request, answer, list);
    ct_parallel_run(n, request->threads, run_bar, &work);
    for (size_t i = 0; i < n && status == CT_OK; i++) {
        const struct bar *bar = &list[i];
        status = bar->status;
        if (status != CT_OK) {
            if (err)
                *err = bar->err;
            break;
        }
        for (int part = 0; part < CT_TIME_PARTS; part++)
            bars->values[i * CT_TIME_PARTS + (size_t)part] =
                s_per_ns * bar->shares.part_ns[part] / request->goals[bar->program].n_ranks;
        print_name(names[bar->program], ct_simulate_network_names[bar->network], bars->names[i]);
        bars->rows[i] = bars->names[i];
        bars->n++;
    }
    free(list);
    return status;
}

/* A unit in which the times are not all below 1. */
struct scale {
    const char *label;
    double per_s;
};

static struct scale scale_of(struct bars *bars)
{
    static const struct scale scales[] = {{"time (s)", 1}, {"time (ms)", 1e3}, {"time (us)", 1e6}};
    enum { SCALES = sizeof scales / sizeof *scales };
    double largest_s = 0;
    for (size_t i = 0; i < bars->n * CT_TIME_PARTS; i++)
        largest_s = bars->values[i] > largest_s ? bars->values[i] : largest_s;
    size_t chosen = 0;
    while (chosen + 1 < SCALES && largest_s * scales[chosen].per_s < 1)
        chosen++;
    for (size_t i = 0; i < bars->n * CT_TIME_PARTS; i++)
        bars->values[i] *= scales[chosen].per_s;
    return scales[chosen];
}

enum ct_status ct_calls_draw(const struct ct_calls_settings *settings,
                             const struct ct_engine_request *request,
                             const struct ct_engine_answer *answer, const char *const *names,
                             struct ct_error *err)
{
    size_t most = request->n * NETWORKS_MAX;
    struct bars bars = {.values = calloc(most * CT_TIME_PARTS, sizeof *bars.values),
                        .names = calloc(most, sizeof *bars.names),
                        .rows = calloc(most, sizeof *bars.rows)};
    enum ct_status status = CT_OK;
    if (!bars.values || !bars.names || !bars.rows)
        status = ct_no_memory(err, "figure");
    if (status == CT_OK)
        status = make_bars(request, answer, names, &bars, err);
    const struct scale scale = status == CT_OK ? scale_of(&bars) : (struct scale){"", 1};
    const struct ct_stacked stacked = {.title = "Where the time goes, mean of the ranks",
                                       .x_label = scale.label,
                                       .rows = bars.rows,
                                       .n_rows = bars.n,
                                       .parts = ct_time_part_titles,
                                       .colours = ct_time_part_colours,
                                       .n_parts = CT_TIME_PARTS,
                                       .values = bars.values};
    if (status == CT_OK)
        status = ct_stacked_write(&stacked, settings->breakdown, err);
    free_bars(&bars);
    return status;
}
