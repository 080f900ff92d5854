#include "study/scan_answers.h"

#include "core/array.h"
#include "study/pair_runtime.h"
#include "study/parameters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Which values of the factors: these, and the ends of their intervals. */
enum factor_end { FACTOR_VALUE, FACTOR_LOW, FACTOR_HIGH, N_FACTOR_ENDS };

struct work {
    const struct ct_scan *scan;
    const struct ct_scan_sheet *sheet;
    size_t window_bytes; /* of the bandwidth canary */
    size_t S_bytes;
};

static const struct ct_scan_setting alone = {.congestor = CT_SCAN_WITH_NONE, .intensity = 1};

/* ---- L and G ---- */

static double at_end(const struct ct_scan_factor *factor, enum factor_end end)
{
    return end == FACTOR_VALUE ? factor->value
           : end == FACTOR_LOW ? factor->interval.lo
                               : factor->interval.hi;
}

/* Of a class, else of all pairs; NULL: neither was measured. */
static const struct ct_scan_row *find_row(const struct work *work, enum ct_scan_canary canary,
                                          const struct ct_scan_setting *setting, int path_class)
{
    const struct ct_scan_case scan_case = {canary, *setting};
    const struct ct_scan_row *row =
        path_class > 0 ? ct_scan_sheet_find(work->sheet, &scan_case, path_class) : NULL;
    return row ? row : ct_scan_sheet_find(work->sheet, &scan_case, -1);
}

/* Time of a canary beside a congestor, s. */
static double time_of(const struct work *work, enum ct_scan_canary canary,
                      const struct ct_scan_setting *setting, int path_class, enum factor_end end)
{
    const struct ct_scan_row *beside = find_row(work, canary, setting, path_class);
    const struct ct_scan_row *row = find_row(work, canary, &alone, path_class);
    bool is_alone = setting->congestor == CT_SCAN_WITH_NONE; /* times, not factors */
    return row->at[CT_SCAN_MEAN].value * (is_alone ? 1 : at_end(&beside->at[CT_SCAN_MEAN], end));
}

static struct ct_loggps costs_of(const struct work *work, const struct ct_scan_setting *setting,
                                 int path_class, enum factor_end end)
{
    double latency_s = time_of(work, CT_SCAN_LATENCY, setting, path_class, end);
    double window_s = time_of(work, CT_SCAN_BANDWIDTH, setting, path_class, end);
    double G_s = fmax(0, window_s - latency_s) / (double)work->window_bytes;
    return (struct ct_loggps){.L_ns = ct_ns_from_s(latency_s), .G_ns_per_byte = ct_ns_from_s(G_s)};
}

static bool has_both(const struct work *work, const struct ct_scan_setting *setting)
{
    return find_row(work, CT_SCAN_LATENCY, setting, -1) &&
           find_row(work, CT_SCAN_BANDWIDTH, setting, -1);
}

/* ---- T ---- */

/* Nodes of an application: those of the scan, spread. */
static size_t node_of(const struct ct_scan *scan, const struct ct_pairs *pairs, uint32_t place)
{
    return (size_t)place * scan->n_nodes / pairs->n_places;
}

/* Classes are path classes, and one inside nodes; those of the least path. */
static enum ct_status make_pairs(const struct work *work, const struct ct_scan_program *program,
                                 struct ct_pairs *pairs_p, struct ct_error *err)
{
    const struct ct_scan *scan = work->scan;
    uint32_t n = (program->goal->n_ranks - 1) / program->ranks_per_node + 1;
    if (n > scan->n_nodes)
        return ct_fail(err, CT_EUSAGE,
                       "--applications: %s: %u ranks, %u on a node, and the scan has %zu nodes; "
                       "give --ranks-per-node %zu, or more",
                       program->name, program->goal->n_ranks, program->ranks_per_node,
                       scan->n_nodes, (program->goal->n_ranks - 1) / scan->n_nodes + 1);
    if (n > CT_PAIRS_PLACES_MAX)
        return ct_fail(err, CT_EUNSUPPORTED,
                       "--applications: %s: %u nodes; at most %d have L and G by pair",
                       program->name, n, CT_PAIRS_PLACES_MAX);
    struct ct_pairs pairs = {.n_places = n,
                             .ranks_per_place = program->ranks_per_node,
                             .class_of = calloc((size_t)n * n, sizeof *pairs.class_of)};
    int most = 0;
    if (!pairs.class_of)
        return ct_no_memory(err, "applications");
    for (uint32_t from = 0; from < n; from++)
        for (uint32_t to = 0; to < n; to++) {
            int class = scan->path_class[node_of(scan, &pairs, from) * scan->n_nodes +
                                         node_of(scan, &pairs, to)];
            pairs.class_of[(size_t)from * n + to] = from == to ? 0 : (uint32_t) class + 1;
            most = class > most ? class : most;
        }
    pairs.n_classes = (uint32_t)most + 2;
    pairs.classes = calloc(pairs.n_classes, sizeof *pairs.classes);
    if (!pairs.classes) {
        ct_pairs_free(&pairs);
        return ct_no_memory(err, "applications");
    }
    *pairs_p = pairs;
    return CT_OK;
}

static void set_costs(const struct work *work, const struct ct_scan_setting *setting,
                      enum factor_end end, struct ct_pairs *pairs)
{
    pairs->classes[0] = costs_of(work, &alone, 1, FACTOR_VALUE);
    for (uint32_t i = 1; i < pairs->n_classes; i++)
        pairs->classes[i] = costs_of(work, setting, (int)i - 1, end);
}

/* An application while its times are computed. */
struct program_work {
    const struct work *work;
    struct ct_graph graph;
    struct ct_pairs pairs;
    double alone_ns;
};

