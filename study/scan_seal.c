#include "study/scan_seal.h"

#include "core/array.h"
#include "core/distribution.h"
#include "core/file.h"
#include "core/units.h"
#include "model/queue/queue.h"
#include "predict/conformal.h"
#include "study/constants.h"
#include "study/scan_workloads.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VERSION = 1, N_PREDICTED = CT_SCAN_MEDIAN + 1 };

static const char *const model_names[] = {
#define MODEL_NAME(name, text) [CT_SCAN_BY_##name] = (text),
    CT_SCAN_MODEL_MAP(MODEL_NAME)
#undef MODEL_NAME
};

static bool is_same_case(const struct ct_scan_case *a, const struct ct_scan_case *b)
{
    return a->canary == b->canary && ct_scan_setting_same(&a->setting, &b->setting);
}

/* ---- rounds one by one ---- */

/* The scan with all its rounds hidden: each can be shown alone. */
struct view {
    struct ct_scan scan; /* borrowed but for its rounds */
    size_t *numbers;     /* [n] rounds beside congestors */
    size_t n;
};

static enum ct_status make_view(const struct ct_scan *scan, struct view *view, struct ct_error *err)
{
    *view = (struct view){.scan = *scan};
    view->scan.rounds = calloc(scan->n_rounds + 1, sizeof *view->scan.rounds);
    view->numbers = calloc(scan->n_rounds + 1, sizeof *view->numbers);
    if (!view->scan.rounds || !view->numbers)
        return ct_no_memory(err, "rounds");
    for (size_t r = 0; r < scan->n_rounds; r++) {
        view->scan.rounds[r] = scan->rounds[r];
        view->scan.rounds[r].is_survey = true;
        if (!scan->rounds[r].is_survey)
            view->numbers[view->n++] = r;
    }
    return CT_OK;
}

static void free_view(struct view *view)
{
    free(view->scan.rounds);
    free(view->numbers);
}

/* The factors of a case in one round. @param row_p  [out] n_rounds 0: it has none */
static enum ct_status show_round(struct view *view, size_t index,
                                 const struct ct_scan_case *scan_case, struct ct_scan_row *row_p,
                                 struct ct_error *err)
{
    struct ct_scan_round *round = &view->scan.rounds[view->numbers[index]];
    round->is_survey = false;
    enum ct_status status = ct_scan_row_make(&view->scan, scan_case, -1, row_p, err);
    round->is_survey = true;
    return status;
}

/* ---- repeat ---- */

/* Logarithms of the factors of a case over rounds. */
struct logs {
    double sum[N_PREDICTED], squares[N_PREDICTED]; /* squares of differences from the mean */
    size_t n;
};

static enum ct_status take_logs(struct view *view, const struct ct_scan_case *scan_case,
                                struct logs *logs, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    double sum_2[N_PREDICTED] = {0};
    *logs = (struct logs){.n = 0};
    for (size_t i = 0; i < view->n && status == CT_OK; i++) {
        struct ct_scan_row row;
        status = show_round(view, i, scan_case, &row, err);
        if (status != CT_OK || row.n_rounds == 0)
            continue;
        for (int s = 0; s < N_PREDICTED; s++) {
            double value = log(row.at[s].value);
            logs->sum[s] += value;
            sum_2[s] += value * value;
        }
        logs->n++;
    }
    for (int s = 0; s < N_PREDICTED && logs->n > 0; s++)
        logs->squares[s] = fmax(0, sum_2[s] - logs->sum[s] * logs->sum[s] / (double)logs->n);
    return status;
}

/* The file has six digits, which must not make intervals narrower: in a simulation rounds may be
 * equal. */
static const double rounding = 1e-5;

static enum ct_status add_item(struct ct_scan_seal *seal, const struct ct_scan_prediction *item,
                               struct ct_error *err)
{
    if (!(item->interval.lo >= 0) || !isfinite(item->interval.hi))
        return CT_OK;
    if (!CT_ARRAY_RESIZE(seal->items, seal->n + 1))
        return ct_no_memory(err, "predictions");
    seal->items[seal->n] = *item;
    seal->items[seal->n].interval.lo *= 1 - rounding;
    seal->items[seal->n++].interval.hi *= 1 + rounding;
    return CT_OK;
}

