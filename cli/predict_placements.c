/* crosstalk predict of a campaign with several placements: under which of them pairs may run. */
#include "cli/predict_placements.h"

#include "core/array.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELL_MAX = 64, TEXT_MAX = 512 };

/* Two applications, under each placement. */
struct placed {
    char *app[2];               /* owned */
    struct ct_pair_verdict *by; /* [n_placements]; unknown where they were not run */
};

struct ct_predict_placements {
    char **names;        /* [n_placements]; owned */
    const char **shared; /* [n_placements] in a few words */
    size_t n_placements, n_filled;
    struct placed *placed;
    size_t n_placed;
};

struct ct_predict_placements *ct_predict_placements_new(size_t n_placements)
{
    struct ct_predict_placements *all = calloc(1, sizeof *all);
    if (!all)
        return NULL;
    all->names = calloc(n_placements + 1, sizeof *all->names);
    all->shared = calloc(n_placements + 1, sizeof *all->shared);
    all->n_placements = all->names && all->shared ? n_placements : 0;
    return all;
}

void ct_predict_placements_free(struct ct_predict_placements *all)
{
    if (!all)
        return;
    for (size_t i = 0; i < all->n_placements; i++)
        free(all->names[i]);
    for (size_t i = 0; i < all->n_placed; i++) {
        free(all->placed[i].app[0]);
        free(all->placed[i].app[1]);
        free(all->placed[i].by);
    }
    free(all->names);
    free(all->shared);
    free(all->placed);
    free(all);
}

static struct placed *find_placed(struct ct_predict_placements *all, const char *app,
                                  const char *with)
{
    const struct ct_judged none = {
        .frac = NAN, .interval = {NAN, NAN}, .verdict = CT_VERDICT_UNKNOWN};
    for (size_t i = 0; i < all->n_placed; i++)
        if (!strcmp(all->placed[i].app[0], app) && !strcmp(all->placed[i].app[1], with))
            return &all->placed[i];
    if (!CT_ARRAY_RESIZE(all->placed, all->n_placed + 1))
        return NULL;
    struct placed *placed = &all->placed[all->n_placed++];
    *placed = (struct placed){.app = {strdup(app), strdup(with)},
                              .by = calloc(all->n_placements + 1, sizeof *placed->by)};
    for (size_t p = 0; placed->by && p < all->n_placements; p++)
        placed->by[p] = ct_pair_judge(0, 0, &none, &none);
    return placed->app[0] && placed->app[1] && placed->by ? placed : NULL;
}

static void add_co_runs(const struct ct_predict_answers *answers, struct ct_tables *tables)
{
    static const struct ct_column columns[] = {{"app", NULL, CT_UNIT_NONE},
                                               {"with", NULL, CT_UNIT_NONE},
                                               {"predicted", NULL, CT_UNIT_FRACTION},
                                               {"predicted_ci[]", NULL, CT_UNIT_FRACTION},
                                               {"predicted_ci[]", NULL, CT_UNIT_FRACTION},
                                               {"measured", NULL, CT_UNIT_FRACTION},
                                               {"with_predicted", NULL, CT_UNIT_FRACTION},
                                               {"with_predicted_ci[]", NULL, CT_UNIT_FRACTION},
                                               {"with_predicted_ci[]", NULL, CT_UNIT_FRACTION},
                                               {"with_measured", NULL, CT_UNIT_FRACTION},
                                               {"verdict", NULL, CT_UNIT_NONE}};
    const size_t n_apps = answers->analysis->n_apps;
    const struct ct_predict_case *cases = answers->cases + answers->model * answers->questions->n;
    CT_TABLES_BEGIN(tables, "co_runs", NULL, columns);
    for (size_t i = 0; i < answers->n_pairs; i++) {
        const size_t *app = answers->pairs[i].app;
        for (size_t k = 0; k < 2; k++)
            ct_tables_cell_text(tables, ct_study_app(answers->study, app[k]));
        for (size_t k = 0; k < 2; k++) {
            const size_t q = app[k] * n_apps + app[1 - k];
            CT_CELL_NUMBERS(tables, cases[q].prediction.slowdown_frac,
                            cases[q].prediction.interval.lo, cases[q].prediction.interval.hi,
                            answers->questions->items[q].measured.frac);
        }
        ct_tables_cell_text(tables, ct_verdict_key(answers->pairs[i].verdict));
    }
}

enum ct_status ct_predict_placements_add(struct ct_predict_placements *all,
                                         const struct ct_predict_answers *answers,
                                         const char *placement, struct ct_tables *tables)
{
    size_t number = all->n_filled++;
    all->names[number] = strdup(placement);
    all->shared[number] = ct_shared_few_words(answers->study->shared);
    if (!all->names[number])
        return CT_ENOMEM;
    for (size_t i = 0; i < answers->n_pairs; i++) {
        const struct ct_pair_verdict *pair = &answers->pairs[i];
        struct placed *placed = find_placed(all, ct_study_app(answers->study, pair->app[0]),
                                            ct_study_app(answers->study, pair->app[1]));
        if (!placed)
            return CT_ENOMEM;
        placed->by[number] = *pair;
    }
    if (answers->n_pairs == ct_pairs_count(answers->analysis->n_apps))
        add_co_runs(answers, tables);
    return CT_OK;
}

