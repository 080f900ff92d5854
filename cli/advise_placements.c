#include "cli/advise_placements.h"

#include "core/array.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 400 };

/* FINE: both slowdowns are acceptable. */
enum verdict { FINE, NOT_FINE, UNKNOWN, N_VERDICTS };
static const char *const verdict_names[N_VERDICTS] = {"fine", "not", "unknown"};

/* Two applications, and the placements with each verdict. */
struct answer {
    char *app[2]; /* owned */
    char placements[N_VERDICTS][TEXT_MAX];
};

struct ct_placement_answers {
    double acceptable_frac;
    struct answer *items;
    size_t n;
};

struct ct_placement_answers *ct_placement_answers_new(double acceptable_frac)
{
    struct ct_placement_answers *answers = calloc(1, sizeof *answers);
    if (answers)
        answers->acceptable_frac = acceptable_frac;
    return answers;
}

void ct_placement_answers_free(struct ct_placement_answers *answers)
{
    if (!answers)
        return;
    for (size_t i = 0; i < answers->n; i++) {
        free(answers->items[i].app[0]);
        free(answers->items[i].app[1]);
    }
    free(answers->items);
    free(answers);
}

static enum verdict judge(const struct ct_placement_answers *answers,
                          const struct ct_pair_advice *pair)
{
    double a = ct_pair_advice_frac(pair, 0), b = ct_pair_advice_frac(pair, 1);
    if (a > answers->acceptable_frac || b > answers->acceptable_frac)
        return NOT_FINE;
    return isnan(a) || isnan(b) ? UNKNOWN : FINE;
}

/* The answer for two applications, which is made if it is new. NULL: out of memory. */
static struct answer *find(struct ct_placement_answers *answers, const char *app, const char *with)
{
    for (size_t i = 0; i < answers->n; i++)
        if (!strcmp(answers->items[i].app[0], app) && !strcmp(answers->items[i].app[1], with))
            return &answers->items[i];
    if (!CT_ARRAY_RESIZE(answers->items, answers->n + 1))
        return NULL;
    struct answer *answer = &answers->items[answers->n++];
    *answer = (struct answer){.app = {strdup(app), strdup(with)}};
    return answer->app[0] && answer->app[1] ? answer : NULL;
}

/* "disjoint, shared (milc 23 % slower)" */
static void append(char *text, const char *placement, const char *slower, double slowdown_frac)
{
    size_t used = strlen(text);
    used += (size_t)snprintf(text + used, TEXT_MAX - used, "%s%s", used ? ", " : "", placement);
    if (slower && used < TEXT_MAX)
        snprintf(text + used, TEXT_MAX - used, " (%s %.3g %% slower)", slower, 100 * slowdown_frac);
}

static const struct ct_column pair_columns[] = {
    {"app", "app", CT_UNIT_NONE},
    {"with", "with", CT_UNIT_NONE},
    {"predicted", "app predicted", CT_UNIT_FRACTION},
    {"predicted_ci[]", "from", CT_UNIT_FRACTION},
    {"predicted_ci[]", "to", CT_UNIT_FRACTION},
    {"measured", "measured", CT_UNIT_FRACTION},
    {"with_predicted", "with predicted", CT_UNIT_FRACTION},
    {"with_predicted_ci[]", "from", CT_UNIT_FRACTION},
    {"with_predicted_ci[]", "to", CT_UNIT_FRACTION},
    {"with_measured", "measured", CT_UNIT_FRACTION},
    {"verdict", "verdict", CT_UNIT_NONE}};

enum ct_status ct_placement_answers_add(struct ct_placement_answers *answers, const char *placement,
                                        const struct ct_study *study,
                                        const struct ct_pair_advice *pairs, size_t n,
                                        struct ct_tables *tables)
{
    ct_tables_begin(tables, "co_runs", "Slowdowns of two applications beside each other",
                    pair_columns, sizeof pair_columns / sizeof *pair_columns);
    for (size_t i = 0; i < n; i++) {
        const struct ct_pair_advice *pair = &pairs[i];
        const char *app[2] = {ct_study_app(study, pair->app[0]), ct_study_app(study, pair->app[1])};
        enum verdict verdict = judge(answers, pair);
        size_t worst = ct_pair_advice_worst(pair);
        struct answer *answer = find(answers, app[0], app[1]);
        if (!answer)
            return CT_ENOMEM;
        append(answer->placements[verdict], placement, verdict == NOT_FINE ? app[worst] : NULL,
               ct_pair_advice_frac(pair, worst));
        for (size_t k = 0; k < 2; k++)
            ct_tables_cell_text(tables, app[k]);
        for (size_t k = 0; k < 2; k++) {
            ct_tables_cell_number(tables, pair->prediction[k].slowdown_frac);
            ct_tables_cell_number(tables, pair->prediction[k].interval.lo);
            ct_tables_cell_number(tables, pair->prediction[k].interval.hi);
            ct_tables_cell_number(tables, pair->measured[k].frac);
        }
        ct_tables_cell_text(tables, verdict_names[verdict]);
    }
    return CT_OK;
}

void ct_placement_answers_fill(const struct ct_placement_answers *answers, struct ct_tables *tables)
{
    static const struct ct_column columns[] = {{"app", "app", CT_UNIT_NONE},
                                               {"with", "with", CT_UNIT_NONE},
                                               {"fine", "fine under", CT_UNIT_NONE},
                                               {"not", "not under", CT_UNIT_NONE},
                                               {"unknown", "unknown under", CT_UNIT_NONE}};
    ct_tables_begin(tables, "answers", "Where they may run beside each other", columns,
                    sizeof columns / sizeof *columns);
    for (size_t i = 0; i < answers->n; i++) {
        const struct answer *answer = &answers->items[i];
        for (size_t k = 0; k < 2; k++)
            ct_tables_cell_text(tables, answer->app[k]);
        for (size_t v = 0; v < N_VERDICTS; v++)
            ct_tables_cell_text(tables, *answer->placements[v] ? answer->placements[v] : "-");
    }
}