/* @param logs  [in] of each case */
static enum ct_status add_repeats(const struct ct_scan *scan, const struct logs *logs,
                                  enum ct_scan_canary canary, struct ct_scan_seal *seal,
                                  struct ct_error *err)
{
    enum ct_status status = CT_OK;
    double squares[N_PREDICTED] = {0};
    size_t df = 0;
    for (size_t c = 0; c < scan->n_cases; c++) {
        if (scan->cases[c].canary != canary || logs[c].n == 0)
            continue;
        df += logs[c].n - 1;
        for (int s = 0; s < N_PREDICTED; s++)
            squares[s] += logs[c].squares[s];
    }
    for (size_t c = 0; c < scan->n_cases && df > 0; c++) {
        double n = (double)logs[c].n;
        if (scan->cases[c].canary != canary || logs[c].n == 0)
            continue;
        for (int s = 0; s < N_PREDICTED && status == CT_OK; s++) {
            double mean = logs[c].sum[s] / n;
            double half = ct_student_half_width(seal->level, df) *
                          sqrt(squares[s] / (double)df * (1 + 1 / n));
            const struct ct_scan_prediction item = {
                .scan_case = scan->cases[c],
                .statistic = (enum ct_scan_statistic)s,
                .value = exp(mean),
                .interval = {exp(mean - half), exp(mean + half)}};
            status = add_item(seal, &item, err);
        }
    }
    return status;
}

/* ---- models that have not seen the cell ---- */

/* Of the mean beside the steady congestor; NULL: it was not predicted. */
static const struct ct_scan_prediction *find_steady(const struct ct_scan_seal *seal,
                                                    const struct ct_scan_case *scan_case)
{
    const struct ct_scan_case steady = {
        scan_case->canary, {.congestor = scan_case->setting.congestor, .intensity = 1}};
    for (size_t i = 0; i < seal->n; i++)
        if (seal->items[i].model == CT_SCAN_BY_REPEAT && seal->items[i].statistic == CT_SCAN_MEAN &&
            is_same_case(&seal->items[i].scan_case, &steady))
            return &seal->items[i];
    return NULL;
}

/* The idle network as the latency canary saw it in all rounds. */
struct idle {
    struct ct_queue_service service;
    double mean_s;
};

/* @param idle_p  [out] mean_s NaN: there are no such times */
static enum ct_status find_idle(const struct ct_scan *scan, struct idle *idle_p,
                                struct ct_error *err)
{
    struct ct_summary summary;
    size_t n = 0;
    *idle_p = (struct idle){.mean_s = NAN};
    for (size_t c = 0; c < scan->n_cells; c++)
        n += scan->cells[c].n_samples;
    double *times = malloc((n + 1) * sizeof *times);
    if (!times)
        return ct_no_memory(err, "idle latencies");
    n = 0;
    for (size_t c = 0; c < scan->n_cells; c++) {
        const struct ct_scan_cell *cell = &scan->cells[c];
        if (scan->rounds[cell->round].is_survey || cell->canary != CT_SCAN_LATENCY ||
            cell->path_class != -1 || cell->setting.congestor != CT_SCAN_WITH_NONE ||
            cell->n_samples == 0)
            continue;
        memcpy(times + n, cell->samples_s, cell->n_samples * sizeof *times);
        n += cell->n_samples;
    }
    if (ct_queue_service_of((struct ct_series){.x = times, .n = n}, &idle_p->service, NULL) ==
            CT_OK &&
        ct_stats_summarize(times, n, &summary) == CT_OK)
        idle_p->mean_s = summary.mean;
    free(times);
    return CT_OK;
}

static double queue_factor(const struct idle *idle, double steady, double intensity)
{
    double alone = ct_queue_utilization(&idle->service, idle->mean_s);
    double full = ct_queue_utilization(&idle->service, idle->mean_s * steady);
    return ct_queue_mean_latency(&idle->service, alone + intensity * (full - alone)) / idle->mean_s;
}