/* "disjoint, shared (milc 23 % slower)": those with one verdict; "-": none. */
static void list_placements(const struct ct_predict_placements *all, const struct placed *placed,
                            enum ct_verdict verdict, char *text, size_t size)
{
    size_t used = 0;
    snprintf(text, size, "-");
    for (size_t p = 0; p < all->n_placements && used < size; p++) {
        const struct ct_pair_verdict *pair = &placed->by[p];
        if (pair->verdict != verdict)
            continue;
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", all->names[p]);
        if (verdict == CT_VERDICT_NO && used < size)
            used += (size_t)snprintf(text + used, size - used, " (%s %.3g %% slower)",
                                     placed->app[pair->decisive],
                                     100 * pair->judged[pair->decisive].frac);
    }
}

static void add_answers(const struct ct_predict_placements *all, struct ct_tables *tables)
{
    static const struct ct_column columns[] = {
        {"app", NULL, CT_UNIT_NONE},     {"with", NULL, CT_UNIT_NONE},
        {"fine", NULL, CT_UNIT_NONE},    {"perhaps", NULL, CT_UNIT_NONE},
        {"unknown", NULL, CT_UNIT_NONE}, {"disturbed", NULL, CT_UNIT_NONE},
        {"not", NULL, CT_UNIT_NONE}};
    CT_TABLES_BEGIN(tables, "answers", NULL, columns);
    for (size_t i = 0; i < all->n_placed; i++) {
        for (size_t k = 0; k < 2; k++)
            ct_tables_cell_text(tables, all->placed[i].app[k]);
        for (int verdict = 0; verdict < CT_N_VERDICTS; verdict++) {
            char text[TEXT_MAX];
            list_placements(all, &all->placed[i], (enum ct_verdict)verdict, text, sizeof text);
            ct_tables_cell_text(tables, text);
        }
    }
}

static bool has_predicted(const struct ct_predict_placements *all)
{
    for (size_t i = 0; i < all->n_placed; i++)
        for (size_t p = 0; p < all->n_placements; p++) {
            const struct ct_pair_verdict *pair = &all->placed[i].by[p];
            if (!pair->judged[pair->decisive].is_measured)
                return true;
        }
    return false;
}

/* A column for each placement: the slowdown that decides, and its verdict. */
static void add_placement_table(const struct ct_predict_placements *all, double limit_frac,
                                struct ct_tables *tables)
{
    static const struct ct_column columns[] = {{"app", "app", CT_UNIT_NONE},
                                               {"with", "with", CT_UNIT_NONE}};
    char title[TEXT_MAX];
    snprintf(title, sizeof title, "The larger slowdown of both [%%], limit %g %%%s",
             100 * limit_frac, has_predicted(all) ? "; in brackets: predicted" : "");
    CT_TABLES_BEGIN(tables, NULL, title, columns);
    for (size_t p = 0; p < all->n_placements; p++)
        ct_tables_column(tables, (struct ct_column){all->names[p], all->names[p], CT_UNIT_NONE});
    for (size_t i = 0; i < all->n_placed; i++) {
        for (size_t k = 0; k < 2; k++)
            ct_tables_cell_text(tables, all->placed[i].app[k]);
        for (size_t p = 0; p < all->n_placements; p++) {
            const struct ct_pair_verdict *pair = &all->placed[i].by[p];
            char value[CELL_MAX], cell[2 * CELL_MAX];
            ct_predict_format_slowdown(&pair->judged[pair->decisive], true, false, value,
                                       sizeof value);
            snprintf(cell, sizeof cell, "%s %s", value, ct_verdict_key(pair->verdict));
            ct_tables_cell_text(tables, cell);
        }
    }
}

/* "disjoint (own hosts): 10 of 10 may run beside each other": as much as there is room. */
static size_t say_placement(const struct ct_predict_placements *all, size_t placement, char *text,
                            size_t size)
{
    static const struct {
        enum ct_verdict verdict;
        const char *words;
    } parts[] = {{CT_VERDICT_DISTURBED, "disturbed (do not decide by these)"},
                 {CT_VERDICT_YES, "may run beside each other"},
                 {CT_VERDICT_NO, "must not"},
                 {CT_VERDICT_PERHAPS, "not certain"},
                 {CT_VERDICT_UNKNOWN, "not known"}};
    size_t counts[CT_N_VERDICTS] = {0};
    bool is_first = true;
    size_t used =
        (size_t)snprintf(text, size, "%s (%s): ", all->names[placement], all->shared[placement]);
    for (size_t i = 0; i < all->n_placed; i++)
        counts[all->placed[i].by[placement].verdict]++;
    for (size_t s = 0; s < sizeof parts / sizeof *parts && used < size; s++) {
        enum ct_verdict verdict = parts[s].verdict;
        if (counts[verdict] == 0)
            continue;
        used += (size_t)snprintf(text + used, size - used, "%s%zu", is_first ? "" : ", ",
                                 counts[verdict]);
        if (is_first && used < size)
            used += (size_t)snprintf(text + used, size - used, " of %zu", all->n_placed);
        if (used < size)
            used += (size_t)snprintf(text + used, size - used, " %s", parts[s].words);
        is_first = false;
    }
    return used < size ? used : size - 1;
}

/* One sentence for all of them. */
static void say_placements(const struct ct_predict_placements *all, struct ct_tables *tables)
{
    char text[2 * TEXT_MAX] = "";
    size_t used = 0;
    for (size_t p = 0; p < all->n_placements; p++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s", p > 0 ? "; " : "");
        if (used + 1 < sizeof text)
            used += say_placement(all, p, text + used, sizeof text - used);
        if (used + 4 >= sizeof text)
            break;
    }
    ct_tables_answer(tables, "%s.", text);
}

void ct_predict_placements_fill(const struct ct_predict_placements *all, double limit_frac,
                                struct ct_tables *tables)
{
    add_answers(all, tables);
    add_placement_table(all, limit_frac, tables);
    say_placements(all, tables);
}
