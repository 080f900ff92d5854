/*
 * What the model probe says with other choices, for scripts/probe_choices.py.
 *
 *     probe_choices CAMPAIGN PLACEMENT DRAWS CHOICE...
 *
 * PLACEMENT "" is that of all runs. A CHOICE is the eight numbers of struct ct_probe_line_setup in
 * their order, with commas between them, or the key of a model that uses no co-run. Prints a row
 * for each CHOICE, number of co-runs that each application has on either side (0 to 3), draw of
 * which these are, and pair that was measured and is not one of them:
 *
 *     number-of-choice co-runs draw app with measured predicted
 */
#include "core/units.h"
#include "predict/method.h"
#include "predict/probe_lines.h"
#include "study/session.h"

#include <gsl/gsl_randist.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CO_RUNS_MOST = 3, APPS_MOST = 64, TRIES = 1000 };

static void stop(const char *why)
{
    fprintf(stderr, "probe_choices: %s\n", why);
    exit(1);
}

static struct ct_probe_line_setup read_choice(const char *text)
{
    struct ct_probe_line_setup setup;
    double *const at[] = {&setup.moment, &setup.delay_share, &setup.idle_quantile,
                          &setup.offset, &setup.slope,       &setup.slope_deviation,
                          &setup.noise,  &setup.beyond};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        char *end;
        *at[i] = strtod(text, &end);
        if (end == text || *end != (i + 1 < sizeof at / sizeof *at ? ',' : '\0'))
            stop("a choice is eight numbers with commas between them");
        text = end + 1;
    }
    return setup;
}

static bool is_known(const struct ct_predict_analysis *analysis, size_t pair)
{
    return !isnan(analysis->beside_app[pair].frac);
}

static void print_pairs(const struct ct_predict_analysis *analysis,
                        const struct ct_slowdown *measured, const struct ct_predict_model *model,
                        const char *head)
{
    size_t n = analysis->n_apps;
    for (size_t i = 0; n > 0 && i < n * n; i++) {
        const size_t with = i % n;
        struct ct_prediction prediction;
        if (isnan(measured[i].frac) || is_known(analysis, i))
            continue;
        if (ct_predict_group(model, analysis, i / n, &with, 1, NULL, &prediction) != CT_OK)
            stop("out of memory");
        printf("%s %zu %zu %.6f %.6f\n", head, i / n, with, measured[i].frac,
               prediction.slowdown_frac);
    }
}

/* Each application as many times on either side, in different co-runs. @return whether it can be */
static bool draw_co_runs(gsl_rng *rng, size_t n, size_t co_runs, bool *is_drawn)
{
    size_t beside[APPS_MOST];
    memset(is_drawn, 0, n * n * sizeof *is_drawn);
    for (size_t app = 0; app < n; app++)
        beside[app] = app;
    for (int try = 0; try < TRIES && co_runs > 0; try++) {
        bool is_new = true;
        gsl_ran_shuffle(rng, beside, n, sizeof *beside);
        for (size_t app = 0; app < n; app++)
            is_new = is_new && !is_drawn[app * n + beside[app]];
        for (size_t app = 0; app < n && is_new; app++)
            is_drawn[app * n + beside[app]] = true;
        co_runs -= is_new;
    }
    return co_runs == 0;
}

static void try_choice(struct ct_predict_analysis *analysis,
                       const struct ct_probe_line_setup *setup, const struct ct_slowdown *measured,
                       const bool *is_drawn, const char *head)
{
    struct ct_probe_lines *kept = analysis->lines;
    size_t n = analysis->n_apps, probe;
    for (size_t i = 0; i < n * n; i++) {
        analysis->beside_app[i] = measured[i];
        if (!is_drawn[i])
            analysis->beside_app[i].frac = NAN;
    }
    if (ct_probe_lines_new(analysis, setup, &analysis->lines) != CT_OK ||
        ct_probe_effects_add(analysis, analysis->lines) != CT_OK ||
        ct_predict_model_find("probe", 5, &probe, NULL) != CT_OK)
        stop("out of memory");
    print_pairs(analysis, measured, &ct_predict_models[probe], head);
    ct_probe_lines_free(analysis->lines);
    analysis->lines = kept;
}

static void try_all(struct ct_predict_analysis *analysis, int draws, char **choices, int n_choices)
{
    size_t n = analysis->n_apps, model;
    struct ct_slowdown *measured = malloc((n * n + 1) * sizeof *measured);
    bool *is_drawn = malloc((n * n + 1) * sizeof *is_drawn);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    if (!measured || !is_drawn || !rng || n == 0 || n > APPS_MOST)
        stop("out of memory");
    memcpy(measured, analysis->beside_app, n * n * sizeof *measured);
    for (size_t co_runs = 0; co_runs <= CO_RUNS_MOST; co_runs++)
        for (int draw = 0; draw < (co_runs > 0 ? draws : 1); draw++) {
            gsl_rng_set(rng, 1000 * co_runs + (unsigned long)draw);
            if (!draw_co_runs(rng, n, co_runs, is_drawn))
                continue;
            for (int i = 0; i < n_choices; i++) {
                char head[60];
                snprintf(head, sizeof head, "%d %zu %d", i, co_runs, draw);
                if (ct_predict_model_find(choices[i], strlen(choices[i]), &model, NULL) != CT_OK) {
                    const struct ct_probe_line_setup setup = read_choice(choices[i]);
                    try_choice(analysis, &setup, measured, is_drawn, head);
                } else {
                    for (size_t p = 0; p < n * n; p++)
                        analysis->beside_app[p].frac = is_drawn[p] ? measured[p].frac : NAN;
                    print_pairs(analysis, measured, &ct_predict_models[model], head);
                }
            }
        }
    gsl_rng_free(rng);
    free(measured);
    free(is_drawn);
}

int main(int argc, char **argv)
{
    struct ct_error err = {.status = CT_OK};
    struct ct_session session;
    struct ct_predict_analysis analysis;
    uint64_t draws;
    if (argc < 5)
        stop("probe_choices CAMPAIGN PLACEMENT DRAWS CHOICE...");
    if (ct_parse_u64(argv[3], &draws, &err) != CT_OK || draws > INT_MAX)
        stop("DRAWS is a whole number");
    const struct ct_session_settings settings = {
        .path = argv[1], .placement = *argv[2] ? argv[2] : NULL, .link_bit_per_s = NAN};
    if (ct_session_open(&settings, &session, &err) != CT_OK ||
        ct_session_analyse(&session, argv[1], &analysis, &err) != CT_OK)
        stop(err.text);
    try_all(&analysis, (int)draws, argv + 4, argc - 4);
    ct_predict_analysis_free(&analysis);
    ct_session_free(&session);
    return 0;
}