static double burst_factor(const struct ct_scan_setting *setting, double steady)
{
    double share = setting->burst_s / (setting->burst_s + setting->pause_s);
    return 1 / (1 - share + share / steady);
}

static enum ct_status add_model(const struct ct_scan_case *scan_case, const struct idle *idle,
                                struct ct_scan_seal *seal, struct ct_error *err)
{
    const struct ct_scan_setting *setting = &scan_case->setting;
    const struct ct_scan_prediction *steady = find_steady(seal, scan_case);
    struct ct_scan_prediction item = {.scan_case = *scan_case, .statistic = CT_SCAN_MEAN};
    bool is_burst = setting->burst_s > 0 && setting->intensity >= 1;
    bool is_less = setting->intensity < 1 && !(setting->burst_s > 0) &&
                   scan_case->canary == CT_SCAN_LATENCY && idle->mean_s > 0;
    double values[3];
    if (!steady || (!is_burst && !is_less))
        return CT_OK;
    const double given[3] = {steady->value, steady->interval.lo, steady->interval.hi};
    for (size_t i = 0; i < 3; i++)
        values[i] = is_burst ? burst_factor(setting, given[i])
                             : queue_factor(idle, given[i], setting->intensity);
    item.model = is_burst ? CT_SCAN_BY_BURSTS : CT_SCAN_BY_QUEUE;
    item.value = values[0];
    item.interval = (struct ct_interval){values[1], values[2]};
    return add_item(seal, &item, err);
}

/* ---- making ---- */

static enum ct_status predict_all(struct view *view, struct ct_scan_seal *seal,
                                  struct ct_error *err)
{
    const struct ct_scan *scan = &view->scan;
    struct logs *logs = calloc(scan->n_cases + 1, sizeof *logs);
    enum ct_status status = logs ? CT_OK : ct_no_memory(err, "predictions");
    for (size_t c = 0; c < scan->n_cases && status == CT_OK; c++)
        status = take_logs(view, &scan->cases[c], &logs[c], err);
    for (int canary = 0; canary < CT_N_SCAN_MEASURED && status == CT_OK; canary++)
        status = add_repeats(scan, logs, (enum ct_scan_canary)canary, seal, err);
    free(logs);
    return status;
}

static enum ct_status add_workloads(const char *dir, const struct ct_scan *scan,
                                    struct ct_scan_seal *seal, struct ct_error *err)
{
    struct ct_scan_workload_factor *factors = NULL;
    size_t n = 0;
    enum ct_status status = ct_scan_workloads_predict(dir, scan, seal->level, &factors, &n, err);
    for (size_t i = 0; i < n && status == CT_OK; i++) {
        const struct ct_scan_prediction item = {.model = CT_SCAN_BY_PROBE,
                                                .scan_case = factors[i].scan_case,
                                                .statistic = CT_SCAN_MEAN,
                                                .value = factors[i].value,
                                                .interval = factors[i].interval};
        status = add_item(seal, &item, err);
    }
    free(factors);
    return status;
}

static enum ct_status predict_scan(const char *dir, const struct ct_scan *scan,
                                   struct ct_scan_seal *seal, struct ct_error *err)
{
    struct view view;
    struct idle idle;
    enum ct_status status = make_view(scan, &view, err);
    seal->n_made_of = view.n;
    if (status == CT_OK && view.n < CT_SCAN_SEAL_ROUNDS)
        status = ct_fail(err, CT_ENODATA,
                         "%zu rounds beside congestors: predictions need %d; give more --time",
                         view.n, CT_SCAN_SEAL_ROUNDS);
    if (status == CT_OK)
        status = predict_all(&view, seal, err);
    if (status == CT_OK)
        status = find_idle(scan, &idle, err);
    for (size_t c = 0; c < scan->n_cases && status == CT_OK; c++)
        status = add_model(&scan->cases[c], &idle, seal, err);
    if (status == CT_OK)
        status = add_workloads(dir, scan, seal, err);
    free_view(&view);
    if (status == CT_OK && seal->n == 0)
        status = ct_fail(err, CT_ENODATA,
                         "nothing can be predicted: no cell was measured in two rounds");
    return status;
}