static enum ct_status find_time(struct program_work *program, const struct ct_scan_setting *setting,
                                enum factor_end end, double *time_ns_p, struct ct_error *err)
{
    set_costs(program->work, setting, end, &program->pairs);
    return ct_pair_runtime(&program->graph, &program->pairs, time_ns_p, err);
}

static enum ct_status answer_setting(struct program_work *program, struct ct_scan_answer *answer,
                                     struct ct_error *err)
{
    double more[N_FACTOR_ENDS];
    if (!has_both(program->work, &answer->setting)) {
        snprintf(answer->why, sizeof answer->why, "latency and bandwidth were not both measured");
        return CT_OK;
    }
    for (int end = 0; end < N_FACTOR_ENDS; end++) {
        double time_ns = NAN;
        enum ct_status status =
            find_time(program, &answer->setting, (enum factor_end)end, &time_ns, err);
        if (status != CT_OK)
            return status;
        more[end] = time_ns / program->alone_ns - 1;
    }
    answer->slowdown_frac = more[FACTOR_VALUE];
    answer->interval = (struct ct_interval){more[FACTOR_LOW], more[FACTOR_HIGH]};
    return CT_OK;
}

/* ---- all ---- */

static bool is_first_of_setting(const struct ct_scan_sheet *sheet, size_t row)
{
    const struct ct_scan_case *scan_case = &sheet->rows[row].scan_case;
    bool is_first =
        scan_case->setting.congestor != CT_SCAN_WITH_NONE && ct_scan_has_pairs(scan_case->canary);
    for (size_t i = 0; i < row && is_first; i++)
        is_first = !ct_scan_has_pairs(sheet->rows[i].scan_case.canary) ||
                   !ct_scan_setting_same(&sheet->rows[i].scan_case.setting, &scan_case->setting);
    return is_first;
}

static struct ct_scan_answer *add_answer(struct ct_scan_sheet *sheet, size_t *room,
                                         const struct ct_scan_program *program,
                                         const struct ct_scan_setting *setting)
{
    if (!CT_ARRAY_RESERVE(sheet->answers, *room, sheet->n_answers + 1))
        return NULL;
    struct ct_scan_answer *answer = &sheet->answers[sheet->n_answers++];
    *answer = (struct ct_scan_answer){.n_ranks = program->goal->n_ranks,
                                      .ranks_per_node = program->ranks_per_node,
                                      .setting = *setting,
                                      .slowdown_frac = NAN,
                                      .interval = {NAN, NAN}};
    snprintf(answer->application, sizeof answer->application, "%s", program->name);
    return answer;
}

/* @param why  [in] NULL: it has a graph */
static enum ct_status answer_all(struct program_work *work, const struct ct_scan_program *program,
                                 const char *why, struct ct_scan_sheet *sheet, size_t *room,
                                 struct ct_error *err)
{
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < sheet->n_rows && status == CT_OK; i++) {
        if (!is_first_of_setting(sheet, i))
            continue;
        struct ct_scan_answer *answer =
            add_answer(sheet, room, program, &sheet->rows[i].scan_case.setting);
        if (!answer)
            return ct_no_memory(err, "applications");
        if (why)
            snprintf(answer->why, sizeof answer->why, "%s", why);
        else
            status = answer_setting(work, answer, err);
    }
    return status;
}

static enum ct_status answer_graph(struct program_work *work, const struct ct_scan_program *program,
                                   struct ct_scan_sheet *sheet, size_t *room, struct ct_error *err)
{
    enum ct_status status = find_time(work, &alone, FACTOR_VALUE, &work->alone_ns, err);
    if (status != CT_OK)
        return status;
    return answer_all(work, program, work->alone_ns > 0 ? NULL : "it takes no time", sheet, room,
                      err);
}

static enum ct_status answer_program(const struct work *work, const struct ct_scan_program *program,
                                     struct ct_scan_sheet *sheet, size_t *room,
                                     struct ct_error *err)
{
    struct program_work own = {.work = work};
    struct ct_error why;
    if (program->goal->n_ranks == 0)
        return answer_all(&own, program, program->why ? program->why : "no rank in it", sheet, room,
                          err);
    enum ct_status status = make_pairs(work, program, &own.pairs, err);
    if (status != CT_OK)
        return status;
    const struct ct_simulation_costs costs = {.S_bytes = work->S_bytes};
    status = ct_pair_graph(&costs, program->goal, &own.graph, &why);
    if (status == CT_OK) {
        status = answer_graph(&own, program, sheet, room, err);
        ct_graph_free(&own.graph);
    } else if (status == CT_ENOMEM) {
        ct_no_memory(err, "%s", program->name);
    } else {
        status = answer_all(&own, program, why.text, sheet, room, err);
    }
    ct_pairs_free(&own.pairs);
    return status;
}

enum ct_status ct_scan_answers_make(const struct ct_scan *scan, struct ct_scan_sheet *sheet,
                                    const struct ct_scan_program *programs, size_t n,
                                    struct ct_error *err)
{
    const struct work work = {.scan = scan,
                              .sheet = sheet,
                              .window_bytes = ct_scan_window_bytes(scan),
                              .S_bytes = ct_parameters_none().S_bytes};
    size_t room = 0;
    if (!has_both(&work, &alone) || work.window_bytes == 0)
        return ct_fail(err, CT_ENODATA,
                       "--applications: the scan has no %s canary: L and G are of the canaries "
                       "latency and bandwidth; measure both, such as by --cells "
                       "'latency:alltoall bandwidth:alltoall'",
                       find_row(&work, CT_SCAN_LATENCY, &alone, -1) ? "bandwidth" : "latency");
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < n && status == CT_OK; i++)
        status = answer_program(&work, &programs[i], sheet, &room, err);
    return status;
}