void ct_scan_prediction_format(const struct ct_scan_prediction *item, char text[CT_SCAN_SEAL_LINE])
{
    char cell[CT_SCAN_TEXT_MAX];
    ct_scan_case_format(&item->scan_case, cell);
    snprintf(text, CT_SCAN_SEAL_LINE, "%s %s %s", model_names[item->model], cell,
             ct_scan_statistic_keys[item->statistic]);
}

static void format_line(const struct ct_scan_prediction *item, char line[CT_SCAN_SEAL_LINE])
{
    char what[CT_SCAN_SEAL_LINE];
    ct_scan_prediction_format(item, what);
    snprintf(line, CT_SCAN_SEAL_LINE, "%.140s %.6g %.6g %.6g", what, item->value, item->interval.lo,
             item->interval.hi);
}

static void format_head(size_t n_made_of, double level, char line[CT_SCAN_SEAL_LINE])
{
    snprintf(line, CT_SCAN_SEAL_LINE, "sealed %d rounds %zu level %.6g", VERSION, n_made_of, level);
}

static enum ct_status write_seal(FILE *out, const void *data, struct ct_error *err)
{
    const struct ct_scan_seal *seal = data;
    char line[CT_SCAN_SEAL_LINE];
    (void)err;
    format_head(seal->n_made_of, seal->level, line);
    fprintf(out, "%s\n", line);
    for (size_t i = 0; i < seal->n; i++) {
        format_line(&seal->items[i], line);
        fprintf(out, "%s\n", line);
    }
    return CT_OK;
}

static enum ct_status name_file(const char *dir, char path[PATH_MAX], struct ct_error *err)
{
    if ((size_t)snprintf(path, PATH_MAX, "%s/%s", dir, CT_SCAN_SEAL_FILE) >= PATH_MAX)
        return ct_fail(err, CT_EIO, "path is too long: %s", dir);
    return CT_OK;
}

enum ct_status ct_scan_seal_make(const char *dir, const struct ct_scan *scan, struct ct_error *err)
{
    char path[PATH_MAX];
    struct ct_scan_seal seal = {.level = ct_study_constant(CT_STUDY_SCAN_SEALED)};
    enum ct_status status = name_file(dir, path, err);
    if (status == CT_OK && access(path, F_OK) == 0)
        status =
            ct_fail(err, CT_EEXIST, "%s is there: sealed predictions are not overwritten", path);
    if (status == CT_OK)
        status = predict_scan(dir, scan, &seal, err);
    if (status == CT_OK)
        status = ct_file_make(path, write_seal, &seal, err);
    ct_scan_seal_free(&seal);
    return status;
}

/* ---- reading ---- */

enum { WORDS_MAX = 6 };

/* @param copy  [in,out] a line; its blanks become ends. @return how many words; more are one more
 */
static size_t split_line(char copy[CT_SCAN_SEAL_LINE], char *words[WORDS_MAX])
{
    size_t n = 0;
    char *rest = NULL;
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        if (n == WORDS_MAX)
            return n + 1;
        words[n++] = word;
    }
    return n;
}

static bool read_head(const char *line, size_t *n_made_of_p, double *level_p)
{
    uint64_t n_made_of;
    char copy[CT_SCAN_SEAL_LINE], again[CT_SCAN_SEAL_LINE], *words[WORDS_MAX];
    snprintf(copy, sizeof copy, "%s", line);
    if (split_line(copy, words) != 6 || ct_parse_u64(words[3], &n_made_of, NULL) != CT_OK ||
        ct_parse_double(words[5], level_p, NULL) != CT_OK)
        return false;
    *n_made_of_p = n_made_of;
    format_head(n_made_of, *level_p, again);
    return strcmp(line, again) == 0 && *level_p > 0 && *level_p < 1 &&
           n_made_of >= CT_SCAN_SEAL_ROUNDS;
}

/* Number of a word in a list of n; n: it is not there. */
static int find_word(const char *word, const char *const *list, int n)
{
    int i = 0;
    while (i < n && strcmp(word, list[i]) != 0)
        i++;
    return i;
}

static bool read_line(const char *line, struct ct_scan_prediction *item_p)
{
    struct ct_scan_prediction item = {.measured = NAN};
    char copy[CT_SCAN_SEAL_LINE], again[CT_SCAN_SEAL_LINE], *words[WORDS_MAX];
    snprintf(copy, sizeof copy, "%s", line);
    if (split_line(copy, words) != 6 ||
        ct_scan_case_parse(words[1], &item.scan_case, NULL) != CT_OK ||
        ct_parse_double(words[3], &item.value, NULL) != CT_OK ||
        ct_parse_double(words[4], &item.interval.lo, NULL) != CT_OK ||
        ct_parse_double(words[5], &item.interval.hi, NULL) != CT_OK)
        return false;
    int model = find_word(words[0], model_names, CT_N_SCAN_MODELS);
    int statistic = find_word(words[2], ct_scan_statistic_keys, CT_N_SCAN_STATISTICS);
    if (model == CT_N_SCAN_MODELS || statistic == CT_N_SCAN_STATISTICS || !(item.value > 0) ||
        !(item.interval.lo >= 0 && item.interval.hi >= item.interval.lo))
        return false;
    item.model = (enum ct_scan_model)model;
    item.statistic = (enum ct_scan_statistic)statistic;
    format_line(&item, again);
    *item_p = item;
    return strcmp(line, again) == 0; /* not a character more than it says */
}

bool ct_scan_seal_is_line(const char *line)
{
    struct ct_scan_prediction item;
    size_t n_made_of;
    double level;
    return read_head(line, &n_made_of, &level) || read_line(line, &item);
}

/* @param at  [in,out] the next line */
static bool take_line(const char **at, char line[CT_SCAN_SEAL_LINE])
{
    size_t length = strcspn(*at, "\n");
    if (length >= CT_SCAN_SEAL_LINE || (*at)[length] != '\n')
        return false;
    memcpy(line, *at, length);
    line[length] = '\0';
    *at += length + 1;
    return true;
}

enum ct_status ct_scan_seal_parse(const char *text, const char *source, struct ct_scan_seal *seal_p,
                                  struct ct_error *err)
{
    struct ct_scan_seal seal = {.text = strdup(text)};
    enum ct_status status = seal.text ? CT_OK : ct_no_memory(err, "%s", source);
    char line[CT_SCAN_SEAL_LINE];
    const char *at = text;
    size_t room = 0;
    if (status == CT_OK && !(take_line(&at, line) && read_head(line, &seal.n_made_of, &seal.level)))
        status =
            ct_fail(err, CT_EFORMAT, "%s: no sealed predictions of version %d", source, VERSION);
    while (status == CT_OK && *at) {
        if (!CT_ARRAY_RESERVE(seal.items, room, seal.n + 1))
            status = ct_no_memory(err, "%s", source);
        else if (!take_line(&at, line) || !read_line(line, &seal.items[seal.n]))
            status = ct_fail(err, CT_EFORMAT, "%s: sealed predictions: line %zu is damaged", source,
                             seal.n + 2);
        else
            seal.n++;
    }
    ct_sha256(text, strlen(text), seal.digest);
    if (status == CT_OK)
        *seal_p = seal;
    else
        ct_scan_seal_free(&seal);
    return status;
}

/* ---- judging ---- */

/* All predictions of the case of the first one, since a cell takes long to reduce. */
static enum ct_status judge_case(struct view *view, struct ct_scan_seal *seal, size_t first,
                                 struct ct_error *err)
{
    const struct ct_scan_case scan_case = seal->items[first].scan_case;
    enum ct_status status = CT_OK;
    for (size_t r = seal->n_made_of; r < view->n && status == CT_OK; r++) {
        struct ct_scan_row row;
        status = show_round(view, r, &scan_case, &row, err);
        for (size_t i = first; i < seal->n && status == CT_OK && row.n_rounds > 0; i++) {
            struct ct_scan_prediction *item = &seal->items[i];
            if (!is_same_case(&item->scan_case, &scan_case))
                continue;
            double value = row.at[item->statistic].value, n = (double)item->n_rounds++;
            item->n_inside += item->interval.lo <= value && value <= item->interval.hi;
            item->measured = n > 0 ? exp((n * log(item->measured) + log(value)) / (n + 1)) : value;
        }
    }
    return status;
}

static enum ct_status judge_all(struct view *view, struct ct_scan_seal *seal, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < seal->n && status == CT_OK; i++) {
        bool is_judged = false;
        for (size_t k = 0; k < i && !is_judged; k++)
            is_judged = is_same_case(&seal->items[k].scan_case, &seal->items[i].scan_case);
        if (!is_judged)
            status = judge_case(view, seal, i, err);
    }
    return status;
}

enum ct_status ct_scan_seal_judge(const char *dir, const struct ct_scan *scan,
                                  struct ct_scan_seal *seal_p, struct ct_error *err)
{
    char path[PATH_MAX];
    struct ct_text file = {0};
    struct ct_scan_seal seal = {0};
    struct view view = {0};
    enum ct_status status = name_file(dir, path, err);
    if (status == CT_OK)
        status = ct_file_read(path, &file, err);
    if (status == CT_ENOENT) {
        *seal_p = seal;
        return CT_OK;
    }
    if (status == CT_OK)
        status = ct_scan_seal_parse(file.text, path, &seal, err);
    free(file.text);
    if (status == CT_OK)
        status = make_view(scan, &view, err);
    if (status == CT_OK)
        status = judge_all(&view, &seal, err);
    free_view(&view);
    if (status == CT_OK)
        *seal_p = seal;
    else
        ct_scan_seal_free(&seal);
    return status;
}

bool ct_scan_prediction_is_hit(const struct ct_scan_prediction *item)
{
    return item->interval.lo <= item->measured && item->measured <= item->interval.hi;
}

static void say_model(const struct ct_scan_seal *seal, enum ct_scan_model model,
                      struct ct_argv *words)
{
    size_t n = 0, n_hits = 0, n_rounds = 0, n_inside = 0;
    for (size_t i = 0; i < seal->n; i++) {
        const struct ct_scan_prediction *item = &seal->items[i];
        if (item->model != model || item->n_rounds == 0)
            continue;
        n++;
        n_hits += ct_scan_prediction_is_hit(item);
        n_rounds += item->n_rounds;
        n_inside += item->n_inside;
    }
    if (n > 0)
        ct_argv_add(words,
                    "Sealed by %s: %zu of %zu predictions hit; %zu of %zu single rounds are in "
                    "their intervals, of which %g %% should be.",
                    model_names[model], n_hits, n, n_inside, n_rounds, 100 * seal->level);
}

/* A workload was measured, and nothing tells how far the model is off. */
static bool lacks_workloads(const struct ct_scan_seal *seal)
{
    bool is_measured = false, is_predicted = false;
    for (size_t i = 0; i < seal->n; i++) {
        is_measured |= ct_scan_is_workload(seal->items[i].scan_case.canary);
        is_predicted |= seal->items[i].model == CT_SCAN_BY_PROBE;
    }
    return is_measured && !is_predicted;
}

void ct_scan_seal_words(const struct ct_scan_seal *seal, struct ct_argv *words)
{
    size_t n_before = words->n;
    for (int model = 0; model < CT_N_SCAN_MODELS; model++)
        say_model(seal, (enum ct_scan_model)model, words);
    if (words->n == n_before)
        ct_argv_add(words,
                    "%zu predictions are sealed, and no round was made since that judges "
                    "them.",
                    seal->n);
    if (lacks_workloads(seal))
        ct_argv_add(words,
                    "No workload is predicted beside a congestor: its times beside %zu loads of "
                    "known amount are needed, in the first %zu rounds.",
                    ct_conformal_least(seal->level), seal->n_made_of);
    if (seal->is_broken)
        ct_argv_add(words, "The seal is broken: its digest is not that of the predictions, which "
                           "were changed afterwards.");
}

void ct_scan_seal_free(struct ct_scan_seal *seal)
{
    free(seal->text);
    free(seal->items);
    *seal = (struct ct_scan_seal){0};
}
